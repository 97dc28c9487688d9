/// The location of data that is not in the store: a record and its missing field.
///
/// Unlike a path, it does not change when the elements of a list move.
package struct Hole: Hashable, Sendable {
  let record: RecordIndex
  /// The field; `nil` if the record itself, or its type, is unknown.
  let field: FieldKey?
}

extension [Hole] {
  /// Returns the holes that are not in `others`.
  ///
  /// - Complexity: O(*n*) in both.
  func subtracting(_ others: [Hole]) -> [Hole] {
    if isEmpty || others.isEmpty { return self }
    let others = Set(others)
    return filter { !others.contains($0) }
  }
}
