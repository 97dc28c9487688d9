/// A named type of a ``Schema``: its definition merged with its extensions, and its members' types
/// resolved.
///
/// Members that do not apply to a kind are empty: a union has only ``memberTypes``, an enum only
/// ``enumValues``.
public final class NamedType: Sendable, NamedElement {
  /// The type's identifier, its index in ``Schema/types``.
  public let id: TypeID
  /// The type's definition, without its extensions.
  public let definition: TypeDefinition
  /// The type's extensions, in source order.
  public let extensions: [TypeDefinition]
  /// The interfaces that an object or interface implements, in source order.
  public let interfaces: [TypeID]
  /// The fields of an object or interface, without `__typename`.
  public let fields: NamedList<SchemaField>
  /// The member types of a union, in source order.
  public let memberTypes: [TypeID]
  /// The values of an enum.
  public let enumValues: NamedList<SchemaEnumValue>
  /// The fields of an input object.
  public let inputFields: NamedList<SchemaInputValue>
  /// The unions that include an object.
  let unions: [TypeID]
  /// Whether the type is a standard scalar or an introspection type.
  public let isBuiltIn: Bool

  init(
    id: TypeID, definition: TypeDefinition, extensions: [TypeDefinition], members: TypeMembers,
    isBuiltIn: Bool
  ) {
    self.id = id
    self.definition = definition
    self.extensions = extensions
    self.isBuiltIn = isBuiltIn
    interfaces = members.interfaces
    fields = NamedList(members.fields)
    memberTypes = members.memberTypes
    enumValues = NamedList(members.enumValues)
    inputFields = NamedList(members.inputFields)
    unions = members.unions
  }

  /// The type's name.
  public var symbol: Symbol { definition.name.symbol }
  /// The kind of type.
  public var kind: TypeDefinition.Kind { definition.kind }
  /// The type's description.
  public var description: String? { definition.description?.text }

  /// Returns the field named `symbol`. To find meta-fields too, use ``Schema/field(named:on:)``.
  ///
  /// - Complexity: O(1).
  public func field(named symbol: Symbol) -> SchemaField? { fields[named: symbol] }

  /// Whether a field of the type has a selection set: an object, interface or union.
  public var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
  /// Whether the type has possible types other than itself: an interface or union.
  public var isAbstract: Bool { kind == .interface || kind == .union }
  /// Whether a field of the type has no selection set: a scalar or enum.
  public var isLeaf: Bool { kind == .scalar || kind == .enum }
  /// Whether an argument or variable can have the type: a scalar, enum or input object.
  public var isInput: Bool { isLeaf || kind == .inputObject }
  /// Whether a field can have the type: every kind except an input object.
  public var isOutput: Bool { kind != .inputObject }

  /// The directives of the definition, then the directives of the extensions.
  public var directives: [Directive] {
    extensions.isEmpty
      ? definition.directives : definition.directives + extensions.flatMap(\.directives)
  }

  /// Whether the type is a `@oneOf` input object, which takes exactly one field.
  public var isOneOf: Bool { kind == .inputObject && directives[named: .oneOf] != nil }
}

/// The merged members of a type under construction.
struct TypeMembers {
  var interfaces: [TypeID] = []
  var fields: [SchemaField] = []
  var memberTypes: [TypeID] = []
  var enumValues: [SchemaEnumValue] = []
  var inputFields: [SchemaInputValue] = []
  var unions: [TypeID] = []
}
