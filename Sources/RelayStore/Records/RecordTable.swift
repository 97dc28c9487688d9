/// The records by index, and the indexes by id.
///
/// An index is in one of these states:
///
/// - In use: it has a record or a tombstone.
/// - Dropped: it has neither, but a bucket may still refer to it.
/// - Free: no bucket refers to it, so it can be assigned again.
///
/// A persisted record that is not decoded yet has a tombstone too; ``stored`` decodes it on first
/// access.
///
/// ``entomb(_:)`` replaces a record with a tombstone. ``drop(_:)`` removes a record or tombstone
/// and its id. ``purgeBuckets(from:count:)`` or a rehash frees dropped indexes.
package struct RecordTable {
  var records: RecordTree
  var ids: IDTable
  /// The number of indexes in use.
  package var count = 0
  /// The free list.
  package var free: [RecordIndex] = []
  /// The dropped indexes. Buckets may still refer to them.
  var dropped = RecordList()
  /// The persisted records that are not in ``records`` yet; `nil` if there are none.
  package private(set) var stored: PersistedRecords?
  /// The number of records in ``stored``.
  private var persistedCount = 0

  package init() { self.init(records: RecordTree(), ids: IDTable(), stored: nil) }

  private init(records: RecordTree, ids: IDTable, stored: PersistedRecords?) {
    (self.records, self.ids, self.stored) = (records, ids, stored)
  }

  /// The exclusive upper bound of all indexes. Some below it may not be in use.
  package var indexBound: Int { records.count }

  /// The keys of ``hash(_:)``: random, so that no server can choose ids with the same hash.
  private static let hashKeys = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))

  /// Returns the hash of an id. As in wyhash, words are multiplied, and the halves of the product
  /// combined. `Hasher` takes five times as many instructions for a short id.
  package static func hash(_ id: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = id.baseAddress, !id.isEmpty else { return 0 }
    let (keys, count) = (hashKeys, id.count)
    func fold(_ first: UInt64, _ second: UInt64) -> UInt64 {
      let product = first.multipliedFullWidth(by: second)
      return product.high ^ product.low
    }
    var state = keys.0 ^ UInt64(count)
    for offset in stride(from: 0, to: count - 16, by: 16) {
      state = fold(start.word(at: offset) ^ keys.1, start.word(at: offset + 8) ^ state)
    }
    // The last 16 bytes, of which some may have been read, or fewer.
    let first =
      count < 8
      ? id.reduce(0) { $0 << 8 | UInt64($1) } : start.word(at: max(0, count - 16))
    let last = count < 8 ? 0 : start.word(at: count - 8)
    state = fold(first ^ keys.1, last ^ state)
    return UInt32(truncatingIfNeeded: fold(state ^ keys.0, keys.1))
  }

  /// The record at an index; `nil` if the index is not in use. A tombstone reads as a new record of
  /// state ``Record/State/unknown``.
  package subscript(index: RecordIndex) -> RecordBox? {
    guard index.position < records.count else { return nil }
    return records[index.position] ?? persistedRecord(index)
      ?? records.withTombstone(at: index.position) { .unknown(id: $0) }
  }

  /// Returns the id of an index in use.
  package func id(of index: RecordIndex) -> DataID? {
    guard index.position < records.count else { return nil }
    return records[index.position]?.id
      ?? records.withTombstone(at: index.position) { DataID($0.text) }
  }

  /// Calls the closure with the id of an index; a no-op if the index is not in use.
  package func withID(of index: RecordIndex, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard index.position < records.count else { return }
    if let record = records[index.position] {
      record.withID(body)
    } else {
      _ = records.withTombstone(at: index.position, body)
    }
  }

  /// The number of records, persisted ones included.
  var recordCount: Int { count - records.tombstoneCount + persistedCount }

  /// Whether an index has a record or a tombstone.
  package func isInUse(_ index: RecordIndex) -> Bool { records.isInUse(index.position) }

  // MARK: Versions

  /// Whether a record or an id differs from the last version's.
  var isWritten: Bool { records.words.history.isWritten || ids.words.history.isWritten }

  /// The part of a version that reading uses.
  struct Version {
    var records = WordNodes()
    var ids = WordNodes()
    var stored: PersistedRecords?
  }

  /// Creates a table that reads published versions.
  init(published version: Version) {
    self.init(
      records: RecordTree(published: version.records), ids: IDTable(published: version.ids),
      stored: version.stored)
  }

  /// Reads another published version.
  mutating func show(_ version: Version) {
    records.show(version.records)
    ids.show(version.ids)
    stored = version.stored
  }

  /// Ends the version that is being written, and returns it; see ``WordTree/publish(_:)``.
  mutating func publish(_ number: UInt64) -> Version {
    Version(records: records.publish(number), ids: ids.publish(number), stored: stored)
  }

  /// Frees what only the versions before one can reach, except the records that it returns.
  func reclaim(before version: UInt64) -> RetiredRecords? {
    _ = ids.words.reclaim(before: version)
    stored?.reclaim(before: version)
    return records.reclaim(before: version)
  }

  // MARK: Looking up

  /// Returns the record at an index without retaining it; `nil` for a tombstone, unlike the
  /// subscript.
  ///
  /// The reference is valid until the next write to the table. The caller must hold the store's
  /// lock, and must not write before its last use of the reference.
  @inline(__always)
  func unretained(_ index: RecordIndex) -> Unmanaged<RecordBox>? {
    records.unretained(at: index.position) ?? unretainedStored(index)
  }

  /// Same as ``unretained(_:)``, for a lookup that is often in the same leaf as the one before.
  ///
  /// - Parameter leaf: The leaf of the last lookup; no write may come between the two.
  @inline(__always)
  func unretained(
    _ index: RecordIndex, _ leaf: inout RecordTree.Leaf
  ) -> Unmanaged<RecordBox>? {
    records.unretained(at: index.position, &leaf) ?? unretainedStored(index)
  }

  /// Returns a persisted record; `nil` if the index has none.
  ///
  /// The reference is valid until the next write to the table, like ``unretained(_:)``'s, because
  /// `stored` retains the records that it has decoded.
  private func unretainedStored(_ index: RecordIndex) -> Unmanaged<RecordBox>? {
    persistedRecord(index).map { .passUnretained($0) }
  }

  /// Calls the closure with the record at an index in use, without retaining the record. Returns
  /// `nil` for a tombstone.
  ///
  /// The record is not released during the call unless the closure writes to the table.
  @inline(__always)
  func withRecord<Result>(at index: RecordIndex, _ body: (RecordBox) -> Result?) -> Result? {
    unretained(index)?._withUnsafeGuaranteedRef { body($0) }
  }

  /// Returns the index of an id; `nil` if the id has none.
  package func index(of id: UnsafeRawBufferPointer, hash: UInt32) -> RecordIndex? {
    find(id, hash: hash).index
  }

  /// Returns the index of an id, or the empty bucket at the end of its probe sequence.
  @inline(__always)
  package func find(_ id: UnsafeRawBufferPointer, hash: UInt32) -> (
    index: RecordIndex?, bucket: Int
  ) {
    ids.find(hash: hash) { index in
      let word = records.words.nodes[index.position]
      if word & 1 != 0 { return records.id(ofTombstone: word).hasSameBytes(as: id) }
      return RecordTree.record(word)?._withUnsafeGuaranteedRef {
        $0.withID { $0.hasSameBytes(as: id) }
      } ?? false
    }
  }

  /// Inserts a record and returns its index.
  ///
  /// - Precondition: No record in the table has its id.
  package mutating func insert(_ record: RecordBox, hash: UInt32) -> RecordIndex {
    let index = free.popLast() ?? RecordIndex(records.count)
    if index.position < records.count {
      records[index.position] = record
    } else {
      records.append(record)
    }
    count += 1
    // Buckets of dropped indexes are occupied until ``purgeBuckets(from:count:)`` or a rehash.
    if (count + dropped.count) * 4 > ids.count * 3 {
      resize(to: count * 2 > ids.count ? ids.count * 2 : ids.count)
    }
    ids.insert(IDTable.bucket(index, hash: hash))
    return index
  }

  /// Replaces a record or tombstone with a record that has the same id.
  package mutating func replace(_ index: RecordIndex, by record: RecordBox) {
    removePersisted(index)
    records[index.position] = record
  }

  /// Whether an index has a record in ``records`` that exists or was deleted.
  package func isDecoded(_ index: RecordIndex) -> Bool {
    records[index.position].map { $0.state != .unknown } ?? false
  }

  /// Reserves capacity for the records of a large payload. A no-op unless the payload has so many
  /// objects that most of its records must be new.
  ///
  /// Assumes that half of the objects are distinct, because the same object often occurs
  /// repeatedly.
  package mutating func reserveCapacity(forObjects objects: Int) {
    let more = objects / 2
    guard more > records.count * 2 else { return }
    var size = ids.count
    while (count + more) * 4 > size * 3 { size *= 2 }
    if size > ids.count { resize(to: size) }
  }

  /// Rehashes without the buckets of dropped indexes, and frees those indexes.
  mutating func resize(to size: Int) {
    let dropped = dropped
    ids.resize(to: size) { dropped.isEmpty || !dropped.contains($0) }
    free += dropped.indexes
    self.dropped = RecordList()
  }
}

