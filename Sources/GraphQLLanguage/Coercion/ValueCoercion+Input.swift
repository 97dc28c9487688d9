/// An error for a run-time value that is not valid for its type.
public struct InputError: Error, Hashable, Sendable {
  /// The path from the input to the invalid value.
  public let path: [PathElement]
  /// The invalid value.
  public let value: InputValue
  /// The description of the problem.
  public let message: String

  /// A step into a list or object.
  public enum PathElement: Hashable, Sendable {
    /// A member of an object.
    case member(String)
    /// An item of a list, by its zero-based index.
    case index(Int)
  }
}

extension ValueCoercion {
  /// Coerces a run-time value to a type: fills in default values and wraps single values in lists.
  public func coerce(_ input: InputValue, to type: ResolvedType) -> (
    value: InputValue?, errors: [InputError]
  ) {
    var coercion = InputCoercion(schema: schema)
    let value = coercion.coerce(input, to: type)
    return (coercion.errors.isEmpty ? value : nil, coercion.errors)
  }
}

/// The coercion of one value. Collects all errors.
private struct InputCoercion {
  let schema: Schema
  private(set) var errors: [InputError] = []
  private var path: [InputError.PathElement] = []
  private let suggestionBudget = SuggestionBudget()
  /// The maximum nesting depth of values. Only recursive types allow deeper ones.
  private static let depthLimit = 256

  init(schema: Schema) { self.schema = schema }

  private mutating func fail(_ value: InputValue, _ message: String) -> InputValue? {
    errors.append(InputError(path: path, value: value, message: message))
    return nil
  }

  private mutating func coerce(
    _ value: InputValue, at element: InputError.PathElement, to type: ResolvedType
  ) -> InputValue? {
    path.append(element)
    defer { path.removeLast() }
    return coerce(value, to: type)
  }

  mutating func coerce(_ input: InputValue, to type: ResolvedType) -> InputValue? {
    guard path.count < Self.depthLimit else { return fail(input, "The value nests too deeply.") }
    if input == .null {
      guard type.isNonNull else { return .null }
      return fail(
        input, "Expected non-nullable type \"\(schema.text(of: type))\" not to be null.")
    }
    if let item = type.item {
      guard case .list(let items) = input else {
        return coerce(input, to: item).map { .list([$0]) }
      }
      var values: [InputValue] = []
      for (index, value) in items.enumerated() {
        if let value = coerce(value, at: .index(index), to: item) { values.append(value) }
      }
      return .list(values)
    }
    let named = schema[type.named]
    switch named.kind {
    case .inputObject: return coerce(input, to: named)
    case .enum: return coerce(input, toEnum: named)
    default: return coerce(input, toScalar: named)
    }
  }

  private mutating func coerce(_ input: InputValue, to type: NamedType) -> InputValue? {
    let name = schema.symbols[type.symbol]
    guard case .object(let members) = input else {
      return fail(input, "Expected type \"\(name)\" to be an object.")
    }
    let given = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    var coerced: [InputValue.Member] = []
    var fieldNames: Set<String> = []
    for field in type.inputFields {
      let fieldName = schema.symbols[field.symbol]
      fieldNames.insert(fieldName)
      if let value = given[fieldName] {
        if let value = coerce(value, at: .member(fieldName), to: field.type) {
          coerced.append(.init(fieldName, value))
        }
      } else if let literal = field.defaultValue {
        let value = ValueCoercion(schema: schema).value(of: literal, as: field.type)
        coerced.append(.init(fieldName, value ?? .null))
      } else if field.type.isNonNull {
        _ = fail(
          input,
          "Field \"\(fieldName)\" of required type \"\(schema.text(of: field.type))\" was not provided."
        )
      }
    }
    for member in members where !fieldNames.contains(member.name) {
      let question = suggestionBudget.didYouMean(
        member.name, among: type.inputFields.map { schema.symbols[$0.symbol] })
      _ = fail(
        input,
        "Field \"\(member.name)\" is not defined by type \"\(name)\"."
          + (question.map { " " + $0 } ?? ""))
    }
    if type.isOneOf {
      checkOneOf(input, type: name, members: members.filter { fieldNames.contains($0.name) })
    }
    return .object(coerced)
  }

  private mutating func checkOneOf(
    _ input: InputValue, type: String, members: [InputValue.Member]
  ) {
    guard members.count == 1 else {
      _ = fail(input, "Exactly one key must be specified for OneOf type \"\(type)\".")
      return
    }
    guard members[0].value == .null else { return }
    path.append(.member(members[0].name))
    _ = fail(.null, "Field \"\(members[0].name)\" must be non-null.")
    path.removeLast()
  }

  private mutating func coerce(_ input: InputValue, toEnum type: NamedType) -> InputValue? {
    let name = schema.symbols[type.symbol]
    let values = type.enumValues.map { schema.symbols[$0.symbol] }
    guard case .string(let text) = input else {
      return fail(input, "Enum \"\(name)\" cannot represent non-string value: \(input).")
    }
    if values.contains(text) { return input }
    let hint = suggestionBudget.didYouMean(text, among: values, subject: "the enum value")
    return fail(
      input,
      "Value \"\(text)\" does not exist in \"\(name)\" enum." + (hint.map { " " + $0 } ?? ""))
  }

  private mutating func coerce(_ input: InputValue, toScalar type: NamedType) -> InputValue? {
    switch (type.symbol, input) {
    case (.int, .int(let number)):
      guard Int32(exactly: number) != nil else {
        return fail(input, "Int cannot represent non 32-bit signed integer value: \(input)")
      }
      return input
    case (.int, .float(let number)):
      guard let whole = Int32(exactly: number) else {
        return fail(input, "Int cannot represent non-integer value: \(input)")
      }
      return .int(Int(whole))
    case (.int, _): return fail(input, "Int cannot represent non-integer value: \(input)")
    case (.float, .int(let number)): return .float(Double(number))
    case (.float, .float(let number)) where number.isFinite: return input
    case (.float, _): return fail(input, "Float cannot represent non numeric value: \(input)")
    case (.string, .string), (.boolean, .boolean), (.id, .string): return input
    case (.string, _): return fail(input, "String cannot represent a non string value: \(input)")
    case (.boolean, _):
      return fail(input, "Boolean cannot represent a non boolean value: \(input)")
    case (.id, .int(let number)): return .string(String(number))
    case (.id, _):
      return fail(input, "ID cannot represent a non-string and non-integer value: \(input)")
    default: return input
    }
  }
}
