import RelayStore

extension JournalWork {
  // MARK: Loading

  /// Loads the records into a store. A database that is damaged or has a different version is
  /// replaced with an empty one.
  ///
  /// - Returns: The failure; `nil` with a usable database.
  func load(into store: RecordStore) -> PersistenceFailure? {
    do {
      let generation = store.state.withLock { $0.retention.generation }
      do {
        try engine.open()
        try load(into: store, generation: generation)
      } catch let failure as PersistenceFailure where failure.kind == .corrupt {
        store.log(.persistenceReplaced(reason: failure.description))
        try engine.wipe()
        endLoading(of: store)
      } catch let failure as PersistenceFailure where failure.kind == .wiped {
        endLoading(of: store)
      }
      return nil
    } catch {
      engine.close()
      let failure = PersistenceFailure(wrapping: error)
      let published = store.withState { $0.endLoading(isStopped: true) }
      DeliveryQueue.deliver(published.deliveries)
      store.log(.persistenceFailed(failure.description))
      return failure
    }
  }

  /// Reads the rows and merges their contents into a store.
  ///
  /// Another thread builds the table of all ids while the rows after the ids are read.
  private func load(into store: RecordStore, generation: UInt64) throws {
    var image = PersistedImage(format: format)
    var indexed: ConcurrentResult<IndexedIDs?>?
    try engine.read { key, row in
      if indexed == nil, key.table.rawValue > PersistenceTable.ids.rawValue {
        let ids = store.state.withLock { $0.internedIDs }
        indexed = ConcurrentResult { [stored = image.ids] in IndexedIDs(ids, stored: stored) }
      }
      try image.add(row, at: key)
    }
    try image.check()
    if let header = image.header, header.schema != schema {
      throw PersistenceFailure(.corrupt, "The records have a different schema.")
    }
    if image.header == nil { return endLoading(of: store) }
    var loaded = try LoadedImage(image, schema: schema)
    while !store.state.withLock({ loaded.internNames(in: $0.source.keys, limit: 512) }) {}
    var ids = indexed?.wait() ?? nil
    indexed = nil
    try attach(loaded, &ids, to: store, generation: generation)
  }

  /// Merges the loaded data into a store.
  ///
  /// If the store has assigned an id since the table of all ids was built, the table is rebuilt;
  /// after three attempts that happens under the store's lock.
  private func attach(
    _ loaded: LoadedImage, _ indexed: inout IndexedIDs?, to store: RecordStore,
    generation: UInt64
  ) throws {
    for attempt in 0... {
      let attached = store.withState { [format] state in
        Result { try state.attach(loaded, &indexed, generation: generation, format: format) }
      }
      if let attached = try attached.get() {
        writer = attached.writer
        DeliveryQueue.deliver(attached.published.deliveries)
        return store.log(.loaded(records: loaded.recordCount))
      }
      let ids = store.state.withLock { $0.internedIDs }
      indexed = attempt < 2 ? IndexedIDs(ids, stored: loaded.image.ids) : nil
    }
  }

  /// Starts with an empty database.
  private func endLoading(of store: RecordStore) {
    writer = JournalEncoder(format: format, schema: schema)
    let published = store.withState { $0.endLoading(isStopped: false) }
    DeliveryQueue.deliver(published.deliveries)
    store.log(.loaded(records: 0))
  }

  // MARK: Storing

  /// Persists the changes of a store.
  ///
  /// - Returns: The persisted revision; `nil` without changes.
  func write(changesOf store: RecordStore) throws -> UInt64? {
    guard let writer, let batch = store.state.withLock({ $0.takeBatch(for: writer) }) else {
      return nil
    }
    if !isDamageReported, store.state.withLock({ $0.source.base.stored?.isDamaged ?? false }) {
      isDamageReported = true
      store.log(.persistedRecordsDamaged)
    }
    guard let rows = try self.writer?.rows(for: batch) else { return nil }
    // Reopens the database after a wipe.
    try engine.open()
    try engine.write(rows)
    return batch.revision
  }

  /// Removes the database. The next write recreates it.
  func wipe() throws {
    try engine.wipe()
    writer = JournalEncoder(format: format, schema: schema)
  }

  /// Reopens the database. If another process has written to it in the meantime, everything is
  /// persisted anew.
  func reopen(for store: RecordStore) throws {
    try engine.open()
    let header = try engine.row(at: PersistedHeader.key)?.withUnsafeBytes { [format] row in
      try PersistedHeader(format.open(row, at: PersistedHeader.key).contents)
    }
    if header?.sum != writer?.sum {
      store.state.withLock { $0.source.observers.unstored.replaceAll() }
    }
  }
}
