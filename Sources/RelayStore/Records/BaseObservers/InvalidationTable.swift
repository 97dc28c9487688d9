/// The times at which records, and the entire store, were invalidated.
///
/// Times are epochs: each publish increments the epoch. The table of a store that was never
/// invalidated is empty and costs no memory.
package struct InvalidationTable: BaseObserver {
  /// The epoch of the current publish, or of the last one.
  package private(set) var epoch: UInt64 = 0
  /// The epoch in which the entire store was last invalidated.
  package private(set) var storeInvalidatedAt: UInt64?
  private var invalidated: EpochTable
  /// The epochs in which responses last wrote records, since the first invalidation.
  private var written: EpochTable
  /// The records that updaters of this publish asked to invalidate.
  package private(set) var pending: [RecordIndex] = []
  private var isStorePending = false
  /// The records whose epochs have changed since they were last persisted.
  private var unstored = RecordList()
  /// Whether the entire store was invalidated since its epoch was last persisted.
  private var isStoreUnstored = false
  /// Whether any epoch has changed since the epochs were last persisted.
  package var hasUnstored: Bool { isStoreUnstored || !unstored.isEmpty }
  /// Whether the epochs are persisted.
  package var isStored = false

  init() { (invalidated, written) = (EpochTable(), EpochTable()) }

  /// Whether anything was ever invalidated, or will be at the end of this publish.
  package var isInUse: Bool {
    storeInvalidatedAt != nil || isStorePending || !pending.isEmpty || !invalidated.isEmpty
  }

  /// Starts the epoch of a publish.
  mutating func beginEpoch() { epoch += 1 }

  /// Requests the invalidation of records, or of the entire store, at the end of the publish.
  package mutating func request(_ indexes: [RecordIndex], store: Bool) {
    pending += indexes
    if store { isStorePending = true }
  }

  /// Marks records as written by a response in this publish.
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

  /// The epoch in which a record was last invalidated. A response that writes the record leaves it
  /// unchanged.
  package subscript(index: RecordIndex) -> UInt64? { invalidated[index] }

  /// Restores a record's invalidation from a dump.
  package mutating func restore(_ index: RecordIndex, at epoch: UInt64) {
    invalidated[index] = epoch
    self.epoch = max(self.epoch, epoch)
  }

  /// Whether a record is stale: it, or the store, was invalidated after a response last wrote the
  /// record.
  package func isStale(_ index: RecordIndex) -> Bool {
    // Matches the check of operations: a record written in the epoch of the store's invalidation is
    // stale; a record written in the epoch of its own invalidation is not.
    let last = written[index] ?? 0
    if let storeInvalidatedAt, last <= storeInvalidatedAt { return true }
    return self[index].map { last < $0 } ?? false
  }

  /// Whether any of these records is stale.
  package func isStale(any indexes: some Sequence<RecordIndex>) -> Bool {
    isInUse && indexes.contains { isStale($0) }
  }

  /// Removes a deleted record.
  package mutating func remove(_ index: RecordIndex) {
    if isInUse { markChanged(index) }
    (invalidated[index], written[index]) = (nil, nil)
  }

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {
    remove(index)
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    for index in indexes { markChanged(index) }
    let epochs = kept.map { ($0, self.epochs(of: $0)) }
    invalidated.removeAll()
    written.removeAll()
    for (index, (invalidated, written)) in epochs {
      (self.invalidated[index], self.written[index]) = (invalidated, written)
    }
  }

  mutating func baseWasCleared() {
    invalidated.removeAll()
    written.removeAll()
    (epoch, storeInvalidatedAt, pending, isStorePending) = (0, nil, [], false)
    (unstored, isStoreUnstored) = (RecordList(), false)
  }

  // MARK: Versions

  /// Whether records' epochs differ from the last version's.
  var isWritten: Bool { invalidated.isWritten || written.isWritten }

  /// The part of a version that reading uses.
  struct Version {
    var storeInvalidatedAt: UInt64?
    var invalidated = EpochTable.Version()
    var written = EpochTable.Version()
  }

  /// Creates a table that reads published versions.
  init(published version: Version) {
    storeInvalidatedAt = version.storeInvalidatedAt
    invalidated = EpochTable(published: version.invalidated)
    written = EpochTable(published: version.written)
  }

  /// Reads another published version.
  mutating func show(_ version: Version) {
    storeInvalidatedAt = version.storeInvalidatedAt
    invalidated.show(version.invalidated)
    written.show(version.written)
  }

  /// Ends the version that is being written, and returns it; see ``WordTree/publish(_:)``.
  mutating func publish(_ number: UInt64) -> Version {
    Version(
      storeInvalidatedAt: storeInvalidatedAt, invalidated: invalidated.publish(number),
      written: written.publish(number))
  }

  /// Frees what only the versions before one can reach.
  func reclaim(before version: UInt64) {
    invalidated.reclaim(before: version)
    written.reclaim(before: version)
  }

  // MARK: Storing

  private mutating func markChanged(_ index: RecordIndex) { if isStored { unstored.insert(index) } }

  /// Returns the records whose epochs have changed since the last call.
  package mutating func drainUnstored() -> ContiguousArray<RecordIndex> {
    defer { (unstored, isStoreUnstored) = (RecordList(), false) }
    return unstored.indexes
  }

  /// The records that have an epoch.
  package var indexes: Set<RecordIndex> { Set(invalidated.indexes).union(written.indexes) }

  /// Returns the epochs in which a record was invalidated and written.
  package func epochs(of index: RecordIndex) -> (invalidated: UInt64?, written: UInt64?) {
    (invalidated[index], written[index])
  }

  /// Continues the epochs of an earlier run of the program, the last of which was `epoch`.
  ///
  /// - Parameters:
  ///   - stored: The epoch in which the entire store was last invalidated.
  ///   - records: The persisted epochs of records.
  ///   - present: The records written in this run.
  package mutating func restore(
    epoch: UInt64, storeInvalidatedAt stored: UInt64?,
    _ records: [(index: RecordIndex, invalidated: UInt64?, written: UInt64?)],
    writtenInThisRun present: [RecordIndex]
  ) {
    self.epoch += epoch
    storeInvalidatedAt = storeInvalidatedAt.map { $0 + epoch } ?? stored
    for index in invalidated.indexes { invalidated[index]? += epoch }
    for index in written.indexes { written[index]? += epoch }
    for record in records {
      if let epoch = record.invalidated, invalidated[record.index] == nil {
        invalidated[record.index] = epoch
      }
      if let epoch = record.written, written[record.index] == nil { written[record.index] = epoch }
    }
    // Records written before the epochs were known are newer than any persisted epoch.
    if isInUse { markWritten(present.filter { written[$0] ?? 0 <= epoch }) }
  }
}
