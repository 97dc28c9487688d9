/// Coercion of literals and run-time values to types, following the specification's input coercion
/// rules.
public struct ValueCoercion: Sendable {
  let schema: Schema

  /// Creates a coercion for the types of a schema.
  public init(schema: Schema) { self.schema = schema }

  /// Evaluates a literal as a value of a type; returns `nil` when it is not valid for the type.
  ///
  /// Variables are already coerced, so their values are used unchanged. An input object omits a
  /// field whose variable has no value.
  public func value(
    of literal: Value, as type: ResolvedType, variables: [String: InputValue] = [:]
  ) -> InputValue? {
    if case .variable(let symbol) = literal.kind {
      guard let value = variables[schema.symbols[symbol]] else { return nil }
      return value == .null && type.isNonNull ? nil : value
    }
    if literal.kind == .null { return type.isNonNull ? nil : .null }
    if type.isList { return list(literal, as: type, variables: variables) }
    let named = schema[type.named]
    guard named.kind == .inputObject else { return leaf(literal, as: type, variables: variables) }
    return object(literal, as: named, variables: variables)
  }

  /// Evaluates a literal without knowing its type; returns `nil` for a variable without a value.
  /// Enum values become strings.
  public static func untypedValue(
    of literal: Value, variables: [String: InputValue] = [:], symbols: SymbolTable
  ) -> InputValue? {
    func untyped(_ value: Value) -> InputValue? {
      untypedValue(of: value, variables: variables, symbols: symbols)
    }
    switch literal.kind {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .int(let symbol):
      let text = symbols[symbol]
      return Int(text).map { .int($0) } ?? Double(text).map { .float($0) }
    case .float(let symbol): return Double(symbols[symbol]).map { .float($0) }
    case .string(let text, _): return .string(text)
    case .enumValue(let symbol): return .string(symbols[symbol])
    case .list(let items): return .list(items.map { untyped($0) ?? .null })
    case .object(let fields):
      return .object(
        fields.compactMap { field in
          untyped(field.value).map { InputValue.Member(symbols[field.name.symbol], $0) }
        })
    case .variable(let symbol): return variables[symbols[symbol]]
    }
  }

  private func list(
    _ literal: Value, as type: ResolvedType, variables: [String: InputValue]
  ) -> InputValue? {
    guard let item = type.item else { return nil }
    guard case .list(let items) = literal.kind else {
      return value(of: literal, as: item, variables: variables).map { .list([$0]) }
    }
    var values: [InputValue] = []
    for literal in items {
      if isMissing(literal, variables: variables), !item.isNonNull {
        values.append(.null)
      } else if let value = value(of: literal, as: item, variables: variables) {
        values.append(value)
      } else {
        return nil
      }
    }
    return .list(values)
  }

  private func object(
    _ literal: Value, as type: NamedType, variables: [String: InputValue]
  ) -> InputValue? {
    guard case .object(let fields) = literal.kind,
      fields.allSatisfy({ type.inputFields[named: $0.name.symbol] != nil })
    else { return nil }
    var members: [InputValue.Member] = []
    for definition in type.inputFields {
      let name = schema.symbols[definition.symbol]
      let given = fields.last { $0.name.symbol == definition.symbol }?.value
      if let given, !isMissing(given, variables: variables) {
        guard let value = value(of: given, as: definition.type, variables: variables) else {
          return nil
        }
        members.append(.init(name, value))
      } else if let literal = definition.defaultValue {
        guard let value = value(of: literal, as: definition.type) else { return nil }
        members.append(.init(name, value))
      } else if definition.type.isNonNull {
        return nil
      }
    }
    if type.isOneOf, members.count != 1 || members[0].value == .null { return nil }
    return .object(members)
  }

  private func leaf(
    _ literal: Value, as type: ResolvedType, variables: [String: InputValue]
  ) -> InputValue? {
    guard LiteralCheck(schema: schema).problem(with: literal, as: type) == nil else { return nil }
    if case .int(let digits) = literal.kind {
      switch schema[type.named].symbol {
      case .id: return .string(schema.symbols[digits])
      case .float: return Double(schema.symbols[digits]).map { .float($0) }
      default: break
      }
    }
    return Self.untypedValue(of: literal, variables: variables, symbols: schema.symbols)
  }

  private func isMissing(_ literal: Value, variables: [String: InputValue]) -> Bool {
    guard case .variable(let symbol) = literal.kind else { return false }
    return variables[schema.symbols[symbol]] == nil
  }
}

extension ValueCoercion {
  /// A problem with a literal and its source range.
  struct LiteralProblem {
    let message: String
    let span: Span
  }

  /// Returns the first problem with a variable-free literal as a value of a type, or `nil` when it
  /// is valid.
  func problem(with literal: Value, as type: ResolvedType) -> LiteralProblem? {
    if literal.kind == .null {
      guard type.isNonNull else { return nil }
      return LiteralProblem(
        message: "Expected value of type \"\(schema.text(of: type))\", found null.",
        span: literal.span)
    }
    let named = schema[type.named]
    switch literal.kind {
    case .list(let items):
      guard let item = type.item else { break }
      return items.lazy.compactMap { problem(with: $0, as: item) }.first
    case .object(let fields) where named.kind == .inputObject:
      return problem(with: fields, of: named, at: literal.span)
    default: break
    }
    let check = LiteralCheck(schema: schema, suggestionBudget: SuggestionBudget())
    return check.problem(with: literal, as: type).map {
      LiteralProblem(message: $0.message, span: literal.span)
    }
  }

  private func problem(with fields: [ObjectField], of type: NamedType, at span: Span)
    -> LiteralProblem?
  {
    let name = schema.symbols[type.symbol]
    for field in fields {
      guard let definition = type.inputFields[named: field.name.symbol] else {
        return LiteralProblem(
          message: "Field \"\(schema.symbols[field.name.symbol])\" is not defined by \"\(name)\".",
          span: field.span)
      }
      if let problem = problem(with: field.value, as: definition.type) { return problem }
    }
    for definition in type.inputFields where definition.isRequired {
      if fields.contains(where: { $0.name.symbol == definition.symbol }) { continue }
      return LiteralProblem(
        message: "Field \"\(name).\(schema.symbols[definition.symbol])\" is required.", span: span)
    }
    if type.isOneOf, fields.count != 1 || fields[0].value.kind == .null {
      return LiteralProblem(
        message: "Exactly one field of \"\(name)\" must be given, and it must not be null.",
        span: span)
    }
    return nil
  }
}
