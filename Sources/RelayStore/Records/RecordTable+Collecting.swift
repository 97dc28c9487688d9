/// The removal of records that the garbage collector has not reached.
extension RecordTable {
  /// Replaces a collected record with its tombstone. A deleted record (``Record/State/deleted``) is
  /// still a record, not a tombstone.
  mutating func entomb(_ index: RecordIndex) {
    // A persisted record that is not decoded has its tombstone already.
    guard let record = records.unretained(at: index.position) else { return removePersisted(index) }
    // Unretained: the tree copies the id before it retires the record.
    let isEntombed = record._withUnsafeGuaranteedRef {
      $0.withID { records.entomb(index.position, id: $0) }
    }
    // No room for another tombstone.
    if !isEntombed, let record = records[index.position] {
      records[index.position] = record.withID { .unknown(id: $0) }
    }
  }

  /// Removes a record or tombstone and its id. The index becomes free after
  /// ``purgeBuckets(from:count:)``.
  mutating func drop(_ index: RecordIndex) {
    guard isInUse(index) else { return }
    removePersisted(index)
    records[index.position] = nil
    count -= 1
    dropped.insert(index)
  }

  /// The number of records that are not of state ``Record/State/unknown``.
  ///
  /// - Complexity: O(*n*) in the indexes.
  package var existingCount: Int {
    var count = 0
    for position in records.indices {
      guard let record = unretained(RecordIndex(position)) else { continue }
      // Unretained: the table owns the record, and is not mutated during the call.
      if record._withUnsafeGuaranteedRef({ $0.state != .unknown }) { count += 1 }
    }
    return count
  }

  /// Returns a table with some of this table's records, at the same indexes.
  ///
  /// - Parameters:
  ///   - kept: The indexes of the records to copy.
  ///   - linked: The indexes that these records link to. Each index that is not in `kept` has a
  ///     tombstone in the new table.
  /// - Complexity: O(*n*) in the indexes up to the last one in `kept` or `linked`.
  func table(keeping kept: [RecordIndex], linked: [RecordIndex]) -> RecordTable {
    var table = RecordTable()
    let end = (kept + linked).reduce(0) { max($0, $1.position + 1) }
    table.records = RecordTree(count: end)
    for index in kept where !table.isInUse(index) {
      if let record = self[index] { table.assign(record, to: index) }
    }
    for index in linked where !table.isInUse(index) {
      guard let record = self[index] else { continue }
      table.assign(record, to: index)
      table.entomb(index)
    }
    table.free = (0..<end).lazy.map { RecordIndex($0) }.filter { !table.isInUse($0) }
    return table
  }

  /// Inserts a record at an index that is neither in use nor free.
  private mutating func assign(_ record: RecordBox, to index: RecordIndex) {
    records[index.position] = record
    count += 1
    if count * 4 > ids.count * 3 { resize(to: ids.count * 2) }
    ids.insert(IDTable.bucket(index, hash: record.withID(Self.hash)))
  }

  /// Visits `count` buckets and clears the ones of dropped indexes.
  ///
  /// No index may be dropped between the first and the last call of one pass over the buckets.
  ///
  /// - Returns: The bucket to continue with; `nil` when all dropped indexes are free or a rehash
  ///   will free them.
  mutating func purgeBuckets(from first: Int, count: Int) -> Int? {
    // A small, mostly empty table is about to be rehashed, and a rehash skips dropped indexes.
    if dropped.isEmpty || isSmall && isMostlyEmpty { return nil }
    let end = min(ids.count, first + count)
    // A bucket that moves from the start of the table to its end was purged already.
    ids.removeBuckets(in: first..<max(first, end)) { dropped.contains($0) }
    if end < ids.count { return end }
    free += dropped.indexes
    dropped = RecordList()
    return nil
  }

  /// Whether the buckets can be rehashed within one slice, however many are in use.
  private var isSmall: Bool { ids.count <= 1 << 16 }

  /// Whether less than a third of the buckets are in use.
  private var isMostlyEmpty: Bool { ids.count > 16 && count * 8 <= ids.count / 2 * 5 }

  /// Shrinks the buckets if two thirds of them are empty. A large table is shrunk only if seven
  /// eighths are, to bound the time of the rehash.
  mutating func shrinkBuckets() {
    guard isSmall || count * 8 <= ids.count else { return }
    var size = ids.count
    while size > 16, count * 8 <= size / 2 * 5 { size /= 2 }
    if size < ids.count { resize(to: size) }
  }

  /// Removes the trailing indexes that are not in use, and the unused capacity of ``free``.
  mutating func shrinkIndexes() {
    guard dropped.isEmpty else { return }
    var end = records.count
    while end > 0, !isInUse(RecordIndex(end - 1)) { end -= 1 }
    records.compactTombstones()
    if free.count * 2 < free.capacity || end < records.count {
      free = free.filter { $0.position < end }
    }
    if end < records.count { records.truncate(to: end) }
  }
}
