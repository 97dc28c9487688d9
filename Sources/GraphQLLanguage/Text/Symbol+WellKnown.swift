// The symbols that every table starts with, in this order.

extension Symbol {
  /// The empty string.
  public static let empty = Symbol(index: 0)
  /// `query`
  public static let query = Symbol(index: 1)
  /// `mutation`
  public static let mutation = Symbol(index: 2)
  /// `subscription`
  public static let subscription = Symbol(index: 3)
  /// `fragment`
  public static let fragment = Symbol(index: 4)
  /// `on`
  public static let on = Symbol(index: 5)
  /// `true`
  public static let `true` = Symbol(index: 6)
  /// `false`
  public static let `false` = Symbol(index: 7)
  /// `null`
  public static let null = Symbol(index: 8)
  /// `schema`
  public static let schema = Symbol(index: 9)
  /// `scalar`
  public static let scalar = Symbol(index: 10)
  /// `type`
  public static let type = Symbol(index: 11)
  /// `interface`
  public static let interface = Symbol(index: 12)
  /// `union`
  public static let union = Symbol(index: 13)
  /// `enum`
  public static let `enum` = Symbol(index: 14)
  /// `input`
  public static let input = Symbol(index: 15)
  /// `directive`
  public static let directive = Symbol(index: 16)
  /// `extend`
  public static let extend = Symbol(index: 17)
  /// `implements`
  public static let implements = Symbol(index: 18)
  /// `repeatable`
  public static let repeatable = Symbol(index: 19)
  /// `Query`
  public static let queryType = Symbol(index: 20)
  /// `Mutation`
  public static let mutationType = Symbol(index: 21)
  /// `Subscription`
  public static let subscriptionType = Symbol(index: 22)
  /// `Int`
  public static let int = Symbol(index: 23)
  /// `Float`
  public static let float = Symbol(index: 24)
  /// `String`
  public static let string = Symbol(index: 25)
  /// `Boolean`
  public static let boolean = Symbol(index: 26)
  /// `ID`
  public static let id = Symbol(index: 27)
  /// `__typename`
  public static let typename = Symbol(index: 28)
  /// `__schema`
  public static let introspectionSchema = Symbol(index: 29)
  /// `__type`
  public static let introspectionType = Symbol(index: 30)
  /// `__Schema`
  public static let schemaType = Symbol(index: 31)
  /// `__Type`
  public static let typeType = Symbol(index: 32)
  /// `__Field`
  public static let fieldType = Symbol(index: 33)
  /// `__InputValue`
  public static let inputValueType = Symbol(index: 34)
  /// `__EnumValue`
  public static let enumValueType = Symbol(index: 35)
  /// `__TypeKind`
  public static let typeKindType = Symbol(index: 36)
  /// `__Directive`
  public static let directiveType = Symbol(index: 37)
  /// `__DirectiveLocation`
  public static let directiveLocationType = Symbol(index: 38)
  /// `skip`
  public static let skip = Symbol(index: 39)
  /// `include`
  public static let include = Symbol(index: 40)
  /// `deprecated`
  public static let deprecated = Symbol(index: 41)
  /// `specifiedBy`
  public static let specifiedBy = Symbol(index: 42)
  /// `oneOf`
  public static let oneOf = Symbol(index: 43)
  /// `if`
  public static let ifArgument = Symbol(index: 44)
  /// `reason`
  public static let reason = Symbol(index: 45)
  /// `url`
  public static let url = Symbol(index: 46)

  /// The index of the first directive location's name. The others follow in the order of
  /// ``DirectiveLocation``.
  static let firstDirectiveLocation: UInt32 = 47

  // MARK: Names of Relay's directives, and of the fields and arguments that they refer to

  /// `alias`
  package static let alias = Symbol(index: 66)
  /// `argumentDefinitions`
  package static let argumentDefinitions = Symbol(index: 67)
  /// `arguments`
  package static let arguments = Symbol(index: 68)
  /// `assignable`
  package static let assignable = Symbol(index: 69)
  /// `catch`
  package static let `catch` = Symbol(index: 70)
  /// `connection`
  package static let connection = Symbol(index: 71)
  /// `defer`
  package static let `defer` = Symbol(index: 72)
  /// `derived`
  package static let derived = Symbol(index: 73)
  /// `id`
  package static let idField = Symbol(index: 74)
  /// `inline`
  package static let inline = Symbol(index: 75)
  /// `label`
  package static let label = Symbol(index: 76)
  /// `noPersist`
  package static let noPersist = Symbol(index: 77)
  /// `refetchable`
  package static let refetchable = Symbol(index: 78)
  /// `relay`
  package static let relay = Symbol(index: 79)
  /// `required`
  package static let required = Symbol(index: 80)
  /// `semanticNonNull`
  package static let semanticNonNull = Symbol(index: 81)
  /// `stream`
  package static let stream = Symbol(index: 82)
  /// `throwOnFieldError`
  package static let throwOnFieldError = Symbol(index: 83)
  /// `uncheckedArguments_DEPRECATED`
  static let uncheckedArguments = Symbol(index: 84)
  /// `updatable`
  package static let updatable = Symbol(index: 85)

  /// The strings of the constants above and of the directive locations, by symbol index.
  static let wellKnownTexts: [StaticString] = [
    "", "query", "mutation", "subscription", "fragment",
    "on", "true", "false", "null", "schema",
    "scalar", "type", "interface", "union", "enum",
    "input", "directive", "extend", "implements", "repeatable",
    "Query", "Mutation", "Subscription", "Int", "Float",
    "String", "Boolean", "ID", "__typename", "__schema",
    "__type", "__Schema", "__Type", "__Field", "__InputValue",
    "__EnumValue", "__TypeKind", "__Directive", "__DirectiveLocation", "skip",
    "include", "deprecated", "specifiedBy", "oneOf", "if",
    "reason", "url", "QUERY", "MUTATION", "SUBSCRIPTION",
    "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT", "VARIABLE_DEFINITION",
    "SCHEMA", "SCALAR", "OBJECT", "FIELD_DEFINITION", "ARGUMENT_DEFINITION",
    "INTERFACE", "UNION", "ENUM", "ENUM_VALUE", "INPUT_OBJECT",
    "INPUT_FIELD_DEFINITION", "alias", "argumentDefinitions", "arguments", "assignable",
    "catch", "connection", "defer", "derived", "id",
    "inline", "label", "noPersist", "refetchable", "relay",
    "required", "semanticNonNull", "stream", "throwOnFieldError", "uncheckedArguments_DEPRECATED",
    "updatable",
  ]
}
