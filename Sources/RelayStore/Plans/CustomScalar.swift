/// The Swift type of a custom scalar.
///
/// Name it in `customScalarTypes` of the configuration, or in the file `CustomScalars/<Name>.swift`;
/// generated properties then have it. The store keeps the server's JSON; each value is converted
/// once, when it is read. The standard types conform, and `Date`, `UUID`, `URL`, `Decimal`;
/// `JSONValue` is for scalars that may be anything.
///
///     struct Money: CustomScalar {
///       var cents: Int
///       init(json: JSONValue) throws {
///         guard let cents = json.int else { throw NotMoney() }
///         self.cents = cents
///       }
///       var json: JSONValue { .number(JSONNumber(cents)) }
///     }
public protocol CustomScalar: SlotValue, GraphQLInput, Hashable {
  /// The value from what the server sent, which is never null.
  ///
  /// It may run while the store is held: it must not call the environment.
  ///
  /// - Throws: Anything when the JSON is no such value: the field then has no value and an error of kind
  ///   ``FieldError/Kind/scalar``, with the thrown error as ``FieldError/underlying`` and the first 300
  ///   characters of its text in the message.
  init(json: JSONValue) throws
  /// The value as it is sent.
  var json: JSONValue { get }
}

extension CustomScalar {
  public init?(__slot: RowSlot) {
    guard case .scalar(let scalar) = __slot.value, let value = scalar as? Self else { return nil }
    self = value
  }

  public var __slot: RowSlot { RowSlot(.scalar(self)) }

  public var __json: JSONValue? { json }

  /// Whether both are the same value of the same type.
  func isEqual(to other: any CustomScalar) -> Bool { other as? Self == self }
}

/// The error of a standard scalar's initializer when the JSON is no such value.
struct ScalarMismatch: Error, CustomStringConvertible {
  /// What the JSON should be, as in "a whole number".
  let expected: String
  var description: String { "the JSON is not \(expected)" }
}

extension String: CustomScalar {
  /// Numbers keep the digits received, truth values and other JSON become text.
  public init(json: JSONValue) { self = json.string ?? json.description }
  public var json: JSONValue { .string(self) }
}

extension Int: CustomScalar {
  public init(json: JSONValue) throws {
    guard let int = json.int else { throw ScalarMismatch(expected: "a whole number") }
    self = int
  }
  public var json: JSONValue { .number(JSONNumber(self)) }
}

extension Double: CustomScalar {
  public init(json: JSONValue) throws {
    guard let double = json.double else { throw ScalarMismatch(expected: "a number") }
    self = double
  }
  public var json: JSONValue { isFinite ? .number(JSONNumber(self)) : .null }
}

extension Float: CustomScalar {
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

extension Bool: CustomScalar {
  public init(json: JSONValue) throws {
    guard let bool = json.bool else { throw ScalarMismatch(expected: "true or false") }
    self = bool
  }
  public var json: JSONValue { .bool(self) }
}

extension JSONValue: CustomScalar {
  public init(json: JSONValue) { self = json }
  public var json: JSONValue { self }
}
