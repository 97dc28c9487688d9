/// The table of a store whose stored records were loaded.
extension RecordTable {
  /// Returns a table with a tombstone for each id of a store and each stored id.
  ///
  /// The ids of the store keep their indexes. A stored id that the store does not have gets its
  /// number as its index, if that is free.
  ///
  /// - Parameters:
  ///   - ids: The ids of the store, by index; `nil` for an index that is not in use.
  ///   - stored: The stored ids.
  /// - Returns: The table, and the numbers of its indexes; `nil` if two stored ids are equal, or
  ///   there are too many.
  /// - Complexity: O(*n*) in the ids.
  static func table(ids: [DataID?], stored: StoredIDs) -> (RecordTable, RecordNumbering)? {
    let bound = max(ids.count, stored.bound)
    guard bound + ids.count < Int(Int32.max),
      stored.byteCount + ids.count * 64 < Int(UInt32.max) / 2
    else { return nil }
    var table = RecordTable()
    var size = table.buckets.count
    while (stored.count + ids.count) * 4 > size * 3 { size *= 2 }
    table.buckets = ContiguousArray(repeating: 0, count: size)
    table.records = ContiguousArray(repeating: nil, count: bound)
    table.tombstones.reserveCapacity(
      indexes: bound, bytes: stored.byteCount + stored.count * 2)
    for (position, id) in ids.enumerated() {
      id?.withBytes { id in
        let hash = hash(id)
        table.insertTombstone(
          id, hash: hash, at: RecordIndex(position), bucket: table.find(id, hash: hash).bucket)
      }
    }
    var indexes: [UInt32: UInt32] = [:]
    var (matched, isValid) = (RecordSet(), true)
    stored.forEach { number, id in
      let hash = hash(id)
      var index: RecordIndex
      let (found, bucket) = table.find(id, hash: hash)
      if let found {
        // Found among the ids of the store, unless it is stored twice.
        if found.position >= ids.count || !matched.insert(found) { isValid = false }
        index = found
      } else {
        index = RecordIndex(number)
        if number < ids.count {
          index = RecordIndex(table.records.count)
          table.records.append(nil)
        }
        table.insertTombstone(id, hash: hash, at: index, bucket: bucket)
      }
      if index.position != number || number < ids.count {
        indexes[UInt32(number)] = index.rawValue
      }
    }
    guard isValid else { return nil }
    table.free = table.records.indices.lazy.map { RecordIndex($0) }.filter { !table.isInUse($0) }
    return (table, RecordNumbering(indexes: indexes.filter { $0.key != $0.value }))
  }

  private mutating func insertTombstone(
    _ id: UnsafeRawBufferPointer, hash: UInt32, at index: RecordIndex, bucket: Int
  ) {
    _ = tombstones.insert(index, id: id)
    count += 1
    buckets[bucket] = UInt64(hash) << 32 | UInt64(index.rawValue + 1)
  }
}
