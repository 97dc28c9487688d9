/// A run-time input value, such as a variable's value or an evaluated literal.
public enum InputValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case boolean(Bool)
  /// An integer.
  case int(Int)
  /// A number with a fraction, or too large for ``int(_:)``.
  case float(Double)
  /// A string, or the name of an enum value.
  case string(String)
  /// A list.
  case list([InputValue])
  /// An object, with its members in the given order.
  case object([Member])

  /// One member of an object.
  public struct Member: Hashable, Sendable {
    /// The member's name.
    public let name: String
    /// The member's value.
    public let value: InputValue

    /// Creates a member.
    public init(_ name: String, _ value: InputValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of an object's last member named `name`; `nil` if this is not an object.
  public subscript(name: String) -> InputValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }
}

extension InputValue: CustomStringConvertible {
  /// The value as JSON.
  public var description: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): "\(number)"
    case .string(let text): JSONString.quote(text)
    case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(JSONString.quote($0.name)): \($0.value)" }.joined(separator: ", ")
        + "}"
    }
  }
}
