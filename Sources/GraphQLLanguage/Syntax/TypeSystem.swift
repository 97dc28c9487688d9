/// The definition or extension of a schema: `schema {…}` or `extend schema`.
public struct SchemaDefinition: Hashable, Sendable {
  /// Whether this is an extension: `extend schema`.
  public var isExtension: Bool
  /// The description before the definition.
  public var description: Description?
  /// The directives, in source order.
  public var directives: [Directive]
  /// The root operation types, in source order.
  public var operationTypes: [OperationTypeDefinition]
  /// The source range of the definition.
  public var span: Span

  /// Creates a schema definition or extension.
  public init(
    isExtension: Bool = false, description: Description? = nil, directives: [Directive] = [],
    operationTypes: [OperationTypeDefinition] = [], span: Span = .none
  ) {
    self.isExtension = isExtension
    self.description = description
    self.directives = directives
    self.operationTypes = operationTypes
    self.span = span
  }
}

/// A root operation type of a schema definition: `query: Type`.
public struct OperationTypeDefinition: Hashable, Sendable {
  /// The operation type.
  public var operation: OperationType
  /// The name of the root type.
  public var type: Name
  /// The source range of the entry.
  public var span: Span

  /// Creates a root operation type.
  public init(operation: OperationType, type: Name, span: Span = .none) {
    self.operation = operation
    self.type = type
    self.span = span
  }
}

/// The definition or extension of a named type, of any kind.
///
/// Members that do not apply to a kind are empty: a union has only ``memberTypes``, an enum only
/// ``enumValues``.
public struct TypeDefinition: Hashable, Sendable {
  /// The kinds of named types.
  public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
    /// `scalar`
    case scalar
    /// `type`
    case object
    /// `interface`
    case interface
    /// `union`
    case union
    /// `enum`
    case `enum`
    /// `input`
    case inputObject
  }

  /// The kind of type.
  public var kind: Kind
  /// Whether this is an extension: `extend`.
  public var isExtension: Bool
  /// The description before the definition.
  public var description: Description?
  /// The type's name.
  public var name: Name
  /// The interfaces that an object or interface implements.
  public var interfaces: [Name]
  /// The directives, in source order.
  public var directives: [Directive]
  /// The fields of an object or interface.
  public var fields: [FieldDefinition]
  /// The member types of a union.
  public var memberTypes: [Name]
  /// The values of an enum.
  public var enumValues: [EnumValueDefinition]
  /// The fields of an input object.
  public var inputFields: [InputValueDefinition]
  /// The source range of the definition.
  public var span: Span

  /// Creates the definition or extension of a type.
  public init(
    kind: Kind, isExtension: Bool = false, description: Description? = nil, name: Name,
    interfaces: [Name] = [], directives: [Directive] = [], fields: [FieldDefinition] = [],
    memberTypes: [Name] = [], enumValues: [EnumValueDefinition] = [],
    inputFields: [InputValueDefinition] = [], span: Span = .none
  ) {
    self.kind = kind
    self.isExtension = isExtension
    self.description = description
    self.name = name
    self.interfaces = interfaces
    self.directives = directives
    self.fields = fields
    self.memberTypes = memberTypes
    self.enumValues = enumValues
    self.inputFields = inputFields
    self.span = span
  }
}

/// The definition of a field: `name(arguments): Type @directives`.
public struct FieldDefinition: Hashable, Sendable {
  /// The description before the field.
  public var description: Description?
  /// The field's name.
  public var name: Name
  /// The arguments, in source order.
  public var arguments: [InputValueDefinition]
  /// The field's type.
  public var type: TypeReference
  /// The directives, in source order.
  public var directives: [Directive]
  /// The source range of the definition.
  public var span: Span

  /// Creates a field definition.
  public init(
    description: Description? = nil, name: Name, arguments: [InputValueDefinition] = [],
    type: TypeReference, directives: [Directive] = [], span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.type = type
    self.directives = directives
    self.span = span
  }
}

/// The definition of an argument or input field: `name: Type = default @directives`.
public struct InputValueDefinition: Hashable, Sendable {
  /// The description before the definition.
  public var description: Description?
  /// The argument's or field's name.
  public var name: Name
  /// The type of the argument or field.
  public var type: TypeReference
  /// The default value, used if no value is provided.
  public var defaultValue: Value?
  /// The directives, in source order.
  public var directives: [Directive]
  /// The source range of the definition.
  public var span: Span

  /// Creates the definition of an argument or input field.
  public init(
    description: Description? = nil, name: Name, type: TypeReference, defaultValue: Value? = nil,
    directives: [Directive] = [], span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.span = span
  }
}

/// The definition of an enum value.
public struct EnumValueDefinition: Hashable, Sendable {
  /// The description before the value.
  public var description: Description?
  /// The value's name.
  public var name: Name
  /// The directives, in source order.
  public var directives: [Directive]
  /// The source range of the definition.
  public var span: Span

  /// Creates an enum value definition.
  public init(
    description: Description? = nil, name: Name, directives: [Directive] = [], span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.span = span
  }
}

/// The definition of a directive: `directive @name(arguments) repeatable on LOCATION | …`.
public struct DirectiveDefinition: Hashable, Sendable {
  /// The description before the definition.
  public var description: Description?
  /// The directive's name, without the `@`.
  public var name: Name
  /// The arguments, in source order.
  public var arguments: [InputValueDefinition]
  /// Whether the directive is `repeatable`: allowed more than once at one location.
  public var isRepeatable: Bool
  /// The allowed locations, in source order.
  public var locations: [DirectiveLocation]
  /// The source range of the definition.
  public var span: Span

  /// Creates a directive definition.
  public init(
    description: Description? = nil, name: Name, arguments: [InputValueDefinition] = [],
    isRepeatable: Bool = false, locations: [DirectiveLocation], span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.isRepeatable = isRepeatable
    self.locations = locations
    self.span = span
  }
}