/// Persisted records that are decoded when they are first accessed.
extension RecordTable {
  /// Whether a record is persisted and not in ``records`` yet.
  package func isPersisted(_ index: RecordIndex) -> Bool { records.isPersisted(index.position) }

  /// The records that are persisted and not in ``records`` yet.
  package var persistedIndexes: RecordSet {
    var indexes = RecordSet()
    if stored == nil { return indexes }
    for position in records.indices where records.isPersisted(position) {
      indexes.insert(RecordIndex(position))
    }
    return indexes
  }

  /// Returns a persisted record; `nil` if the index has none.
  package func persistedRecord(_ index: RecordIndex) -> RecordBox? {
    guard let stored, isPersisted(index) else { return nil }
    return stored.record(at: index, in: self)
  }

  /// Sets the persisted records. Each has a tombstone.
  package mutating func setPersisted(_ stored: PersistedRecords, _ indexes: RecordSet) {
    indexes.forEach { index in
      if records.setPersisted(true, at: index.position) { persistedCount += 1 }
    }
    self.stored = persistedCount == 0 ? nil : stored
  }

  /// Makes the tombstone of a persisted record an ordinary one; a no-op if there is none.
  mutating func removePersisted(_ index: RecordIndex) {
    guard stored != nil, records.setPersisted(false, at: index.position) else { return }
    persistedCount -= 1
    if persistedCount == 0 { stored = nil }
  }

  /// Same for all persisted records.
  mutating func removePersisted() { persistedIndexes.forEach { removePersisted($0) } }

  /// Moves decoded persisted records to ``records``, so that lookups find them there first. A
  /// record that cannot be decoded counts as never persisted.
  package mutating func moveDecoded() {
    guard let stored else { return }
    for (page, decoded) in stored.takeDecoded(records.words.history.version) {
      for (slot, record) in decoded.records.enumerated() {
        let index = stored.decoder.numbering.index(of: PersistedPage.number(slot, of: page))
        guard isPersisted(index), decoded.has(slot) else { continue }
        removePersisted(index)
        if let record { records[index.position] = record }
      }
    }
  }
}

extension DataID {
  /// Calls the closure with the UTF-8 bytes of the id.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    var text = rawValue
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }
}
