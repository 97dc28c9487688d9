/// What a project may choose about the generated code.
package struct EmissionOptions: Sendable {
  /// `public`, `package`, or empty for internal.
  package var access: String
  /// The enum that holds the scalars.
  package var schemaName: String
  /// Swift types of custom scalars; others are `String`.
  package var customScalarTypes: [String: String]

  package init(
    access: String = "public", schemaName: String = "Schema",
    customScalarTypes: [String: String] = [:]
  ) {
    self.access = access
    self.schemaName = schemaName
    self.customScalarTypes = customScalarTypes
  }
}
