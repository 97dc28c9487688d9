/// A type of a ``Schema``: its definition and extensions merged, with the types of its members looked up.
///
/// Parts that a kind does not have are empty: a union has only ``memberTypes``, an enum only ``enumValues``.
public final class NamedType: Sendable, Named {
  /// The type's position in the schema.
  public let id: TypeID
  /// The definition as written.
  public let definition: TypeDefinition
  /// The extensions of the type, in the order written.
  public let extensions: [TypeDefinition]
  /// The interfaces an object or interface implements, in the order written.
  public let interfaces: [TypeID]
  /// The fields of an object or interface, without `__typename`.
  public let fields: NamedList<SchemaField>
  /// The members of a union, in the order written.
  public let memberTypes: [TypeID]
  /// The values of an enum.
  public let enumValues: NamedList<SchemaEnumValue>
  /// The fields of an input object.
  public let inputFields: NamedList<SchemaInputValue>
  /// The unions an object is a member of.
  let unions: [TypeID]
  /// True for the standard scalars and the types of introspection.
  public let isBuiltIn: Bool

  init(
    id: TypeID, definition: TypeDefinition, extensions: [TypeDefinition], parts: TypeParts,
    isBuiltIn: Bool
  ) {
    self.id = id
    self.definition = definition
    self.extensions = extensions
    self.isBuiltIn = isBuiltIn
    interfaces = parts.interfaces
    fields = NamedList(parts.fields)
    memberTypes = parts.memberTypes
    enumValues = NamedList(parts.enumValues)
    inputFields = NamedList(parts.inputFields)
    unions = parts.unions
  }

  /// The type's name.
  public var symbol: Symbol { definition.name.symbol }
  /// The kind of type.
  public var kind: TypeDefinition.Kind { definition.kind }
  /// What describes the type.
  public var description: String? { definition.description?.text }

  /// The field of a name, without the meta fields; ``Schema/field(named:on:)`` finds these too.
  ///
  /// - Complexity: O(1).
  public func field(named symbol: Symbol) -> SchemaField? { fields[named: symbol] }

  /// True for the kinds that have selections: object, interface and union.
  public var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
  /// True for the kinds that several objects may stand for: interface and union.
  public var isAbstract: Bool { kind == .interface || kind == .union }
  /// True for the kinds that end a selection: scalar and enum.
  public var isLeaf: Bool { kind == .scalar || kind == .enum }
  /// True for the kinds that arguments and variables may have.
  public var isInput: Bool { isLeaf || kind == .inputObject }
  /// True for the kinds that fields may have.
  public var isOutput: Bool { kind != .inputObject }

  /// The directives on the definition, then those of the extensions.
  public var directives: [Directive] {
    extensions.isEmpty
      ? definition.directives : definition.directives + extensions.flatMap(\.directives)
  }

  /// True for an input object of which exactly one field must be given.
  public var isOneOf: Bool { kind == .inputObject && directives[named: .oneOf] != nil }
}

/// The merged members of a type while a schema is built.
struct TypeParts {
  var interfaces: [TypeID] = []
  var fields: [SchemaField] = []
  var memberTypes: [TypeID] = []
  var enumValues: [SchemaEnumValue] = []
  var inputFields: [SchemaInputValue] = []
  var unions: [TypeID] = []
}
