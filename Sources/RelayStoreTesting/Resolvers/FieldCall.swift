public import RelayStore

/// What a resolver is asked: one field of one object.
public struct FieldCall: Sendable {
  /// The object the field belongs to, as the field above gave it; an empty object for a root field.
  public let parent: JSONValue
  /// The name of the object's type.
  public let typeName: String
  /// The field's name.
  public let fieldName: String
  /// The field's arguments, coerced to the types of the schema, with defaults; what was left out is
  /// absent, an explicit null is null.
  public let arguments: JSONObject
  /// Where the field's value will stand in the response.
  public let path: ResponsePath

  /// The value of an argument, or of a field inside it.
  ///
  ///     let id: String = try call.argument("id")
  ///     let first: Int? = try call.argument("first")
  ///     let title: String = try call.argument("input", "title")
  ///     let nick: GraphQLNullable<String> = try call.argument("nick")
  ///
  /// - Throws: ``GraphQLError`` when the value is not of the type asked for. Null and absent are
  ///   `nil` of an optional type; a `GraphQLNullable` tells them apart.
  public func argument<Value: ArgumentValue>(_ name: String, _ inside: String...) throws -> Value {
    let value = value(at: [name] + inside)
    guard let converted = Value(argument: value) else {
      let place = ([name] + inside).joined(separator: ".")
      throw GraphQLError(
        message:
          "The resolver of \"\(typeName).\(fieldName)\" asked for \"\(place)\" as \(Value.self), which it is not."
      )
    }
    return converted
  }

  /// Whether an argument, or a field inside it, was given, be it as null.
  public func hasArgument(_ name: String, _ inside: String...) -> Bool {
    value(at: [name] + inside) != nil
  }

  private func value(at keys: [String]) -> JSONValue? {
    keys.reduce(JSONValue.object(arguments) as JSONValue?) { value, key in value?[key] }
  }
}

/// What ``FieldCall/argument(_:_:)`` can give.
public protocol ArgumentValue {
  /// The value of a JSON value, or `nil` when that is of another type; absent is `nil`.
  init?(argument: JSONValue?)
}

extension String: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let value = argument?.string else { return nil }
    self = value
  }
}

extension Int: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let value = argument?.int else { return nil }
    self = value
  }
}

extension Double: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let value = argument?.double else { return nil }
    self = value
  }
}

extension Bool: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let value = argument?.bool else { return nil }
    self = value
  }
}

extension JSONValue: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let argument else { return nil }
    self = argument
  }
}

extension Array: ArgumentValue where Element: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let values = argument?.array else { return nil }
    self = []
    for value in values {
      guard let element = Element(argument: value) else { return nil }
      append(element)
    }
  }
}

extension Optional: ArgumentValue where Wrapped: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let argument, !argument.isNull else {
      self = .none
      return
    }
    guard let value = Wrapped(argument: argument) else { return nil }
    self = .some(value)
  }
}

extension GraphQLNullable: ArgumentValue where Wrapped: ArgumentValue {
  public init?(argument: JSONValue?) {
    guard let argument else {
      self = .none
      return
    }
    if argument.isNull {
      self = .null
      return
    }
    guard let value = Wrapped(argument: argument) else { return nil }
    self = .some(value)
  }
}
