extension Schema {
  /// The built-in definitions: the standard scalars and directives, and the introspection types.
  ///
  /// The fields of `__MetaFields` are the meta-fields `__typename`, `__schema` and `__type`,
  /// selectable in addition to a type's own fields. `__MetaFields` itself is never a type of a
  /// schema.
  static let prelude = """
    "A sequence of Unicode characters."
    scalar String
    "`true` or `false`."
    scalar Boolean
    "A signed 32-bit integer."
    scalar Int
    "A double-precision floating-point number."
    scalar Float
    "A unique identifier, serialized as a string. Integers are accepted as input."
    scalar ID

    "Includes this field or fragment only if the `if` argument is true."
    directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Skips this field or fragment if the `if` argument is true."
    directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Marks an element of the schema as no longer supported."
    directive @deprecated(reason: String = "No longer supported")
      on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
    "Links to the specification of a custom scalar."
    directive @specifiedBy(url: String!) on SCALAR
    "Requires exactly one field of the input object to be provided, with a value other than null."
    directive @oneOf on INPUT_OBJECT

    type __MetaFields {
      __typename: String!
      __schema: __Schema!
      __type(name: String!): __Type
    }
    type __Schema {
      description: String
      types: [__Type!]!
      queryType: __Type!
      mutationType: __Type
      subscriptionType: __Type
      directives: [__Directive!]!
    }
    type __Type {
      kind: __TypeKind!
      name: String
      description: String
      specifiedByURL: String
      fields(includeDeprecated: Boolean = false): [__Field!]
      interfaces: [__Type!]
      possibleTypes: [__Type!]
      enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
      inputFields(includeDeprecated: Boolean = false): [__InputValue!]
      ofType: __Type
      isOneOf: Boolean
    }
    enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
    type __Field {
      name: String!
      description: String
      args(includeDeprecated: Boolean = false): [__InputValue!]!
      type: __Type!
      isDeprecated: Boolean!
      deprecationReason: String
    }
    type __InputValue {
      name: String!
      description: String
      type: __Type!
      defaultValue: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    type __EnumValue {
      name: String!
      description: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    type __Directive {
      name: String!
      description: String
      isRepeatable: Boolean!
      locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean = false): [__InputValue!]!
    }
    enum __DirectiveLocation {
      QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
      VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION
      ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
    }
    """
}
