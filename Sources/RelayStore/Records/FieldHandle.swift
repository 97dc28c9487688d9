/// What is to be done with a field of a record once a payload is written: a plan's `%name(…)`, for
/// one store and one set of variables.
package final class FieldHandle: Sendable {
  /// Which handler does it.
  package let name: String
  /// The field that the server answers.
  package let field: FieldKey
  /// The values of the field's arguments.
  package let arguments: JSONObject
  /// The values of the handle's own arguments.
  package let options: JSONObject
  /// Where a connection keeps what it has merged; for other handlers the field itself.
  package let key: FieldKey
  /// The text of `key`.
  package let storageKey: String
  /// The id that a value of the field gives; `nil` for a value that gives none.
  package let id: @Sendable (FieldValue) -> DataID?

  package init(
    name: String, field: FieldKey, arguments: JSONObject, options: JSONObject, key: FieldKey,
    storageKey: String, id: @escaping @Sendable (FieldValue) -> DataID?
  ) {
    self.name = name
    self.field = field
    self.arguments = arguments
    self.options = options
    self.key = key
    self.storageKey = storageKey
    self.id = id
  }
}
