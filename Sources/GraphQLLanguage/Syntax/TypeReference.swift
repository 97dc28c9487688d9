/// The lists and non-null marks around a named type: `[_!]!` of `[User!]!`.
///
/// An integer inside, so comparing and storing shapes costs nothing; the same shape serves for references in documents and for
/// resolved types of a schema.
public struct TypeShape: Hashable, Sendable {
  /// The deepest nesting of lists that can be expressed.
  public static let listDepthLimit = 56

  /// Bit 0 tells whether the named type is non-null, bit *n* whether the *n*-th list around it is, counted from the inside. A
  /// last 1 bit marks the end.
  private let bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  /// A nullable named type.
  public static let named = TypeShape(bits: 0b10)

  private var top: Int { 63 - bits.leadingZeroBitCount }
  private var outermost: UInt64 { 1 << UInt64(top - 1) }

  /// How many lists are around the named type.
  public var listDepth: Int { top - 1 }
  /// True when the type, seen from outside, is a list or a non-null list.
  public var isList: Bool { top > 1 }
  /// True when the type, seen from outside, is non-null.
  public var isNonNull: Bool { bits & outermost != 0 }

  /// The same type, non-null.
  public var nonNull: TypeShape { TypeShape(bits: bits | outermost) }
  /// The same type without an outer non-null mark.
  public var nullable: TypeShape { TypeShape(bits: bits & ~outermost) }
  /// A nullable list of this type, or `nil` when it would nest deeper than ``listDepthLimit``.
  public var list: TypeShape? {
    guard listDepth < Self.listDepthLimit else { return nil }
    return TypeShape(bits: bits + (1 << UInt64(top)))
  }
  /// The type of the list's items, or `nil` when this is not a list.
  public var item: TypeShape? {
    guard isList else { return nil }
    let end: UInt64 = 1 << UInt64(top - 1)
    return TypeShape(bits: bits & (end - 1) | end)
  }

  /// The type as GraphQL writes it around a name: `[User!]!`.
  public func text(around name: String) -> String {
    var text = String(repeating: "[", count: listDepth) + name
    for level in 0...listDepth {
      if level > 0 { text += "]" }
      if bits & (1 << UInt64(level)) != 0 { text += "!" }
    }
    return text
  }
}

/// A type as documents write it: `[User!]!`.
public struct TypeReference: Hashable, Sendable {
  /// The named type inside.
  public let name: Name
  /// The lists and non-null marks around it.
  public let shape: TypeShape
  /// From the first `[` or the name to the end.
  public let span: Span

  /// A reference to a type.
  public init(_ name: Name, shape: TypeShape = .named, span: Span = .none) {
    self.name = name
    self.shape = shape
    self.span = span
  }
}
