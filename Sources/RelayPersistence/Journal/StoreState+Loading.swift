import RelayStore

/// The merge of loaded records into a store.
extension StoreState {
  /// The ids of the store by index; `nil` for an unused index.
  var internedIDs: [DataID?] {
    (0..<source.base.indexBound).map { source.base.id(of: RecordIndex($0)) }
  }

  /// The result of merging a storage into a store.
  package struct Attached {
    let writer: JournalEncoder
    let published: Published
  }

  /// Merges the records of a storage. A record already in the store retains its fields and gets the
  /// missing ones.
  ///
  /// - Parameters:
  ///   - indexed: The table for the ids that the store had when it was built, which is taken from
  ///     it; `nil` to build it now.
  ///   - generation: The generation of the store when the storage was read.
  ///   - replacesRecords: Whether to remove the store's records instead.
  /// - Returns: `nil` if the store's ids have changed since the table was built.
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`; of kind `wiped` if the store was reset in
  ///   the meantime.
  package mutating func attach(
    _ loaded: LoadedImage, _ indexed: inout IndexedIDs?, generation: UInt64,
    format: PersistenceFormat, replacesRecords: Bool = false
  ) throws -> Attached? {
    guard retention.generation == generation else {
      throw PersistenceFailure(.wiped, "The store was reset while it was loaded.")
    }
    let count = source.base.indexBound
    if let indexed, indexed.count != count { return nil }
    if indexed == nil { indexed = IndexedIDs(internedIDs, stored: loaded.image.ids) }
    guard let numbering = indexed?.numbering else {
      throw PersistenceFailure(.corrupt, "Two records have the same id.")
    }
    guard let shapes = loaded.shapes(in: &source.shapes) else {
      throw PersistenceFailure(.corrupt, "A shape of records is damaged.")
    }
    var table = indexed?.takeTable() ?? RecordTable()
    let stored = loaded.records(numbering: numbering, shapes: shapes)
    table.setPersisted(stored, numbering.indexes(of: loaded.contents.records))
    if replacesRecords {
      source.observers.baseWasCleared()
      retention.removeWrites()
    }
    for index in (0..<count).lazy.map({ RecordIndex($0) }) where !replacesRecords {
      guard let record = source.base[index], record.state != .unknown else { continue }
      table.replace(index, by: merged(record, at: index, into: table))
    }
    let present = (0..<count).lazy.map { RecordIndex($0) }.filter { table.isDecoded($0) }
    source.replaceBase(by: table)
    restoreOperations(of: loaded, numbering, writtenInThisRun: Array(present))
    restoreDetails(of: loaded, numbering)
    let changed = replicas.isEmpty ? count : source.base.indexBound
    for position in 0..<changed where source.base.isInUse(RecordIndex(position)) {
      source.markInserted(RecordIndex(position))
    }
    collector.loaded(count: loaded.recordCount)
    return Attached(
      writer: loaded.writer(numbering: numbering, shapes: shapes, format: format),
      published: endLoading())
  }

  /// Restores the data persisted in addition to the records.
  private mutating func restoreDetails(of loaded: LoadedImage, _ numbering: RecordNumbering) {
    for typeName in loaded.typeNames { source.registerType(typeName) }
    for (number, keys) in loaded.clientWritten {
      source.observers.clientWritten.insert(keys, of: numbering.index(of: number))
    }
    source.observers.connectionEdges.invalidateAll()
    restorePrivateElements(of: loaded, numbering)
    reader = RecordReader()
  }

  /// Ends loading without persisted records.
  ///
  /// - Parameter isStopped: Whether persisting changes also stops.
  mutating func endLoading(isStopped: Bool) -> Published {
    if isStopped { stopStoring() }
    // Notifies observers of possibly persisted records that the data is missing.
    for position in 0..<source.base.indexBound where source.base.isInUse(RecordIndex(position)) {
      source.markInserted(RecordIndex(position))
    }
    return endLoading()
  }

  /// Stops collecting changes for the storage.
  mutating func stopStoring() {
    source.observers.unstored = UnpersistedChanges()
    source.observers.invalidations.isStored = false
    _ = source.observers.invalidations.drainUnstored()
    _ = retention.drainChanges()
  }

  /// Adds the private types and fields that the storage already excludes. Other elements declared
  /// private since the store was created are removed from the storage with the next batch.
  private mutating func restorePrivateElements(
    of loaded: LoadedImage, _ numbering: RecordNumbering
  ) {
    let stored = PrivateElements(loaded.image.header?.privateElements ?? "")
    source.observers.privateRecords.insertStored(stored, in: source.base)
    var ids = numbering.indexes(of: loaded.image.ids.numbers)
    ids.subtract(source.base.persistedIndexes)
    source.observers.privateRecords.insertStoredIDs(ids)
  }

  /// Restores the epochs of invalidations, and the operations whose data is retained.
  private mutating func restoreOperations(
    of loaded: LoadedImage, _ numbering: RecordNumbering, writtenInThisRun present: [RecordIndex]
  ) {
    let header = loaded.image.header ?? PersistedHeader()
    persistenceRun?.loaded = header.revision
    retention.addToEpochs(header.epoch)
    source.observers.invalidations.restore(
      epoch: header.epoch,
      storeInvalidatedAt: header.storeInvalidation == 0 ? nil : header.storeInvalidation - 1,
      loaded.epochs.map { (numbering.index(of: $0.number), $0.invalidated, $0.written) },
      writtenInThisRun: present)
    let now = time.date(time.elapsed)
    var restored: [(identity: RequestIdentity, entry: RetentionTable.Entry, isStale: Bool)] = []
    for root in loaded.roots {
      guard let plan = loaded.plan(of: root) else {
        retention.removeStored(root.identity)
        continue
      }
      let scope = VariableScope(operation: root.identity.variables)
      let bound = bind(plan, in: scope, isRoot: root.root == .root)
      var entry = RetentionTable.Entry(count: 0, root: index(of: root.root), plan: bound)
      var isStale = root.isStale
      if let date = root.fetchedAt {
        // The device's clock was changed.
        if date > now { isStale = true }
        entry.write = .init(
          epoch: root.epoch, time: time.elapsed(until: min(date, now)), maxAge: root.maxAge)
      }
      entry.isPinned = root.isPinned
      if !root.isPinned,
        retention.isExpired(entry, of: root.identity, isStale: isStale, now: time.elapsed),
        retention.removeStored(root.identity)
      {
        continue
      }
      restored.append((root.identity, entry, isStale))
    }
    retention.restore(restored)
  }

  /// Ends loading: from now on, data that is not in the store is missing.
  ///
  /// - Returns: The notifications of observers, which read again.
  private mutating func endLoading() -> Published {
    source.isLoading = false
    source.replacedWhileLoading = []
    collector.endHold()
    // Rebases the optimistic updates, which copied records from before the merge.
    return publish([.commit(nil, root: nil, updater: nil)], cause: .load)
  }

  /// Returns a record of the store, extended by the fields that only the storage has.
  private mutating func merged(
    _ record: RecordBox, at index: RecordIndex, into table: RecordTable
  ) -> RecordBox {
    guard record.state == .present, !source.replacedWhileLoading.contains(index),
      let stored = table.persistedRecord(index), stored.state == .present
    else { return record }
    var draft = RecordDraft(Record(stored))
    _ = draft.become(present: record.shape.typeName)
    _ = draft.copyFields(from: Record(record))
    return draft.record(&source.shapes).box
  }
}
