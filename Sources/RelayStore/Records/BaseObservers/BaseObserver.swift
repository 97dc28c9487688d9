/// A table that is updated with every change of a store's base.
///
/// The source calls it in the critical section of each change. Every requirement has an empty
/// default implementation.
protocol BaseObserver {
  /// Called before a record replaces the record or tombstone at its index.
  ///
  /// - Parameter base: The base before the change.
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordBox, in base: RecordTable)

  /// Called after a record was inserted together with its id.
  mutating func recordWasInserted(_ record: RecordBox, at index: RecordIndex)

  /// Called before the garbage collector replaces a record with its tombstone.
  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex)

  /// Called after the garbage collector replaced the table with a table of a few of its records.
  ///
  /// - Parameters:
  ///   - kept: The records in the new table.
  ///   - base: The base before the change.
  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable)

  /// Called after an index was assigned to a new id.
  mutating func idWasAssigned(to index: RecordIndex)

  /// Called before the garbage collector drops an id without a record. Its index may be assigned
  /// again.
  mutating func idWillBeDropped(from index: RecordIndex)

  /// Called after every record was removed and the root was replaced with an empty record. Ids keep
  /// their indexes.
  mutating func baseWasCleared()
}

extension BaseObserver {
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordBox, in base: RecordTable
  ) {}

  mutating func recordWasInserted(_ record: RecordBox, at index: RecordIndex) {}

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {}

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {}

  mutating func idWasAssigned(to index: RecordIndex) {}

  mutating func idWillBeDropped(from index: RecordIndex) {}

  mutating func baseWasCleared() {}
}
