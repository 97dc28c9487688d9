#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore

  extension RecordTable {
    /// Checks these invariants:
    ///
    /// - Each index below ``indexBound`` is either in use, free or dropped.
    /// - `count` is the number of indexes in use.
    /// - The number of buckets is a power of two, and at most three quarters of them are occupied.
    /// - A bucket refers to a dropped index, or to an index in use whose id has the bucket's hash.
    ///   No two buckets refer to the same index.
    /// - Probing finds every id in use.
    ///
    /// - Returns: The first violation, or `nil`.
    /// - Complexity: O(*n*) in the indexes and buckets.
    func checkInvariants() -> String? {
      records.checkInvariants() ?? checkIndexes() ?? checkBuckets() ?? checkProbing()
    }

    private func checkIndexes() -> String? {
      let freeSet = Set(free)
      if freeSet.count != free.count { return "RecordTable: an index is free twice." }
      var inUse = 0
      for position in records.indices {
        let index = RecordIndex(position)
        let states = [isInUse(index), freeSet.contains(index), dropped.contains(index)]
        if states.count(where: { $0 }) != 1 {
          return "RecordTable: index \(position) is in use, free, dropped: \(states)."
        }
        if states[0] { inUse += 1 }
      }
      if let index = free.first(where: { $0.position >= records.count }) {
        return "RecordTable: free index \(index.position) is beyond \(records.count)."
      }
      return inUse == count
        ? nil : "RecordTable: count is \(count), and the indexes in use are \(inUse)."
    }

    private func checkBuckets() -> String? {
      if ids.count.nonzeroBitCount != 1 {
        return "RecordTable: the number of buckets, \(ids.count), is not a power of two."
      }
      var found: Set<RecordIndex> = []
      for position in 0..<ids.count where ids[position] != 0 {
        let bucket = ids[position]
        let index = IDTable.index(of: bucket)
        if !found.insert(index).inserted {
          return "RecordTable: two buckets lead to index \(index.position)."
        }
        if dropped.contains(index) { continue }
        guard index.position < records.count, isInUse(index), let id = id(of: index) else {
          return "RecordTable: a bucket leads to the unused index \(index.position)."
        }
        if id.withBytes(Self.hash) != UInt32(truncatingIfNeeded: bucket >> 32) {
          return "RecordTable: the bucket of \"\(id)\" has another hash."
        }
      }
      return found.count * 4 <= ids.count * 3
        ? nil : "RecordTable: \(found.count) of \(ids.count) buckets are occupied."
    }

    private func checkProbing() -> String? {
      for position in records.indices {
        let index = RecordIndex(position)
        guard isInUse(index), let id = id(of: index) else { continue }
        if id.withBytes({ self.index(of: $0, hash: Self.hash($0)) }) != index {
          return "RecordTable: probing does not find \"\(id)\" at index \(position)."
        }
      }
      return nil
    }
  }

  extension RecordTree {
    /// Checks that the number of tombstones is the number of their words, and that the bytes of
    /// their ids and the unused ones are all bytes.
    ///
    /// - Returns: The first violation, or `nil`.
    func checkInvariants() -> String? {
      var (ids, used) = (0, 0)
      for position in indices {
        guard let size = withTombstone(at: position, \.count) else { continue }
        ids += 1
        used += size + (size < 255 ? 1 : 5)
      }
      if ids != tombstoneCount {
        return "RecordTree: the number of tombstones is \(tombstoneCount), not \(ids)."
      }
      let unused = unusedTombstoneByteCount
      return used + unused == tombstoneByteCount
        ? nil : "RecordTree: \(used) bytes are used and \(unused) not, of \(tombstoneByteCount)."
    }
  }
#endif
