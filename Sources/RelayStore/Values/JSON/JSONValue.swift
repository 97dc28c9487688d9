/// A JSON value as received: numbers retain their exact digits, and objects retain their order.
///
/// Values from a server are at most as deep as the scanner's limit (512 unless configured), so
/// comparing and releasing one needs a bounded stack.
///
/// The `nil` literal is ``null``, so that payloads and arguments can be written as JSON: in
/// `["nick": nil]` the member is null, not omitted. The same is true in a conditional expression
/// next to a `JSONValue`, even where a `JSONValue?` is expected: `isKnown ? name : nil` always has
/// a value. Write `.none` there, or `if isKnown { name } else { nil }`.
public enum JSONValue: Sendable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A number with its original digits.
  case number(JSONNumber)
  /// A string, without its quotes and escapes.
  case string(String)
  /// The elements of an array.
  case array([JSONValue])
  /// The members of an object, in their order.
  case object(JSONObject)
}

extension JSONValue {
  /// The value for a key, if this is an object with that key.
  public subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The element at an index, if this is an array with that index.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let array) = self, array.indices.contains(index) { array[index] } else { nil }
  }

  /// The string, if this is a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number, if this is a number.
  public var number: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number as an integer, if it is one in the range of `Int`.
  public var int: Int? { number?.int }

  /// The number as a floating-point value, if this is a finite number.
  public var double: Double? { number?.double }

  /// The number, if this is a number or a string that contains one: some servers send `12.50`, some
  /// `"12.50"`.
  ///
  /// Its ``JSONNumber/digits`` are the ones received, for types that parse strings.
  public var numeric: JSONNumber? { number ?? string.flatMap { JSONNumber($0) } }

  /// The Boolean, if this is `true` or `false`.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, if this is an array.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members, if this is an object.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension JSONValue: Hashable {
  /// Compares strings by their bytes, so strings in different Unicode normalization forms differ.
  /// The order of an object's members does not matter.
  ///
  /// Iterative rather than recursive, because the sender chooses the depth.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    // The pairs of arrays or objects still to be compared.
    var waiting: [(JSONValue, JSONValue)] = []
    guard isSame(left, right, but: &waiting) else { return false }
    while let pair = waiting.popLast() {
      switch pair {
      case (.array(let a), .array(let b)):
        if a.count != b.count { return false }
        for position in a.indices {
          guard isSame(a[position], b[position], but: &waiting) else { return false }
        }
      case (.object(let a), .object(let b)):
        if a.count != b.count { return false }
        for member in a.members {
          guard let other = b[member.key], isSame(member.value, other, but: &waiting) else {
            return false
          }
        }
      default: return false
      }
    }
    return true
  }

  /// Compares two values, except the contents of arrays and objects: it appends those to `waiting`.
  private static func isSame(
    _ left: JSONValue, _ right: JSONValue, but waiting: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.number(let a), .number(let b)): return a == b
    case (.string(let a), .string(let b)): return a.hasSameBytes(as: b)
    case (.array(let a), .array(let b)) where a.isEmpty && b.isEmpty: return true
    case (.object(let a), .object(let b)) where a.isEmpty && b.isEmpty: return true
    case (.array, .array), (.object, .object):
      waiting.append((left, right))
      return true
    default: return false
    }
  }

  /// Hashes the value iteratively, like `==`.
  public func hash(into hasher: inout Hasher) {
    var waiting: [JSONValue] = []
    var next: JSONValue? = self
    while let value = next {
      switch value {
      case .null: hasher.combine(0 as UInt8)
      case .bool(let value): hasher.combine(value)
      case .number(let value): hasher.combine(value)
      case .string(let value): value.hashBytes(into: &hasher)
      case .array(let values):
        hasher.combine(values.count)
        waiting += values
      case .object(let object):
        hasher.combine(object.count)
        // Sorted, because the hash must not depend on the order of the members.
        let members =
          object.count < 2
          ? object.members : object.members.sorted { $0.key.precedesByBytes($1.key) }
        for member in members {
          member.key.hashBytes(into: &hasher)
          waiting.append(member.value)
        }
      }
      next = waiting.popLast()
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { String(decoding: jsonBytes, as: UTF8.self) }

  /// The value as compact JSON in UTF-8.
  public var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }
}
