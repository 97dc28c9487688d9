/// A table of all ids of a store and its storage, without records.
///
/// The store's ids keep their indexes. A persisted id that the store does not have gets its number
/// as its index, if that index is free.
package struct IndexedIDs {
  /// A table with a tombstone for each id.
  private var table: RecordTable
  /// The numbers of the table's indexes.
  package let numbering: RecordNumbering
  /// The exclusive upper bound of the store's own indexes.
  package let count: Int

  /// Removes and returns the table, so that the caller can write it without a copy.
  package mutating func takeTable() -> RecordTable {
    var taken = RecordTable()
    swap(&taken, &table)
    return taken
  }

  /// Indexes ids.
  ///
  /// - Parameters:
  ///   - ids: The ids of the store, by index; `nil` for an index that is not in use.
  ///   - stored: The persisted ids.
  /// - Returns: `nil` if two persisted ids are equal, or there are too many ids.
  /// - Complexity: O(*n*) in the ids.
  package init?(_ ids: [DataID?], stored: PersistedIDs) {
    count = ids.count
    let bound = max(ids.count, stored.bound)
    guard bound + ids.count < Int(Int32.max),
      stored.byteCount + ids.count * 64 < Int(Int32.max)
    else { return nil }
    var table = RecordTable()
    var size = table.ids.count
    while (stored.count + ids.count) * 4 > size * 3 { size *= 2 }
    table.ids = IDTable(count: size)
    table.records = stored.tombstones
    while table.records.count < bound { table.records.append(nil) }
    let own = (0..<ids.count).map { RecordIndex($0) }
    for index in own { table.records[index.position] = nil }
    for (index, id) in zip(own, ids) { id?.withBytes { _ = table.insertTombstone($0, at: index) } }
    var indexes: [UInt32: UInt32] = [:]
    var (matched, isValid) = (RecordSet(), true)
    func match(_ number: RecordIndex, with index: RecordIndex) {
      // The found index is one of the store's, unless an id is persisted twice.
      if index.position >= ids.count || !matched.insert(index) { isValid = false }
      indexes[number.rawValue] = index.rawValue
    }
    for number in own {
      _ = stored.tombstones.withTombstone(at: number.position) { id in
        let index = RecordIndex(table.records.count)
        if let found = table.insertTombstone(id, at: index) { return match(number, with: found) }
        indexes[number.rawValue] = index.rawValue
      }
    }
    for (number, index) in table.insertBuckets(from: ids.count, to: stored.bound) {
      table.records[number.position] = nil
      match(number, with: index)
    }
    guard isValid else { return nil }
    table.count = table.records.tombstoneCount
    table.free = table.records.indices.lazy.map { RecordIndex($0) }.filter { !table.isInUse($0) }
    self.table = table
    numbering = RecordNumbering(indexes: indexes.filter { $0.key != $0.value })
  }
}

extension RecordTable {
  /// Inserts a tombstone with its bucket, unless its id already has an index.
  ///
  /// - Returns: The index that the id already has.
  fileprivate mutating func insertTombstone(
    _ id: UnsafeRawBufferPointer, at index: RecordIndex
  ) -> RecordIndex? {
    let hash = Self.hash(id)
    let (found, bucket) = find(id, hash: hash)
    if let found { return found }
    if index.position == records.count { records.append(nil) }
    _ = records.entomb(index.position, id: id)
    ids[bucket] = IDTable.bucket(index, hash: hash)
    return nil
  }

  /// Inserts the buckets of tombstones, except for ids that already have an index.
  ///
  /// - Precondition: The table has no records.
  /// - Returns: The tombstones without a bucket, each with the index that its id already has.
  fileprivate mutating func insertBuckets(
    from first: Int, to end: Int
  ) -> [(tombstone: RecordIndex, index: RecordIndex)] {
    var others: [(tombstone: RecordIndex, index: RecordIndex)] = []
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { hashes in
      for start in stride(from: first, to: end, by: 64) {
        let indexes = (start..<min(end, start + 64)).lazy.map { RecordIndex($0) }
        // Computes all hashes first, so that the memory accesses of the buckets overlap.
        for (position, index) in indexes.enumerated() {
          hashes[position] = records.withTombstone(at: index.position, Self.hash) ?? 0
        }
        for (position, index) in indexes.enumerated() where records.hasTombstone(at: index.position)
        {
          let hash = hashes[position]
          let (other, bucket) =
            records.withTombstone(at: index.position) { find($0, hash: hash) } ?? (nil, 0)
          if let other {
            others.append((index, other))
          } else {
            ids[bucket] = IDTable.bucket(index, hash: hash)
          }
        }
      }
    }
    return others
  }
}
