extension StoreJournalWork {
  // MARK: Loading

  /// Loads the records into a store. A database that is damaged, or of another version, is replaced by
  /// an empty one.
  ///
  /// - Returns: The failure, if there is no usable database.
  func load(into store: RecordStore) -> StorageFailure? {
    do {
      let generation = store.state.withLock { $0.retention.generation }
      do {
        try engine.open()
        try attach(try read(), to: store, generation: generation)
      } catch let failure as StorageFailure where failure.kind == .corrupt {
        store.log(.storageReplaced(reason: failure.description))
        try engine.wipe()
        endLoading(of: store)
      } catch let failure as StorageFailure where failure.kind == .wiped {
        endLoading(of: store)
      }
      return nil
    } catch {
      engine.close()
      let failure = StorageFailure(wrapping: error)
      let published = store.withState { $0.endLoading(isStopped: true) }
      DeliveryQueue.deliver(published.deliveries)
      store.log(.storageFailed(failure.description))
      return failure
    }
  }

  private func read() throws -> StoredImage {
    var image = StoredImage(format: format)
    try engine.read { key, row in try image.add(row, at: key) }
    try image.check()
    if let header = image.header, header.schema != schema {
      throw StorageFailure(.corrupt, "The records are of another schema.")
    }
    return image
  }

  /// Merges what was read into a store.
  ///
  /// The table of all ids is made while the store is unlocked. When the store has assigned an id
  /// meanwhile, it is made again; at last with the store locked.
  private func attach(
    _ image: StoredImage, to store: RecordStore, generation: UInt64
  ) throws {
    if image.header == nil { return endLoading(of: store) }
    var loaded = try LoadedStorage(image, schema: schema)
    while !store.state.withLock({ loaded.internNames(in: &$0.source.keys, limit: 512) }) {}
    let stored = loaded
    for attempt in 0... {
      let ids = store.state.withLock { $0.internedIDs }
      let table = attempt < 3 ? RecordTable.table(ids: ids, stored: image.ids) : nil
      let attached = store.withState { [format] state in
        Result { () throws -> StoreState.Attached? in
          let ids = table == nil ? state.internedIDs : ids
          guard let (table, numbering) = table ?? RecordTable.table(ids: ids, stored: image.ids)
          else { throw StorageFailure(.corrupt, "Two records have the same id.") }
          return try state.attach(
            stored, table, numbering, idCount: ids.count, generation: generation, format: format)
        }
      }
      guard let attached = try attached.get() else { continue }
      writer = attached.writer
      DeliveryQueue.deliver(attached.published.deliveries)
      return store.log(.loaded(records: loaded.recordCount))
    }
  }

  /// Begins with an empty database.
  private func endLoading(of store: RecordStore) {
    writer = StoreWriter(format: format, schema: schema)
    let published = store.withState { $0.endLoading(isStopped: false) }
    DeliveryQueue.deliver(published.deliveries)
    store.log(.loaded(records: 0))
  }

  // MARK: Storing

  /// Stores the changes of a store.
  ///
  /// - Returns: The revision that is stored; `nil` if nothing has changed.
  func write(changesOf store: RecordStore) throws -> UInt64? {
    guard let writer, let batch = store.state.withLock({ $0.takeBatch(for: writer) }) else {
      return nil
    }
    if !isDamageReported, store.state.withLock({ $0.source.base.stored?.isDamaged ?? false }) {
      isDamageReported = true
      store.log(.storedRecordsDamaged)
    }
    guard let rows = try self.writer?.rows(for: batch) else { return nil }
    // Opens the database again after it was wiped.
    try engine.open()
    try engine.write(rows)
    return batch.revision
  }

  /// Removes the database. The next write creates it again.
  func wipe() throws {
    try engine.wipe()
    writer = StoreWriter(format: format, schema: schema)
  }

  /// Opens the database again. If another process has written it meanwhile, everything is stored anew.
  func reopen(for store: RecordStore) throws {
    try engine.open()
    let header = try engine.row(at: StorageHeader.key)?.withUnsafeBytes { [format] row in
      try StorageHeader(format.open(row, at: StorageHeader.key).contents)
    }
    if header?.sum != writer?.sum {
      store.state.withLock { $0.source.observers.unstored.replaceAll() }
    }
  }
}
