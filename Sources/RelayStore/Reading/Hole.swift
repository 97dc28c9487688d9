/// The place of data that is not in the store: a record, and the field that it lacks.
///
/// Unlike a path it stays the same when the elements of a list move.
package struct Hole: Hashable, Sendable {
  let record: RecordIndex
  /// The field; `nil` if the record itself, or its type, is unknown.
  let field: FieldKey?
}
