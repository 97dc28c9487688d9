/// The identifier of a type in a ``Schema``.
public struct TypeID: Hashable, Sendable, Comparable {
  /// The index of the type in ``Schema/types``.
  public let index: UInt32

  /// Creates the identifier of the type at an index.
  public init(index: UInt32) { self.index = index }

  /// Orders types as in the schema.
  public static func < (left: TypeID, right: TypeID) -> Bool { left.index < right.index }
}

/// The type of a field, argument or variable with its named type resolved, such as `[User!]!`.
public struct ResolvedType: Hashable, Sendable {
  /// The innermost named type; `schema[type.named]` returns it.
  public let named: TypeID
  /// The list and non-null wrappers around the named type.
  public let shape: TypeShape

  /// Creates a type from a named type and its wrappers.
  public init(_ named: TypeID, shape: TypeShape = .named) {
    self.named = named
    self.shape = shape
  }

  /// Whether the outermost type is non-null.
  public var isNonNull: Bool { shape.isNonNull }
  /// Whether the outermost type is a list, nullable or not.
  public var isList: Bool { shape.isList }
  /// The non-null form of the type.
  public var nonNull: ResolvedType { ResolvedType(named, shape: shape.nonNull) }
  /// The nullable form of the type.
  public var nullable: ResolvedType { ResolvedType(named, shape: shape.nullable) }
  /// The type of the list's items, or `nil` if the type is not a list.
  public var item: ResolvedType? { shape.item.map { ResolvedType(named, shape: $0) } }
}
