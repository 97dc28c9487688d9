/// An entry in the manifest of persisted operations.
package struct PersistedOperation: Hashable, Sendable {
  /// The SHA-256 of the text, in hexadecimal.
  package let id: String
  package let name: String
  /// `query`, `mutation` or `subscription`.
  package let kind: String
  /// The operation text that the server executes for the id.
  package let text: String
}
