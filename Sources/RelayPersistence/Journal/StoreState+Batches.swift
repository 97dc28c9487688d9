import RelayStore

/// The batches that a store's journal persists.
extension StoreState {
  /// Takes the base's changes since the last batch.
  ///
  /// - Returns: `nil` without changes.
  /// - Complexity: O(*n*) in the changed records, plus one bit for each record of the store.
  mutating func takeBatch(for writer: JournalEncoder) -> BaseBatch? {
    let isSecure = hasStoredPrivateRecords(writer)
    if !isSecure, source.observers.unstored.isEmpty,
      !source.observers.invalidations.hasUnstored, !retention.hasChanges, !writer.isCompacting
    {
      return nil
    }
    // After a reset, the first write waits for data.
    if source.observers.unstored.isReplacement, isEmpty { return nil }
    // Undecoded pages would be persisted unchanged.
    if isSecure {
      source.observers.privateRecords.insertRecords(of: source.base, decodingAll: true)
      source.observers.unstored.replaceAll()
    }
    source.base.moveDecoded()
    let changes = source.observers.unstored.drain()
    let numbering = writer.numbering
    var batch = BaseBatch(revision: revision, run: persistenceRun?.number ?? 0)
    batch.isReplacement = changes.isReplacement
    batch.isSecure = isSecure
    batch.privateElements = source.observers.privateRecords.elements.text
    batch.keys = source.keys.texts(from: writer.keyCount)
    let all = changes.isReplacement ? source.allIndexes : nil
    for (page, _) in numbering.slots(of: all ?? changes.ids.indexes) {
      batch.ids.append((page, encodedIDs(ofPage: page, numbering)))
    }
    take(numbering.slots(of: all ?? changes.records.indexes), writer, into: &batch)
    takeEpochs(numbering, into: &batch)
    takeRoots(into: &batch)
    return batch
  }

  /// Whether persisted data may have become private, so that everything must be persisted anew.
  private mutating func hasStoredPrivateRecords(_ writer: JournalEncoder) -> Bool {
    let newElements = source.observers.privateRecords.newElements
    if !newElements.isEmpty {
      source.observers.privateRecords.insertRecords(of: source.base, decodingAll: false)
    }
    return source.observers.privateRecords.beginBatch() || writer.mayHave(newElements)
  }

  /// Whether the store contains only an empty root and no operations.
  private var isEmpty: Bool {
    source.base.existingCount == 1 && source[base: RecordIndex(0)].keys.isEmpty
      && retention.entries.isEmpty
  }

  /// Takes the changed records of pages, and all records of pages that the writer compacts.
  private mutating func take(
    _ pages: [(page: Int, slots: UInt64)], _ writer: JournalEncoder, into batch: inout BaseBatch
  ) {
    let numbering = writer.numbering
    var compacted = Set(batch.isReplacement ? [] : writer.pagesToCompact)
    for (page, slots) in pages {
      let isWhole =
        batch.isReplacement || !writer.hasPage(page) || compacted.remove(page) != nil
        || slots.nonzeroBitCount >= JournalEncoder.pageThreshold
      if isWhole {
        batch.pages.append(self.page(page, numbering))
      } else {
        for slot in 0..<PersistedPage.size where slots >> UInt64(slot) & 1 != 0 {
          let number = PersistedPage.number(slot, of: page)
          batch.changes.append((number, entry(at: numbering.index(of: number))))
        }
      }
    }
    for page in compacted.sorted() { batch.pages.append(self.page(page, numbering)) }
  }

  /// Takes the epochs of invalidated records.
  private mutating func takeEpochs(_ numbering: RecordNumbering, into batch: inout BaseBatch) {
    batch.epoch = source.observers.invalidations.epoch
    batch.storeInvalidatedAt = source.observers.invalidations.storeInvalidatedAt
    var changed = source.observers.invalidations.drainUnstored()
    if batch.isReplacement { changed = ContiguousArray(source.observers.invalidations.indexes) }
    for (page, _) in numbering.slots(of: changed) {
      var (slots, values) = (UInt64(0), ByteWriter())
      for slot in 0..<PersistedPage.size {
        let index = numbering.index(of: PersistedPage.number(slot, of: page))
        let epochs = source.observers.invalidations.epochs(of: index)
        if epochs.invalidated == nil && epochs.written == nil || isPrivate(index) { continue }
        slots |= 1 << UInt64(slot)
        values.number(epochs.invalidated.map { $0 + 1 } ?? 0)
        values.number(epochs.written.map { $0 + 1 } ?? 0)
      }
      var writer = ByteWriter()
      writer.fixed(slots)
      values.bytes.withUnsafeBytes { writer.raw($0) }
      batch.epochs.append((page, slots == 0 ? nil : writer.bytes))
    }
  }

