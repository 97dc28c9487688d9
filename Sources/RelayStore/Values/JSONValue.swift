/// A JSON value as it was received: numbers keep their exact digits, objects their order.
///
/// Values from a server are at most as deep as the scanner's limit (512 unless configured), so
/// comparing and releasing one needs a bounded stack.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// The value for a key when this is an object that has one.
  public subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The element at a position when this is an array that has one.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let array) = self, array.indices.contains(index) { array[index] } else { nil }
  }

  /// The text when this is a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number when this is one.
  public var number: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The integer when this is a number that is one and fits.
  public var int: Int? { number?.int }

  /// The number as a floating-point value when this is one.
  public var double: Double? { number?.double }

  /// The truth value when this is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements when this is an array.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members when this is an object.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension JSONValue: Hashable {
  /// Strings are compared by their bytes, so that text in different Unicode normalization forms
  /// stays different; the order of an object's members does not matter.
  ///
  /// No recursion: it is as deep as who sent the values liked.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    var waiting: [(JSONValue, JSONValue)] = []
    var next: (JSONValue, JSONValue)? = (left, right)
    while let pair = next {
      switch pair {
      case (.null, .null): break
      case (.bool(let a), .bool(let b)): if a != b { return false }
      case (.number(let a), .number(let b)): if a != b { return false }
      case (.string(let a), .string(let b)): if !a.hasSameBytes(as: b) { return false }
      case (.array(let a), .array(let b)):
        if a.count != b.count { return false }
        for position in a.indices { waiting.append((a[position], b[position])) }
      case (.object(let a), .object(let b)):
        if a.count != b.count { return false }
        for member in a.members {
          guard let other = b[member.key] else { return false }
          waiting.append((member.value, other))
        }
      default: return false
      }
      next = waiting.popLast()
    }
    return true
  }

  /// No recursion, as in `==`.
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
        // In an order that does not depend on that of the members.
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
