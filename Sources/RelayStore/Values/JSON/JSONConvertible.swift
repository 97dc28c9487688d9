/// A type that converts from and to the JSON of a response: the conversions of ``CustomScalar``.
///
/// Conform to ``CustomScalar`` instead; generated properties require it.
public protocol JSONConvertible: Sendable, Hashable {
  /// Converts a response's JSON, never null.
  ///
  /// The store may call this initializer while it holds its lock, so it must not call the
  /// environment.
  ///
  /// - Throws: Any error when the JSON is not a valid value. The field then has no value, but has
  ///   an error of kind ``FieldError/Kind/scalar``. That error has the thrown error as
  ///   ``FieldError/underlying``, and the first 300 characters of its description in the message.
  init(json: JSONValue) throws
  /// The value as JSON, for use in variables.
  var json: JSONValue { get }
}

extension JSONConvertible {
  /// Whether `other` is an equal value of the same type.
  func isEqual(to other: any JSONConvertible) -> Bool { other as? Self == self }
}

/// The error thrown by a standard scalar's initializer for JSON of another kind.
struct ScalarMismatch: Error, CustomStringConvertible {
  /// The expected JSON, such as "a whole number".
  let expected: String
  var description: String { "the JSON is not \(expected)" }
}

extension Optional {
  /// Returns the value, or throws a ``ScalarMismatch`` for `nil`.
  func orMismatch(_ expected: String) throws -> Wrapped {
    guard let self else { throw ScalarMismatch(expected: expected) }
    return self
  }
}

extension String: JSONConvertible {
  /// Converts any JSON: numbers retain the digits received; other values become compact JSON.
  public init(json: JSONValue) { self = json.string ?? json.description }
  public var json: JSONValue { .string(self) }
}

extension Int: JSONConvertible {
  public init(json: JSONValue) throws {
    self = try json.int.orMismatch("a whole number")
  }
  public var json: JSONValue { .number(JSONNumber(self)) }
}

extension Double: JSONConvertible {
  public init(json: JSONValue) throws {
    self = try json.double.orMismatch("a number")
  }
  public var json: JSONValue { isFinite ? .number(JSONNumber(self)) : .null }
}

extension Float: JSONConvertible {
  public init(json: JSONValue) throws {
    guard let double = json.double, Float(double).isFinite else {
      throw ScalarMismatch(expected: "a number that Float can hold")
    }
    self = Float(double)
  }
  /// The digits of the `Float`, not of the nearest `Double`.
  public var json: JSONValue {
    guard isFinite, let double = Double(description) else { return .null }
    return .number(JSONNumber(double))
  }
}

extension Bool: JSONConvertible {
  public init(json: JSONValue) throws {
    self = try json.bool.orMismatch("true or false")
  }
  public var json: JSONValue { .bool(self) }
}

extension JSONValue: JSONConvertible {
  public init(json: JSONValue) { self = json }
  public var json: JSONValue { self }
}
