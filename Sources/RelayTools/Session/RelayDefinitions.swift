import GraphQLLanguage

/// The directives and fields that Relay adds to a schema.
struct RelayDefinitions {
  let directives: [SchemaDirective]
  /// The fields of every type.
  let fields: NamedList<SchemaField>

  init(_ schema: Schema) {
    directives = RelayDirectives.directives(for: schema)
    fields = RelayDirectives.fields(for: schema)
  }
}
