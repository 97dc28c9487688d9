/// A field of an object or interface, with its types looked up.
public struct SchemaField: Sendable, Named {
  /// The definition as written: name, description, directives, places.
  public let definition: FieldDefinition
  /// The field's type.
  public let type: ResolvedType
  /// The arguments, in the order of the schema.
  public let arguments: NamedList<SchemaInputValue>

  /// The field's name.
  public var symbol: Symbol { definition.name.symbol }
  /// What describes the field.
  public var description: String? { definition.description?.text }
  /// The directives on the field.
  public var directives: [Directive] { definition.directives }
  /// Why the field should not be used, or `nil` when it is not deprecated.
  public var deprecationReason: String? { definition.directives.deprecationReason }
}

/// An argument, or a field of an input object, with its type looked up.
public struct SchemaInputValue: Sendable, Named {
  /// The definition as written: name, description, default value, directives, places.
  public let definition: InputValueDefinition
  /// The type of the value.
  public let type: ResolvedType

  /// The argument's or field's name.
  public var symbol: Symbol { definition.name.symbol }
  /// What describes it.
  public var description: String? { definition.description?.text }
  /// The value it has when none is given.
  public var defaultValue: Value? { definition.defaultValue }
  /// The directives on it.
  public var directives: [Directive] { definition.directives }
  /// Why it should not be used, or `nil` when it is not deprecated.
  public var deprecationReason: String? { definition.directives.deprecationReason }
  /// True when a value must be given: the type is non-null and there is no default.
  public var isRequired: Bool { type.isNonNull && definition.defaultValue == nil }
}

/// A value of an enum.
public struct SchemaEnumValue: Sendable, Named {
  /// The definition as written.
  public let definition: EnumValueDefinition

  /// The value's name.
  public var symbol: Symbol { definition.name.symbol }
  /// What describes the value.
  public var description: String? { definition.description?.text }
  /// Why the value should not be used, or `nil` when it is not deprecated.
  public var deprecationReason: String? { definition.directives.deprecationReason }
}

/// A directive that documents may use, with its types looked up.
public struct SchemaDirective: Sendable, Named {
  /// The definition as written.
  public let definition: DirectiveDefinition
  /// The arguments, in the order of the schema.
  public let arguments: NamedList<SchemaInputValue>
  /// True for those every schema has, such as `@include`.
  public let isBuiltIn: Bool

  /// The name, without the `@`.
  public var symbol: Symbol { definition.name.symbol }
  /// What describes the directive.
  public var description: String? { definition.description?.text }
  /// True when it may stand more than once at one place.
  public var isRepeatable: Bool { definition.isRepeatable }
  /// Where it may stand.
  public var locations: [DirectiveLocation] { definition.locations }
}

extension [Directive] {
  /// The first directive of a name.
  public subscript(named symbol: Symbol) -> Directive? { first { $0.name.symbol == symbol } }

  /// The reason a `@deprecated` directive gives, or `nil` when there is no such directive.
  var deprecationReason: String? {
    guard let directive = self[named: .deprecated] else { return nil }
    for argument in directive.arguments where argument.name.symbol == .reason {
      if case .string(let reason, _) = argument.value.kind { return reason }
    }
    return "No longer supported"
  }
}
