/// An operation as a manifest lists it.
package struct PersistedOperation: Hashable, Sendable {
  /// The SHA-256 of the text in hexadecimal digits.
  package let id: String
  package let name: String
  /// `query`, `mutation` or `subscription`.
  package let kind: String
  /// What is sent where operations are not persisted.
  package let text: String
}
