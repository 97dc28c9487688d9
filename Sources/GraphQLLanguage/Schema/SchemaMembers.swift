/// A field of an object or interface with its types resolved.
public struct SchemaField: Sendable, NamedElement {
  /// The definition in the document, with its description, directives and spans.
  public let definition: FieldDefinition
  /// The field's type.
  public let type: ResolvedType
  /// The arguments, in schema order.
  public let arguments: NamedList<SchemaInputValue>

  /// The field's name.
  public var symbol: Symbol { definition.name.symbol }
  /// The field's description.
  public var description: String? { definition.description?.text }
  /// The directives on the field.
  public var directives: [Directive] { definition.directives }
  /// The reason for the field's deprecation, or `nil` if it is not deprecated.
  public var deprecationReason: String? { definition.directives.deprecationReason }
}

/// An argument or input field with its type resolved.
public struct SchemaInputValue: Sendable, NamedElement {
  /// The definition in the document, with its description, default value, directives and spans.
  public let definition: InputValueDefinition
  /// The type of the value.
  public let type: ResolvedType

  /// The argument's or field's name.
  public var symbol: Symbol { definition.name.symbol }
  /// The description of the argument or field.
  public var description: String? { definition.description?.text }
  /// The default value, used if no value is provided.
  public var defaultValue: Value? { definition.defaultValue }
  /// The directives on the argument or field.
  public var directives: [Directive] { definition.directives }
  /// The reason for the deprecation, or `nil` if the argument or field is not deprecated.
  public var deprecationReason: String? { definition.directives.deprecationReason }
  /// Whether a value is required: the type is non-null and there is no default value.
  public var isRequired: Bool { type.isNonNull && definition.defaultValue == nil }
}

/// A value of an enum.
public struct SchemaEnumValue: Sendable, NamedElement {
  /// The definition in the document.
  public let definition: EnumValueDefinition

  /// The value's name.
  public var symbol: Symbol { definition.name.symbol }
  /// The value's description.
  public var description: String? { definition.description?.text }
  /// The reason for the value's deprecation, or `nil` if it is not deprecated.
  public var deprecationReason: String? { definition.directives.deprecationReason }
}

/// A directive that documents can use, with the types of its arguments resolved.
public struct SchemaDirective: Sendable, NamedElement {
  /// The definition in the document.
  public let definition: DirectiveDefinition
  /// The arguments, in schema order.
  public let arguments: NamedList<SchemaInputValue>
  /// Whether the definition is built in, like the one for `@include`.
  public let isBuiltIn: Bool

  /// The name, without the `@`.
  public var symbol: Symbol { definition.name.symbol }
  /// The directive's description.
  public var description: String? { definition.description?.text }
  /// Whether the directive is `repeatable`: allowed more than once at one location.
  public var isRepeatable: Bool { definition.isRepeatable }
  /// The locations where the directive is allowed.
  public var locations: [DirectiveLocation] { definition.locations }
}

extension [Directive] {
  /// The first directive named `symbol`.
  public subscript(named symbol: Symbol) -> Directive? { first { $0.name.symbol == symbol } }

  /// The reason in the `@deprecated` directive, or `nil` without that directive.
  var deprecationReason: String? {
    guard let directive = self[named: .deprecated] else { return nil }
    for argument in directive.arguments where argument.name.symbol == .reason {
      if case .string(let reason, _) = argument.value.kind { return reason }
    }
    return "No longer supported"
  }
}
