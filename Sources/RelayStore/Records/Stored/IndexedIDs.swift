/// The table of all ids, of a store and of its storage, without a record.
///
/// The ids of the store keep their indexes. A stored id that the store does not have gets its number
/// as its index, if that is free.
package struct IndexedIDs {
  /// A table with a tombstone for each id.
  package let table: RecordTable
  /// The numbers of the table's indexes.
  package let numbering: RecordNumbering
  /// The number of the store's ids.
  package let count: Int

  /// Indexes ids.
  ///
  /// - Parameters:
  ///   - ids: The ids of the store, by index; `nil` for an index that is not in use.
  ///   - stored: The stored ids.
  /// - Returns: `nil` if two stored ids are equal, or there are too many.
  /// - Complexity: O(*n*) in the ids.
  package init?(_ ids: [DataID?], stored: StoredIDs) {
    count = ids.count
    let bound = max(ids.count, stored.bound)
    guard bound + ids.count < Int(Int32.max),
      stored.byteCount + ids.count * 64 < Int(Int32.max)
    else { return nil }
    var table = RecordTable()
    var size = table.buckets.count
    while (stored.count + ids.count) * 4 > size * 3 { size *= 2 }
    table.buckets = ContiguousArray(repeating: 0, count: size)
    table.records = ContiguousArray(repeating: nil, count: bound)
    table.tombstones = stored.tombstones
    let own = (0..<ids.count).map { RecordIndex($0) }
    for index in own { table.tombstones.remove(index) }
    for (index, id) in zip(own, ids) { id?.withBytes { _ = table.insertTombstone($0, at: index) } }
    var indexes: [UInt32: UInt32] = [:]
    var (matched, isValid) = (RecordSet(), true)
    func match(_ number: RecordIndex, with index: RecordIndex) {
      // An id is found among those of the store, unless it is stored twice.
      if index.position >= ids.count || !matched.insert(index) { isValid = false }
      indexes[number.rawValue] = index.rawValue
    }
    for number in own {
      _ = stored.tombstones.withID(of: number) { id in
        let index = RecordIndex(table.records.count)
        if let found = table.insertTombstone(id, at: index) { return match(number, with: found) }
        table.records.append(nil)
        indexes[number.rawValue] = index.rawValue
      }
    }
    for (number, index) in table.insertBuckets(from: ids.count, to: stored.bound) {
      table.tombstones.remove(number)
      match(number, with: index)
    }
    guard isValid else { return nil }
    table.count = table.tombstones.count
    table.free = table.records.indices.lazy.map { RecordIndex($0) }.filter { !table.isInUse($0) }
    self.table = table
    numbering = RecordNumbering(indexes: indexes.filter { $0.key != $0.value })
  }
}

extension RecordTable {
  /// Inserts a tombstone with its bucket, unless its id has an index.
  ///
  /// - Returns: The index that the id has.
  fileprivate mutating func insertTombstone(
    _ id: UnsafeRawBufferPointer, at index: RecordIndex
  ) -> RecordIndex? {
    let hash = Self.hash(id)
    let (found, bucket) = find(id, hash: hash)
    if let found { return found }
    _ = tombstones.insert(index, id: id)
    buckets[bucket] = UInt64(hash) << 32 | UInt64(index.rawValue + 1)
    return nil
  }

  /// Inserts the buckets of tombstones, except those whose ids have an index.
  ///
  /// - Precondition: The table has no record.
  /// - Returns: The tombstones without a bucket, each with the index that its id has.
  fileprivate mutating func insertBuckets(
    from first: Int, to end: Int
  ) -> [(tombstone: RecordIndex, index: RecordIndex)] {
    var others: [(tombstone: RecordIndex, index: RecordIndex)] = []
    let tombstones = tombstones
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { hashes in
      for start in stride(from: first, to: end, by: 64) {
        let indexes = (start..<min(end, start + 64)).lazy.map { RecordIndex($0) }
        // All hashes first, so that the memory of one bucket is awaited while others are.
        for (position, index) in indexes.enumerated() {
          hashes[position] = tombstones.withID(of: index, Self.hash) ?? 0
        }
        buckets.withUnsafeMutableBufferPointer { buckets in
          for (position, index) in indexes.enumerated() where tombstones.contains(index) {
            if let other = Self.insert(index, hash: hashes[position], tombstones, in: buckets) {
              others.append((index, other))
            }
          }
        }
      }
    }
    return others
  }

  /// Inserts the bucket of a tombstone, unless its id has one.
  ///
  /// - Returns: The index that the id has.
  @inline(__always)
  private static func insert(
    _ index: RecordIndex, hash: UInt32, _ tombstones: IDTombstones,
    in buckets: UnsafeMutableBufferPointer<UInt64>
  ) -> RecordIndex? {
    let mask = buckets.count - 1
    var position = Int(truncatingIfNeeded: hash) & mask
    while buckets[position] != 0 {
      if UInt32(truncatingIfNeeded: buckets[position] >> 32) == hash {
        let other = Self.index(inBucket: buckets[position])
        let isSame = tombstones.withID(of: index) { id in
          tombstones.withID(of: other) { $0.hasSameBytes(as: id) } ?? false
        }
        if isSame == true { return other }
      }
      position = (position + 1) & mask
    }
    buckets[position] = UInt64(hash) << 32 | UInt64(index.rawValue + 1)
    return nil
  }
}
