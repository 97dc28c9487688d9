/// A table that follows the base of a store.
///
/// The source calls it in the critical section of each change. Every requirement has a default that
/// does nothing.
protocol BaseObserver {
  /// A record is about to replace the record or tombstone at its index.
  ///
  /// - Parameter base: The base before the change.
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordStorage, in base: RecordTable)

  /// A record was inserted together with its id.
  mutating func recordWasInserted(_ record: RecordStorage, at index: RecordIndex)

  /// The garbage collector is about to replace a record by its tombstone.
  mutating func recordWillBeCollected(_ record: RecordStorage, at index: RecordIndex)

  /// The garbage collector has replaced the table by one with few of its records.
  ///
  /// - Parameters:
  ///   - kept: The records that the new table has.
  ///   - base: The base before the change.
  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable)

  /// An index was assigned to a new id.
  mutating func idWasAssigned(to index: RecordIndex)

  /// The garbage collector is about to drop an id without a record. Its index may be assigned again.
  mutating func idWillBeDropped(from index: RecordIndex)

  /// Every record was removed, and the root replaced by an empty record. Ids keep their indexes.
  mutating func baseWasCleared()
}

extension BaseObserver {
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordStorage, in base: RecordTable
  ) {}

  mutating func recordWasInserted(_ record: RecordStorage, at index: RecordIndex) {}

  mutating func recordWillBeCollected(_ record: RecordStorage, at index: RecordIndex) {}

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {}

  mutating func idWasAssigned(to index: RecordIndex) {}

  mutating func idWillBeDropped(from index: RecordIndex) {}

  mutating func baseWasCleared() {}
}
