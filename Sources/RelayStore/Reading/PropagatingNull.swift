/// A null in a non-null position, which propagates up to the nearest nullable one.
struct PropagatingNull {
  let path: ResponsePath
  /// Whether the null is a link to a record deleted on the client. A list omits such an element and
  /// continues.
  var isDeletion = false
}

extension RecordReader {
  /// Adds the current path to the missing fields, and propagates null if its position is non-null.
  ///
  /// - Parameter isAbsent: Whether the value is not in the store, rather than null or of another
  ///   kind.
  /// - Returns: Null, or `nil` if the null propagates.
  mutating func missingValue(isNullable: Bool, isAbsent: Bool = false) -> RowSlot? {
    recordMissing(isAbsent: isAbsent)
    if isNullable { return RowSlot(.null) }
    propagateNull()
    return nil
  }

  /// Reads a link to a record that was deleted on the client.
  ///
  /// - Returns: Null, or `nil` if the schema does not allow null. The nearest list with non-null
  ///   elements then omits the element.
  mutating func deleted(_ index: RecordIndex, isNullable: Bool) -> RowSlot? {
    result.hasHiddenRecords = true
    markSeen(index)
    if isNullable { return RowSlot(.null) }
    recordMissing(isAbsent: false)
    propagateNull(isDeletion: !source.deletedRecordsBubble)
    return nil
  }

  /// Begins the propagation of a null from the current path.
  mutating func propagateNull(isDeletion: Bool = false) {
    if mayReplacePropagatingNull(isDeletion: isDeletion) {
      propagatingNull = PropagatingNull(path: ResponsePath(path), isDeletion: isDeletion)
    }
  }

  /// Continues the propagation of a null that began at another path.
  mutating func propagateNull(_ null: PropagatingNull) {
    if mayReplacePropagatingNull(isDeletion: null.isDeletion) { propagatingNull = null }
  }

  private func mayReplacePropagatingNull(isDeletion: Bool) -> Bool {
    propagatingNull == nil || propagatingNull?.isDeletion == true && !isDeletion
  }

  /// Returns null where the schema allows it; otherwise propagates it.
  mutating func null(of field: PlanField, level: Int) -> RowSlot? {
    field.type.isNullable[level] ? RowSlot(.null) : missingValue(isNullable: false)
  }
}
