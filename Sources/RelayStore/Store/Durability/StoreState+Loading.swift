/// The merge of loaded records into a store.
extension StoreState {
  /// Begins to load: until it ends, what the store does not have may be stored.
  mutating func beginLoading() {
    source.isLoading = true
    source.observers.unstored.isTracked = true
    // The root has its index from the beginning.
    source.observers.unstored.idWasAssigned(to: RecordIndex(0))
    // No index is dropped before the stored ids have theirs.
    collector.hold()
  }

  /// The ids of the store by index; `nil` for an index that is not in use.
  var internedIDs: [DataID?] {
    (0..<source.base.indexBound).map { source.base.id(of: RecordIndex($0)) }
  }

  /// The result of merging a storage into a store.
  struct Attached {
    let writer: StoreWriter
    let published: Published
  }

  /// Merges the records of a storage. A record that the store has already keeps its fields, and gets
  /// those that it lacks.
  ///
  /// - Parameters:
  ///   - table: The table for the ids that the store had when it was made.
  ///   - count: The number of these ids.
  /// - Returns: `nil` if the store has other ids by now.
  /// - Throws: ``StorageFailure`` of kind `corrupt`.
  mutating func attach(
    _ loaded: LoadedStorage, _ table: RecordTable, _ numbering: RecordNumbering, idCount count: Int,
    format: StorageFormat
  ) throws -> Attached? {
    guard source.base.indexBound == count else { return nil }
    guard let shapes = loaded.shapes(in: &source.shapes) else {
      throw StorageFailure(.corrupt, "A shape of records is damaged.")
    }
    var table = table
    let stored = loaded.records(numbering: numbering, shapes: shapes)
    table.stored = stored.isEmpty ? nil : stored
    for index in (0..<count).lazy.map({ RecordIndex($0) }) {
      guard let record = source.base[index], record.state != .unknown else { continue }
      table.replace(index, by: merged(record, at: index, into: table))
    }
    source.base = table
    for typeName in loaded.typeNames { source.registerType(typeName) }
    for (number, keys) in loaded.clientWritten {
      source.observers.clientWritten.insert(keys, of: numbering.index(of: number))
    }
    source.observers.connectionEdges.invalidateAll()
    reader = RecordReader()
    let changed = replicas.isEmpty ? count : source.base.indexBound
    for position in 0..<changed where source.base.isInUse(RecordIndex(position)) {
      source.markInserted(RecordIndex(position))
    }
    collector.loaded(count: loaded.recordCount)
    return Attached(
      writer: loaded.writer(numbering: numbering, shapes: shapes, format: format),
      published: endLoading())
  }

  /// Ends loading without stored records.
  ///
  /// - Parameter isStopped: Whether changes are not stored either.
  mutating func endLoading(isStopped: Bool) -> Published {
    if isStopped { stopStoring() }
    // The observers of what may have been stored are told that it is missing.
    for position in 0..<source.base.indexBound where source.base.isInUse(RecordIndex(position)) {
      source.markInserted(RecordIndex(position))
    }
    return endLoading()
  }

  /// Stops to collect changes for the storage.
  mutating func stopStoring() { source.observers.unstored = UnstoredChanges() }

  /// Ends loading: what the store does not have is missing from now on.
  ///
  /// - Returns: The notifications of observers, which read again.
  private mutating func endLoading() -> Published {
    source.isLoading = false
    source.replacedWhileLoading = []
    collector.endHold()
    // Rebases the optimistic updates, which have copied records as they were before.
    return publish([.commit(nil, root: nil, updater: nil)])
  }

  /// Returns a record of the store with those fields that only the storage has.
  private mutating func merged(
    _ record: RecordStorage, at index: RecordIndex, into table: RecordTable
  ) -> RecordStorage {
    guard record.state == .present, !source.replacedWhileLoading.contains(index),
      let stored = table.stored?.record(at: index, in: table), stored.state == .present
    else { return record }
    var draft = RecordDraft(Record(stored))
    _ = draft.become(present: record.shape.typeName)
    _ = draft.copyFields(from: Record(record))
    return draft.record(&source.shapes).storage
  }
}
