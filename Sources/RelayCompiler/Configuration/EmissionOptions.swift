/// A project's options for the generated code.
package struct EmissionOptions: Equatable, Sendable {
  /// The identification of persisted operations in generated code.
  package enum Persistence: Equatable, Sendable {
    /// Operations contain their text and no id.
    case none
    /// Operations contain their id, plus their text when `includesText` is true.
    case ids(includesText: Bool)

    /// Whether operations contain ids.
    var isByID: Bool { if case .ids = self { true } else { false } }
  }

  /// The operations that get a generated type for optimistic responses.
  package enum RawResponses: String, Sendable {
    /// Every mutation, plus other operations with `@raw_response_type`.
    case mutations
    /// Only operations with `@raw_response_type`.
    case marked
  }

  /// The access modifier of generated declarations: `public`, `package`, or empty for internal.
  package var access: String
  /// The name of the enum that contains the scalars.
  package var schemaName: String
  /// The Swift types of custom scalars, by scalar name. An entry here takes precedence over every
  /// other source of a scalar's type.
  package var customScalarTypes: [String: String]
  /// The scalars declared by the target's `CustomScalars/<Name>.swift` files.
  var declaredScalars: Set<String> = []
  /// Whether to create such a file for each undeclared scalar; otherwise the scalar is a `String`.
  package var makesScalarFiles = false
  package var rawResponses = RawResponses.mutations
  var persistence = Persistence.none
  /// The module of the generated code; `nil` if not configured.
  package var module: String?
  /// The module that declares all of the schema's enums, input types and scalars.
  package var schemaModule: String?
  /// Whether definitions must be named after their file, as in Relay.
  var requiresFileNamePrefix = false
  /// Whether invalid default values and directives in the server's schema are errors.
  package var isSchemaStrict = false
  /// The key fields of object types and interfaces: the fields that identify an object instead of
  /// `id`.
  package var keyFields: [String: [String]]
  /// The types with null as `keyFields`: their `id` does not identify them.
  var unidentifiedTypes: Set<String> = []
  /// The scalars, in addition to `ID`, that make a field named `id` identify its object.
  package var idScalars: [String] = []
  /// The schema coordinates of elements whose values are never persisted.
  package var privateElements: [String] = []
  /// The freshness period in seconds, by operation, type, or field coordinate.
  package var maxAges: [String: Double] = [:]

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
