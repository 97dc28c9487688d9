/// A value literal or a variable, as written.
public struct Value: Hashable, Sendable {
  /// What the value is.
  public let kind: Kind
  /// Where the value stands.
  public let span: Span

  /// The kinds of values.
  public enum Kind: Hashable, Sendable {
    /// `$name`; the symbol is without the `$`.
    case variable(Symbol)
    /// An integer; the symbol is its text, such as `-12`.
    case int(Symbol)
    /// A number with a fraction or an exponent; the symbol is its text, such as `1.5e3`.
    case float(Symbol)
    /// A string, with its escapes resolved. `isBlock` is true when it was written as a block string.
    case string(String, isBlock: Bool)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`
    case null
    /// An enum value's name.
    case enumValue(Symbol)
    /// `[…]`
    case list([Value])
    /// `{…}`, in the order written; names may repeat.
    case object([ObjectField])
  }

  /// A value at a place.
  public init(_ kind: Kind, span: Span = .none) {
    self.kind = kind
    self.span = span
  }
}

/// One `name: value` of an object value.
public struct ObjectField: Hashable, Sendable {
  /// The field's name.
  public let name: Name
  /// The field's value.
  public let value: Value
  /// From the name to the end of the value.
  public let span: Span

  /// One `name: value`.
  public init(name: Name, value: Value, span: Span = .none) {
    self.name = name
    self.value = value
    self.span = span
  }
}

/// One `name: value` of a field or directive.
public struct Argument: Hashable, Sendable {
  /// The argument's name.
  public let name: Name
  /// The argument's value.
  public let value: Value
  /// From the name to the end of the value.
  public let span: Span

  /// One `name: value`.
  public init(name: Name, value: Value, span: Span = .none) {
    self.name = name
    self.value = value
    self.span = span
  }
}

/// `@name(arguments)`
public struct Directive: Hashable, Sendable {
  /// The name, without the `@`.
  public let name: Name
  /// The arguments, in the order written.
  public let arguments: [Argument]
  /// From the `@` to the end of the arguments.
  public let span: Span

  /// `@name(arguments)`
  public init(name: Name, arguments: [Argument] = [], span: Span = .none) {
    self.name = name
    self.arguments = arguments
    self.span = span
  }
}

/// The string before a definition that describes it.
public struct Description: Hashable, Sendable {
  /// The text, with its escapes resolved and its indentation stripped.
  public let text: String
  /// True when it was written as a block string.
  public let isBlock: Bool
  /// Where the string stands, with its quotes.
  public let span: Span

  /// A description.
  public init(_ text: String, isBlock: Bool = true, span: Span = .none) {
    self.text = text
    self.isBlock = isBlock
    self.span = span
  }
}
