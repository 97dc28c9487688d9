/// The times at which records, and the store as a whole, were invalidated.
///
/// Times are epochs: each publish increments the epoch. The table of a store that was never
/// invalidated is empty and costs nothing.
package struct InvalidationTable: BaseObserver {
  /// The epoch of the current publish, or of the last one.
  package private(set) var epoch: UInt64 = 0
  /// The epoch in which the whole store was last invalidated.
  package private(set) var storeInvalidatedAt: UInt64?
  private var invalidated: [RecordIndex: UInt64] = [:]
  /// The epochs in which responses last wrote records, since something was first invalidated.
  private var written: [RecordIndex: UInt64] = [:]
  /// The records whose invalidation the updaters of this publish have requested.
  package private(set) var pending: [RecordIndex] = []
  private var isStorePending = false
  /// The records whose epochs have changed since they were last stored.
  private var unstored = RecordList()
  /// Whether the whole store was invalidated since its epoch was last stored.
  private var isStoreUnstored = false
  /// Whether any epoch has changed since the epochs were last stored.
  package var hasUnstored: Bool { isStoreUnstored || !unstored.isEmpty }
  /// Whether the epochs are stored.
  package var isStored = false

  /// Whether anything was ever invalidated, or will be at the end of this publish.
  package var isInUse: Bool {
    storeInvalidatedAt != nil || isStorePending || !pending.isEmpty || !invalidated.isEmpty
  }

  /// Begins the epoch of a publish.
  mutating func beginEpoch() { epoch += 1 }

  /// Requests the invalidation of records, or of the whole store, at the end of the publish.
  package mutating func request(_ indexes: [RecordIndex], store: Bool) {
    pending += indexes
    if store { isStorePending = true }
  }

  /// Records that a response has written these records in this publish.
  mutating func markWritten(_ indexes: some Sequence<RecordIndex>) {
    for index in indexes {
      written[index] = epoch
      markChanged(index)
    }
  }

  /// Invalidates these records, and the store if that was requested.
  ///
  /// - Returns: Whether the store was invalidated.
  mutating func invalidatePending(and records: Set<RecordIndex>) -> Bool {
    for index in records {
      invalidated[index] = epoch
      markChanged(index)
    }
    if isStorePending {
      storeInvalidatedAt = epoch
      isStoreUnstored = isStored
    }
    defer { (pending, isStorePending) = ([], false) }
    return isStorePending
  }

  /// The epoch in which a record was last invalidated. A response that writes the record does not
  /// change it.
  package subscript(index: RecordIndex) -> UInt64? {
    invalidated.isEmpty ? nil : invalidated[index]
  }

  /// Restores a record's invalidation from a dump.
  package mutating func restore(_ index: RecordIndex, at epoch: UInt64) {
    invalidated[index] = epoch
    self.epoch = max(self.epoch, epoch)
  }

  /// Whether a record is out of date: it, or the store, was invalidated after a response last wrote
  /// it.
  package func isStale(_ index: RecordIndex) -> Bool {
    // As in the check of operations: a record written in the epoch of the store's invalidation is
    // stale; one written in the epoch of its own invalidation is not.
    let last = written[index] ?? 0
    if let storeInvalidatedAt, last <= storeInvalidatedAt { return true }
    return self[index].map { last < $0 } ?? false
  }

  /// Whether any of these records is out of date.
  package func isStale(any indexes: some Sequence<RecordIndex>) -> Bool {
    isInUse && indexes.contains { isStale($0) }
  }

  /// Removes a record that was deleted.
  package mutating func remove(_ index: RecordIndex) {
    if isInUse { markChanged(index) }
    if !invalidated.isEmpty { invalidated[index] = nil }
    if !written.isEmpty { written[index] = nil }
  }

  mutating func recordWillBeCollected(_ record: RecordStorage, at index: RecordIndex) {
    remove(index)
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    let (invalidated, written) = (invalidated, written)
    for index in invalidated.keys { markChanged(index) }
    for index in written.keys { markChanged(index) }
    (self.invalidated, self.written) = ([:], [:])
    for index in kept {
      self.invalidated[index] = invalidated[index]
      self.written[index] = written[index]
    }
  }

  mutating func baseWasCleared() {
    let isStored = isStored
    self = InvalidationTable()
    self.isStored = isStored
  }

  // MARK: Storing

  private mutating func markChanged(_ index: RecordIndex) { if isStored { unstored.insert(index) } }

  /// Returns the records whose epochs have changed since the last call.
  package mutating func drainUnstored() -> ContiguousArray<RecordIndex> {
    defer { (unstored, isStoreUnstored) = (RecordList(), false) }
    return unstored.indexes
  }

  /// The records that have an epoch.
  package var indexes: Set<RecordIndex> { Set(invalidated.keys).union(written.keys) }

  /// Returns the epochs in which a record was invalidated and written.
  package func epochs(of index: RecordIndex) -> (invalidated: UInt64?, written: UInt64?) {
    (invalidated[index], written[index])
  }

  /// Continues the epochs of an earlier run of the program, of which `epoch` was the last.
  ///
  /// - Parameters:
  ///   - storeInvalidatedAt: The epoch in which the whole store was last invalidated.
  ///   - isWritten: Whether a record was written in this run.
  ///   - stored: The epochs of records.
  package mutating func restore(
    epoch: UInt64, storeInvalidatedAt stored: UInt64?,
    _ records: [(index: RecordIndex, invalidated: UInt64?, written: UInt64?)],
    writtenInThisRun present: [RecordIndex]
  ) {
    self.epoch += epoch
    storeInvalidatedAt = storeInvalidatedAt.map { $0 + epoch } ?? stored
    invalidated = invalidated.mapValues { $0 + epoch }
    written = written.mapValues { $0 + epoch }
    for record in records {
      if let epoch = record.invalidated, invalidated[record.index] == nil {
        invalidated[record.index] = epoch
      }
      if let epoch = record.written, written[record.index] == nil { written[record.index] = epoch }
    }
    // What was written before the epochs were known is newer than any of them.
    if isInUse { markWritten(present.filter { written[$0] ?? 0 <= epoch }) }
  }
}
