/// `schema {…}` or `extend schema`
public struct SchemaDefinition: Hashable, Sendable {
  /// True for `extend schema`.
  public var isExtension: Bool
  /// The string before the definition.
  public var description: Description?
  /// The directives, in the order written.
  public var directives: [Directive]
  /// The root types, in the order written.
  public var operationTypes: [OperationTypeDefinition]
  /// Where the definition stands.
  public var span: Span

  /// A schema definition or extension.
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

/// `query: Type` in a schema definition.
public struct OperationTypeDefinition: Hashable, Sendable {
  /// The kind of operation.
  public var operation: OperationType
  /// The name of its root type.
  public var type: Name
  /// Where the entry stands.
  public var span: Span

  /// `query: Type`
  public init(operation: OperationType, type: Name, span: Span = .none) {
    self.operation = operation
    self.type = type
    self.span = span
  }
}

/// The definition or extension of a named type, of any kind.
///
/// Parts that a kind does not have are empty: a union has only ``memberTypes``, an enum only ``enumValues``.
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
  /// True for `extend`.
  public var isExtension: Bool
  /// The string before the definition.
  public var description: Description?
  /// The type's name.
  public var name: Name
  /// The interfaces after `implements`, of objects and interfaces.
  public var interfaces: [Name]
  /// The directives, in the order written.
  public var directives: [Directive]
  /// The fields of objects and interfaces.
  public var fields: [FieldDefinition]
  /// The members of unions.
  public var memberTypes: [Name]
  /// The values of enums.
  public var enumValues: [EnumValueDefinition]
  /// The fields of input objects.
  public var inputFields: [InputValueDefinition]
  /// Where the definition stands.
  public var span: Span

  /// The definition or extension of a type.
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

/// `name(arguments): Type @directives`
public struct FieldDefinition: Hashable, Sendable {
  /// The string before the field.
  public var description: Description?
  /// The field's name.
  public var name: Name
  /// The arguments, in the order written.
  public var arguments: [InputValueDefinition]
  /// The field's type.
  public var type: TypeReference
  /// The directives, in the order written.
  public var directives: [Directive]
  /// Where the definition stands.
  public var span: Span

  /// A field's definition.
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

/// `name: Type = default @directives`: an argument, or a field of an input object.
public struct InputValueDefinition: Hashable, Sendable {
  /// The string before the definition.
  public var description: Description?
  /// The argument's or field's name.
  public var name: Name
  /// Its type.
  public var type: TypeReference
  /// The value it has when none is given.
  public var defaultValue: Value?
  /// The directives, in the order written.
  public var directives: [Directive]
  /// Where the definition stands.
  public var span: Span

  /// The definition of an argument or input field.
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

/// One value of an enum.
public struct EnumValueDefinition: Hashable, Sendable {
  /// The string before the value.
  public var description: Description?
  /// The value's name.
  public var name: Name
  /// The directives, in the order written.
  public var directives: [Directive]
  /// Where the definition stands.
  public var span: Span

  /// One value of an enum.
  public init(
    description: Description? = nil, name: Name, directives: [Directive] = [], span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.span = span
  }
}

/// `directive @name(arguments) repeatable on LOCATION | …`
public struct DirectiveDefinition: Hashable, Sendable {
  /// The string before the definition.
  public var description: Description?
  /// The directive's name, without the `@`.
  public var name: Name
  /// The arguments, in the order written.
  public var arguments: [InputValueDefinition]
  /// True when it may stand more than once at one place.
  public var isRepeatable: Bool
  /// Where it may stand, in the order written.
  public var locations: [DirectiveLocation]
  /// Where the definition stands.
  public var span: Span

  /// A directive's definition.
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