  /// Takes the changed operations whose data is retained.
  private mutating func takeRoots(into batch: inout BaseBatch) {
    if batch.isReplacement { retention.markAllChanged() }
    for identity in retention.drainChanges() {
      guard let entry = retention.entries[identity], let id = source.id(of: entry.root),
        entry.plan.plan.privacy?.hasPrivateVariables != true, !isPrivate(entry.root)
      else {
        batch.roots.append((identity, nil, nil))
        continue
      }
      var root = PersistedRoot(identity, root: id)
      root.isPinned = entry.isPinned
      if let write = entry.write {
        root.fetchedAt = time.date(write.time)
        root.epoch = write.epoch
        root.maxAge = write.maxAge
        root.isStale = retention.isStale(identity)
      }
      batch.roots.append((identity, root, entry.plan.plan))
    }
  }

  /// Returns a page with all its records.
  private mutating func page(_ page: Int, _ numbering: RecordNumbering) -> BaseBatch.Page {
    var entries = [BaseBatch.Entry?](repeating: nil, count: PersistedPage.size)
    let undecoded = source.base.stored?.bytes(ofPage: page)
    var replaced: UInt64 = 0
    for slot in 0..<PersistedPage.size {
      let index = numbering.index(of: PersistedPage.number(slot, of: page))
      if undecoded != nil, source.base.isPersisted(index) { continue }
      replaced |= 1 << UInt64(slot)
      entries[slot] = entry(at: index)
    }
    return BaseBatch.Page(
      page: page, entries: entries, undecoded: undecoded, replaced: replaced)
  }

  /// Returns the record to persist at an index; `nil` for none.
  private mutating func entry(at index: RecordIndex) -> BaseBatch.Entry? {
    guard index.position < source.base.indexBound, let record = source.base[index],
      record.state != .unknown
    else { return nil }
    let clientWritten = source.observers.clientWritten.fields[index] ?? []
    if source.observers.privateRecords.isEmpty {
      return BaseBatch.Entry(record: Record(record), clientWritten: clientWritten)
    }
    if isPrivate(index) { return nil }
    let fields = source.observers.privateRecords.fields(
      of: Record(record), in: source.base, keys: source.keys)
    if fields.isEmpty {
      return BaseBatch.Entry(record: Record(record), clientWritten: clientWritten)
    }
    var draft = RecordDraft(Record(record))
    for key in fields { _ = draft.remove(key) }
    return BaseBatch.Entry(
      record: draft.record(&source.shapes), clientWritten: clientWritten.subtracting(fields))
  }

  /// Whether a record must not be persisted at all.
  private mutating func isPrivate(_ index: RecordIndex) -> Bool {
    source.observers.privateRecords.isPrivate(index, in: source.base)
  }

  /// Returns the row of a page's ids; `nil` if it has none.
  private mutating func encodedIDs(ofPage page: Int, _ numbering: RecordNumbering) -> [UInt8]? {
    var (slots, ids) = (UInt64(0), ByteWriter(capacity: 1024))
    for slot in 0..<PersistedPage.size {
      let index = numbering.index(of: PersistedPage.number(slot, of: page))
      guard index.position < source.base.indexBound, source.base.isInUse(index) else { continue }
      if !source.base.isDecoded(index), !source.base.isPersisted(index) {
        // An optimistic update may have created the record.
        if source.observers.privateRecords.isPrivate(source[index].typeName) {
          source.observers.privateRecords.insert(index)
        } else {
          source.observers.privateRecords.insertStoredID(index)
        }
      }
      if isPrivate(index) { continue }
      source.base.withID(of: index) { id in
        slots |= 1 << UInt64(slot)
        ids.counted(id)
      }
    }
    if slots == 0 { return nil }
    var writer = ByteWriter(capacity: ids.count + 8)
    writer.fixed(slots)
    ids.bytes.withUnsafeBytes { writer.raw($0) }
    return writer.bytes
  }
}

extension RecordNumbering {
  /// Returns the pages of these records in ascending order, each with its slots as a bit mask.
  fileprivate func slots(
    of indexes: ContiguousArray<RecordIndex>
  ) -> [(page: Int, slots: UInt64)] {
    var slots: ContiguousArray<UInt64> = []
    for index in indexes {
      let number = number(of: index)
      let page = PersistedPage.page(of: number)
      if page >= slots.count {
        slots.append(contentsOf: repeatElement(0, count: page + 1 - slots.count))
      }
      slots[page] |= 1 << UInt64(PersistedPage.slot(of: number))
    }
    return slots.enumerated().lazy.filter { $0.element != 0 }.map { ($0.offset, $0.element) }
  }
}

extension LayeredSource {
  /// The indexes of all records and ids.
  fileprivate var allIndexes: ContiguousArray<RecordIndex> {
    ContiguousArray(
      (0..<base.indexBound).lazy.map { RecordIndex($0) }.filter { self.base.isInUse($0) })
  }
}
