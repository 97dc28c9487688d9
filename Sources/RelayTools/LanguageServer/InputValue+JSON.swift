import GraphQLLanguage

/// A JSON value in a message.
typealias JSON = InputValue

extension InputValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a list.
  public init(arrayLiteral elements: InputValue...) { self = .list(elements) }
  /// Creates an object; its members keep the literal's order.
  public init(dictionaryLiteral elements: (String, InputValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }

  /// The integer; `nil` for other values. A number without a fraction counts as an integer.
  var integer: Int? {
    switch self {
    case .int(let number): number
    case .float(let number): Int(exactly: number)
    default: nil
    }
  }

  /// Whether the value is `true`.
  var isTrue: Bool { self == .boolean(true) }

  /// Returns the object with one more member; other values are returned unchanged.
  func adding(_ name: String, _ value: InputValue) -> InputValue {
    guard case .object(let members) = self else { return self }
    return .object(members + [Member(name, value)])
  }
}
