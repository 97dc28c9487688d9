/// An action on a field, run after its payload is written: a plan's `%name(…)`, bound to one store
/// and one set of variables.
package final class FieldHandle: Sendable {
  /// The name of the handler that performs the action.
  package let name: String
  /// The field that the server returns.
  package let field: FieldKey
  /// The values of the field's arguments.
  package let arguments: JSONObject
  /// The values of the handle's own arguments.
  package let options: JSONObject
  /// The field with a connection's merged list; for other handlers, `field` itself.
  package let key: FieldKey
  /// The storage key of `key`.
  package let storageKey: String
  /// Returns the id for a value of the field; `nil` if the value has none.
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
