import GraphQLLanguage

/// A field being executed: the object's type, the fields with one response key, and the field
/// definition.
struct FieldExecution: Sendable {
  let type: NamedType
  /// The fields with the same response key, at least one. The first provides the arguments.
  let fields: [CollectedField]
  let definition: SchemaField
}
