import GraphQLLanguage
import RelayStore

/// The input of an execution: an operation with its variables, the resolvers, and the handling of
/// `@defer` and `@stream`.
struct ExecutionContext: Sendable {
  /// How the fields of deferred fragments are distributed over the parts of a response.
  enum Strategy: Sendable {
    /// Each deferred fragment has all of its fields.
    case separate
    /// A field is only in the earliest part that selects it.
    case deduplicated
  }

  let request: PreparedRequest
  let variables: [Symbol: JSONValue]
  let resolvers: [TypeID: [Symbol: FieldResolver]]
  /// The generator of values for fields without a resolver; `nil` makes them null.
  let valueGeneration: ValueGeneration?
  /// `nil` ignores `@defer` and `@stream`.
  var strategy: Strategy?
  /// The element of a subscription's source stream; `nil` for other operations.
  var sourceValue: JSONValue?

  var schema: Schema { request.schema }

  /// Returns the coerced arguments of a directive; `nil` if the schema does not define it.
  ///
  /// - Throws: ``CoercionFailure`` if an argument cannot be coerced.
  func arguments(of directive: Directive) throws -> JSONObject? {
    guard let definition = schema.directives[named: directive.name.symbol] else { return nil }
    return try InputCoercion(schema: schema).arguments(
      directive.arguments, of: definition.arguments, variables: variables)
  }

  /// Returns the coerced arguments of a field.
  ///
  /// - Throws: ``CoercionFailure`` if an argument cannot be coerced.
  func arguments(of field: FieldExecution) throws -> JSONObject {
    try InputCoercion(schema: schema).arguments(
      field.fields[0].field.arguments, of: field.definition.arguments, variables: variables)
  }
}
