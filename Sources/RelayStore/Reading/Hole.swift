/// The location of data that is not in the store: a record and its missing field.
///
/// Unlike a path, it does not change when the elements of a list move.
package struct Hole: Hashable, Sendable {
  let record: RecordIndex
  /// The field; `nil` if the record itself, or its type, is unknown.
  let field: FieldKey?
}
