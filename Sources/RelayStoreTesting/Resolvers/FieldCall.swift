public import RelayStore

/// The input of a resolver: one field of one object.
public struct FieldCall: Sendable {
  /// The object that the field belongs to, as returned by the parent field; an empty object for a
  /// root field.
  public let parent: JSONValue
  /// The name of the object's type.
  public let typeName: String
  /// The field's name.
  public let fieldName: String
  /// The field's arguments, coerced to the schema's types. Includes defaults; an omitted argument
  /// is absent, an explicit null is null.
  public let arguments: JSONObject
  /// The path of the field in the response.
  public let path: ResponsePath

  /// Returns the value of an argument, or of an input field inside it.
  ///
  ///     let id: String = try call.argument("id")
  ///     let first: Int? = try call.argument("first")
  ///     let title: String = try call.argument("input", "title")
  ///     let nick: GraphQLNullable<String> = try call.argument("nick")
  ///
  /// For an optional type, null and absent values are both `nil`; `GraphQLNullable` distinguishes
  /// them.
  ///
  /// - Throws: ``/RelayStore/GraphQLError`` if the value is not of the requested type.
  public func argument<Value: ArgumentValue>(_ name: String, _ inside: String...) throws -> Value {
    let value = value(at: [name] + inside)
    guard let converted = Value(argument: value) else {
      let argumentPath = ([name] + inside).joined(separator: ".")
      throw GraphQLError(
        message:
          "The resolver of \"\(typeName).\(fieldName)\" asked for \"\(argumentPath)\" as "
          + "\(Value.self), but it has another type."
      )
    }
    return converted
  }

  /// Returns whether an argument, or an input field inside it, was given, even as an explicit null.
  public func hasArgument(_ name: String, _ inside: String...) -> Bool {
    value(at: [name] + inside) != nil
  }

  private func value(at keys: [String]) -> JSONValue? {
    keys.reduce(JSONValue.object(arguments) as JSONValue?) { value, key in value?[key] }
  }
}

/// A type that ``FieldCall/argument(_:_:)`` can return.
public protocol ArgumentValue {
  /// Creates a value from JSON; returns `nil` if the JSON has another type. `argument` is `nil` for
  /// an absent argument.
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
