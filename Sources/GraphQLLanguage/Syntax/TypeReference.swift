/// The list and non-null wrappers around a named type, such as `[_!]!` in `[User!]!`.
///
/// A shape is a single integer, so it is cheap to copy and compare. Type references in documents
/// and resolved types in a schema use the same shapes.
public struct TypeShape: Hashable, Sendable {
  /// The maximum nesting depth of lists.
  public static let listDepthLimit = 56

  /// The wrappers, innermost first. Bit 0 is set if the named type is non-null, and bit *n* if the
  /// *n*-th list around it is. The highest set bit is a sentinel.
  private let bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  /// A nullable named type.
  public static let named = TypeShape(bits: 0b10)

  private var top: Int { 63 - bits.leadingZeroBitCount }
  private var outermost: UInt64 { 1 << UInt64(top - 1) }

  /// The number of lists around the named type.
  public var listDepth: Int { top - 1 }
  /// Whether the outermost type is a list, nullable or not.
  public var isList: Bool { top > 1 }
  /// Whether the outermost type is non-null.
  public var isNonNull: Bool { bits & outermost != 0 }

  /// The non-null form of the type.
  public var nonNull: TypeShape { TypeShape(bits: bits | outermost) }
  /// The nullable form of the type.
  public var nullable: TypeShape { TypeShape(bits: bits & ~outermost) }
  /// The nullable list of the type, or `nil` if it would nest deeper than ``listDepthLimit``.
  public var list: TypeShape? {
    guard listDepth < Self.listDepthLimit else { return nil }
    return TypeShape(bits: bits + (1 << UInt64(top)))
  }
  /// The type of the list's items, or `nil` if the type is not a list.
  public var item: TypeShape? {
    guard isList else { return nil }
    let end: UInt64 = 1 << UInt64(top - 1)
    return TypeShape(bits: bits & (end - 1) | end)
  }

  /// Returns the wrappers around the named type `name` in GraphQL syntax, such as `[User!]!`.
  public func text(around name: String) -> String {
    var text = String(repeating: "[", count: listDepth) + name
    for level in 0...listDepth {
      if level > 0 { text += "]" }
      if bits & (1 << UInt64(level)) != 0 { text += "!" }
    }
    return text
  }
}

/// A type reference in a document, such as `[User!]!`.
public struct TypeReference: Hashable, Sendable {
  /// The innermost named type.
  public let name: Name
  /// The list and non-null wrappers around the named type.
  public let shape: TypeShape
  /// The source range, including the wrappers.
  public let span: Span

  /// Creates a type reference.
  public init(_ name: Name, shape: TypeShape = .named, span: Span = .none) {
    self.name = name
    self.shape = shape
    self.span = span
  }
}
