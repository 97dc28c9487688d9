/// A null in a non-null position, which propagates up to the nearest nullable one.
struct PropagatingNull {
  /// The reason for a null. The null with the greatest reason wins.
  enum Reason: Int {
    /// A link to a record deleted on the client. A list omits such an element and continues.
    case deletion
    /// A field or a record that is not in the store. A list omits the element too, and an observer
    /// continues to show the previous row.
    case absence
    /// A null, or a value of another type.
    case null
  }

  let path: ResponsePath
  var reason = Reason.null
}

extension RecordReader {
  /// Adds the current path to the missing fields, and propagates null if its position is non-null.
  ///
  /// - Parameter hole: The location of a value that is not in the store; `nil` if the value is null
  ///   or of another kind.
  /// - Returns: Null, or `nil` if the null propagates.
  mutating func missingValue(isNullable: Bool, hole: Hole? = nil) -> RowSlot? {
    reportMissing(hole)
    if isNullable { return RowSlot(.null) }
    propagateNull(hole == nil ? .null : .absence)
    return nil
  }

  /// Reads a link to a record that was deleted on the client.
  ///
  /// - Returns: Null, or `nil` if the schema does not allow null. The nearest list with non-null
  ///   elements then omits the element.
  mutating func deleted(_ index: RecordIndex, isNullable: Bool) -> RowSlot? {
    pass.result.hasHiddenRecords = true
    markSeen(index)
    if isNullable { return RowSlot(.null) }
    reportMissing(nil)
    propagateNull(source.deletedRecordsBubble ? .null : .deletion)
    return nil
  }

  /// Starts propagating a null from the current path.
  mutating func propagateNull(_ reason: PropagatingNull.Reason = .null) {
    if mayReplacePropagatingNull(reason) {
      pass.propagatingNull = PropagatingNull(path: ResponsePath(pass.path), reason: reason)
    }
  }

  /// Continues propagating a null that started at another path.
  mutating func propagateNull(_ null: PropagatingNull) {
    if mayReplacePropagatingNull(null.reason) { pass.propagatingNull = null }
  }

  private func mayReplacePropagatingNull(_ reason: PropagatingNull.Reason) -> Bool {
    pass.propagatingNull.map { $0.reason.rawValue < reason.rawValue } ?? true
  }

  /// Returns null where the schema allows it; otherwise propagates it.
  mutating func null(of field: PlanField, level: Int) -> RowSlot? {
    field.type.isNullable[level] ? RowSlot(.null) : missingValue(isNullable: false)
  }
}
