/// What a project may choose about the generated code.
package struct EmissionOptions: Sendable {
  /// What generated code says of persisted operations.
  package enum Persistence: Sendable {
    /// Operations have a text and no id.
    case none
    /// They have an id; with or without their text.
    case ids(includesText: Bool)

    /// Whether operations have ids.
    var isByID: Bool { if case .ids = self { true } else { false } }
  }

  /// The operations that have a type for optimistic responses.
  package enum RawResponses: String, Sendable {
    /// Every mutation, and other operations with `@raw_response_type`.
    case mutations
    /// Operations with `@raw_response_type` alone.
    case marked
  }

  /// `public`, `package`, or empty for internal.
  package var access: String
  /// The enum that holds the scalars.
  package var schemaName: String
  /// Swift types of custom scalars, which come before all else.
  package var customScalarTypes: [String: String]
  /// The scalars that files of the target declare, `CustomScalars/<Name>.swift`.
  package var declaredScalars: Set<String> = []
  /// Whether a scalar that nothing declares gets such a file; else it is a `String`.
  package var makesScalarFiles = false
  package var rawResponses = RawResponses.mutations
  package var persistence = Persistence.none
  /// The module that the code is for, where it is known.
  package var module: String?
  /// The module that has all enums, inputs and scalars of the schema.
  package var schemaModule: String?
  /// Whether definitions are named after their file, as in Relay.
  package var requiresFileNamePrefix = false
  /// Whether bad default values and directives in the server's schema are errors.
  package var isSchemaStrict = false
  /// By type or interface: the fields that tell its objects apart, where it is not `id`.
  package var keyFields: [String: [String]]

  package init(
    access: String = "public", schemaName: String = "Schema",
    customScalarTypes: [String: String] = [:], keyFields: [String: [String]] = [:]
  ) {
    self.access = access
    self.schemaName = schemaName
    self.customScalarTypes = customScalarTypes
    self.keyFields = keyFields
  }
}
