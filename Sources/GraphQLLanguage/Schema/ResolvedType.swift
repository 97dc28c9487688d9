/// Names one type of a ``Schema``: its position among the schema's types.
public struct TypeID: Hashable, Sendable, Comparable {
  /// The position in ``Schema/types``.
  public let index: UInt32

  /// The type at a position.
  public init(index: UInt32) { self.index = index }

  /// Types in the order of the schema.
  public static func < (left: TypeID, right: TypeID) -> Bool { left.index < right.index }
}

/// The type of a field, argument or variable, with its named type looked up: `[User!]!`.
public struct ResolvedType: Hashable, Sendable {
  /// The named type inside; `schema[type.named]` has the type itself.
  public let named: TypeID
  /// The lists and non-null marks around it.
  public let shape: TypeShape

  /// A shape around a named type.
  public init(_ named: TypeID, shape: TypeShape = .named) {
    self.named = named
    self.shape = shape
  }

  /// True when the type, seen from outside, is non-null.
  public var isNonNull: Bool { shape.isNonNull }
  /// True when the type, seen from outside, is a list or a non-null list.
  public var isList: Bool { shape.isList }
  /// The same type, non-null.
  public var nonNull: ResolvedType { ResolvedType(named, shape: shape.nonNull) }
  /// The same type without an outer non-null mark.
  public var nullable: ResolvedType { ResolvedType(named, shape: shape.nullable) }
  /// The type of the list's items, or `nil` when this is not a list.
  public var item: ResolvedType? { shape.item.map { ResolvedType(named, shape: $0) } }
}
