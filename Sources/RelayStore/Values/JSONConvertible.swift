/// A value that a response has as JSON: the conversions that ``CustomScalar`` is made of.
///
/// Conform to ``CustomScalar``, which generated properties need.
public protocol JSONConvertible: Sendable, Hashable {
  /// Converts the JSON of a response, which is never null.
  ///
  /// The store may call it while it holds its lock: it must not call the environment.
  ///
  /// - Throws: Any error when the JSON is not such a value. The field then has no value and an error
  ///   of kind ``FieldError/Kind/scalar``, with the thrown error as ``FieldError/underlying`` and
  ///   the first 300 characters of its text in the message.
  init(json: JSONValue) throws
  /// The JSON of the value, as a variable sends it.
  var json: JSONValue { get }
}

extension JSONConvertible {
  /// Whether both are the same value of the same type.
  func isEqual(to other: any JSONConvertible) -> Bool { other as? Self == self }
}

/// The error of a standard scalar's initializer when the JSON is no such value.
struct ScalarMismatch: Error, CustomStringConvertible {
  /// What the JSON should be, as in "a whole number".
  let expected: String
  var description: String { "the JSON is not \(expected)" }
}

extension String: JSONConvertible {
  /// Numbers keep the digits received, truth values and other JSON become text.
  public init(json: JSONValue) { self = json.string ?? json.description }
  public var json: JSONValue { .string(self) }
}

extension Int: JSONConvertible {
  public init(json: JSONValue) throws {
    guard let int = json.int else { throw ScalarMismatch(expected: "a whole number") }
    self = int
  }
  public var json: JSONValue { .number(JSONNumber(self)) }
}

extension Double: JSONConvertible {
  public init(json: JSONValue) throws {
    guard let double = json.double else { throw ScalarMismatch(expected: "a number") }
    self = double
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
  /// With the digits of the `Float` and not those of the nearest `Double`.
  public var json: JSONValue {
    guard isFinite, let double = Double(description) else { return .null }
    return .number(JSONNumber(double))
  }
}

extension Bool: JSONConvertible {
  public init(json: JSONValue) throws {
    guard let bool = json.bool else { throw ScalarMismatch(expected: "true or false") }
    self = bool
  }
  public var json: JSONValue { .bool(self) }
}

extension JSONValue: JSONConvertible {
  public init(json: JSONValue) { self = json }
  public var json: JSONValue { self }
}
