import GraphQLLanguage

/// Checks that everything an operation names exists, and that it ends: what execution relies on.
///
/// It is not the whole validation of the specification; documents that the compiler wrote have passed that.
struct RequestCheck {
  let schema: Schema
  let fragments: [Symbol: FragmentDefinition]
  let operation: OperationDefinition

  private var errors: [ExecutionError] = []
  /// By fragment: how deep its selections are; absent until it is known.
  private var depths: [Symbol: Int] = [:]
  /// The fragments that are being looked into.
  private var open: Set<Symbol> = []
  /// How deep the selections of an operation may be, fragments included.
  static let depthLimit = 200

  init(
    schema: Schema, fragments: [Symbol: FragmentDefinition], operation: OperationDefinition
  ) {
    self.schema = schema
    self.fragments = fragments
    self.operation = operation
  }

  /// - Throws: ``RequestFailure`` with everything that is wrong.
  mutating func run(on rootType: NamedType) throws {
    check(operation.directives)
    _ = try depth(of: operation.selectionSet, on: rootType, above: 0)
    guard errors.isEmpty else { throw RequestFailure(errors) }
  }

  private func name(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  private mutating func report(_ message: String, _ span: Span) {
    errors.append(ExecutionError(message: message, span: span))
  }

  /// Checks a selection set and tells how many levels it has.
  private mutating func depth(of set: SelectionSet, on type: NamedType, above: Int) throws -> Int {
    guard above < Self.depthLimit else {
      throw RequestFailure(
        "The selections are nested more than \(Self.depthLimit) deep.", at: set.span)
    }
    var deepest = 0
    for selection in set.selections {
      check(selection.directives)
      let depth =
        switch selection {
        case .field(let field): try self.depth(of: field, on: type, above: above)
        case .inlineFragment(let fragment):
          try depth(of: fragment, on: type, above: above)
        case .fragmentSpread(let spread): try depth(of: spread, above: above)
        }
      deepest = max(deepest, depth)
    }
    return deepest + 1
  }

  private mutating func depth(of field: Field, on type: NamedType, above: Int) throws -> Int {
    guard let definition = schema.field(named: field.name.symbol, on: type),
      field.name.symbol != .introspectionSchema, field.name.symbol != .introspectionType
    else {
      report(
        "Cannot query field \"\(name(field.name.symbol))\" on type \"\(name(type.symbol))\".",
        field.name.span)
      return 0
    }
    check(field.arguments, of: definition.arguments, on: name(field.name.symbol))
    let fieldType = schema[definition.type.named]
    switch (field.selectionSet, fieldType.isComposite) {
    case (let set?, true): return try depth(of: set, on: fieldType, above: above + 1)
    case (nil, false): return 0
    case (_?, false):
      report(
        "Field \"\(name(field.name.symbol))\" must not have a selection since type \"\(schema.text(of: definition.type))\" has no subfields.",
        field.span)
    case (nil, true):
      report(
        "Field \"\(name(field.name.symbol))\" of type \"\(schema.text(of: definition.type))\" must have a selection of subfields.",
        field.span)
    }
    return 0
  }

  private mutating func depth(of fragment: InlineFragment, on type: NamedType, above: Int) throws
    -> Int
  {
    guard let condition = fragment.typeCondition else {
      return try depth(of: fragment.selectionSet, on: type, above: above + 1)
    }
    guard let type = composite(condition) else { return 0 }
    return try depth(of: fragment.selectionSet, on: type, above: above + 1)
  }

  private mutating func depth(of spread: FragmentSpread, above: Int) throws -> Int {
    let symbol = spread.name.symbol
    guard let fragment = fragments[symbol] else {
      report("Unknown fragment \"\(name(symbol))\".", spread.name.span)
      return 0
    }
    if let known = depths[symbol] {
      guard above + known < Self.depthLimit else {
        throw RequestFailure(
          "The selections are nested more than \(Self.depthLimit) deep.", at: spread.span)
      }
      return known
    }
    guard open.insert(symbol).inserted else {
      throw RequestFailure(
        "Cannot spread fragment \"\(name(symbol))\" within itself.", at: spread.span)
    }
    defer { open.remove(symbol) }
    check(fragment.directives)
    guard let type = composite(fragment.typeCondition) else { return 0 }
    let depth = try depth(of: fragment.selectionSet, on: type, above: above + 1)
    depths[symbol] = depth
    return depth
  }

  private mutating func composite(_ condition: Name) -> NamedType? {
    guard let type = schema.type(named: condition.symbol), type.isComposite else {
      report("Fragment cannot condition on type \"\(name(condition.symbol))\".", condition.span)
      return nil
    }
    return type
  }

  /// Only `@include` and `@skip` mean something to execution; other directives may stand.
  private mutating func check(_ directives: [Directive]) {
    for directive in directives {
      guard let definition = schema.directives[named: directive.name.symbol] else { continue }
      check(directive.arguments, of: definition.arguments, on: "@" + name(directive.name.symbol))
    }
  }

  private mutating func check(
    _ arguments: [Argument], of definitions: NamedList<SchemaInputValue>, on owner: String
  ) {
    for argument in arguments {
      if definitions[named: argument.name.symbol] == nil {
        report(
          "Unknown argument \"\(name(argument.name.symbol))\" on \"\(owner)\".", argument.name.span)
      }
      check(argument.value)
    }
  }

  private mutating func check(_ value: Value) {
    switch value.kind {
    case .variable(let symbol):
      if !operation.variables.contains(where: { $0.name.symbol == symbol }) {
        report("Variable \"$\(name(symbol))\" is not defined.", value.span)
      }
    case .list(let values): for value in values { check(value) }
    case .object(let fields): for field in fields { check(field.value) }
    default: break
    }
  }
}
