/// A project's options for the generated code.
package struct EmissionOptions: Equatable, Sendable {
  /// The way in which generated code identifies persisted operations.
  package enum Persistence: Equatable, Sendable {
    /// Operations contain their text and no id.
    case none
    /// Operations contain their id, and their text when `includesText` is true.
    case ids(includesText: Bool)

    /// Whether operations contain ids.
    var isByID: Bool { if case .ids = self { true } else { false } }
  }

  /// The operations for which a type for optimistic responses is generated.
  package enum RawResponses: String, Sendable {
    /// Every mutation, and other operations with `@raw_response_type`.
    case mutations
    /// Only operations with `@raw_response_type`.
    case marked
  }

  /// The access modifier of generated declarations: `public`, `package`, or empty for internal.
  package var access: String
  /// The name of the enum that contains the scalars.
  package var schemaName: String
  /// The Swift types of custom scalars by the scalars' names. An entry here takes precedence over
  /// every other source of a scalar's type.
  package var customScalarTypes: [String: String]
  /// The scalars that files of the target declare, named `CustomScalars/<Name>.swift`.
  var declaredScalars: Set<String> = []
  /// Whether such a file is made for each scalar that is not declared; otherwise the scalar is a
  /// `String`.
  package var makesScalarFiles = false
  package var rawResponses = RawResponses.mutations
  var persistence = Persistence.none
  /// The module that the generated code belongs to; `nil` if it is not given.
  package var module: String?
  /// The module that declares all enums, input types and scalars of the schema.
  package var schemaModule: String?
  /// Whether definitions must be named after their file, as in Relay.
  var requiresFileNamePrefix = false
  /// Whether invalid default values and directives in the server's schema are errors.
  package var isSchemaStrict = false
  /// The key fields of object types and interfaces: the fields that identify an object in place of
  /// `id`.
  package var keyFields: [String: [String]]
  /// The types for which `keyFields` is null: their `id` does not identify them.
  var unidentifiedTypes: Set<String> = []
  /// The scalars beside `ID` whose fields `id` identify objects.
  package var idScalars: [String] = []
  /// The schema coordinates of the elements whose values are never stored.
  package var privateElements: [String] = []
  /// The seconds for which data is fresh, by operation, type, and coordinate of a field.
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
