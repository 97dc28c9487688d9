/// A value literal or a variable in a document.
public struct Value: Hashable, Sendable {
  /// The kind of value, with its content.
  public let kind: Kind
  /// The source range of the value.
  public let span: Span

  /// The kinds of values.
  public enum Kind: Hashable, Sendable {
    /// `$name`; the symbol excludes the `$`.
    case variable(Symbol)
    /// An integer; the symbol is its spelling, such as `-12`.
    case int(Symbol)
    /// A number with a fraction or an exponent; the symbol is its spelling, such as `1.5e3`.
    case float(Symbol)
    /// A string with its escapes resolved. `isBlock` is true for block strings.
    indirect case string(String, isBlock: Bool)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`
    case null
    /// An enum value's name.
    case enumValue(Symbol)
    /// `[…]`
    case list([Value])
    /// `{…}`, with the fields in source order. A name can occur more than once.
    case object([ObjectField])
  }

  /// Creates a value.
  public init(_ kind: Kind, span: Span = .none) {
    self.kind = kind
    self.span = span
  }

  // Not inlined, to avoid a copy in every type that contains values.
  @inline(never)
  public static func == (left: Value, right: Value) -> Bool {
    left.kind == right.kind && left.span == right.span
  }
}

/// A field of an input object value: `name: value`.
public struct ObjectField: Hashable, Sendable {
  /// The field's name.
  public let name: Name
  /// The field's value.
  public let value: Value
  /// The source range, from the name to the end of the value.
  public let span: Span

  /// Creates a `name: value` pair.
  public init(name: Name, value: Value, span: Span = .none) {
    self.name = name
    self.value = value
    self.span = span
  }
}

/// An argument of a field or directive: `name: value`.
public struct Argument: Hashable, Sendable {
  /// The argument's name.
  public let name: Name
  /// The argument's value.
  public let value: Value
  /// The source range, from the name to the end of the value.
  public let span: Span

  /// Creates a `name: value` pair.
  public init(name: Name, value: Value, span: Span = .none) {
    self.name = name
    self.value = value
    self.span = span
  }
}

/// A directive on a definition or selection: `@name(arguments)`.
public struct Directive: Hashable, Sendable {
  /// The name, without the `@`.
  public let name: Name
  /// The arguments, in source order.
  public let arguments: [Argument]
  /// The source range, from the `@` to the end of the arguments.
  public let span: Span

  /// Creates a directive.
  public init(name: Name, arguments: [Argument] = [], span: Span = .none) {
    self.name = name
    self.arguments = arguments
    self.span = span
  }
}

/// The description of a definition: the string before it.
public struct Description: Hashable, Sendable {
  /// The description with its escapes resolved and, for a block string, the common indentation
  /// removed.
  public let text: String
  /// Whether the description is a block string.
  public let isBlock: Bool
  /// The source range, including the quotes.
  public let span: Span

  /// Creates a description.
  public init(_ text: String, isBlock: Bool = true, span: Span = .none) {
    self.text = text
    self.isBlock = isBlock
    self.span = span
  }
}
