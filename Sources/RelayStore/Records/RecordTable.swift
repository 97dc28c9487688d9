/// The records by index, and the indexes by id.
///
/// A hash table with linear probing. A bucket is 0, or the hash of an id in the upper half and the
/// record's index plus one in the lower half. The id itself is in the record or its tombstone.
/// Hashes are the standard library's, seeded per process, since servers choose ids.
///
/// An index has one of these states:
///
/// - In use: it has a record or a tombstone.
/// - Dropped: it has neither, but a bucket may still lead to it.
/// - Free: no bucket leads to it, so it can be assigned again.
///
/// ``entomb(_:)`` replaces a record by a tombstone, ``drop(_:)`` ends the use of an index,
/// ``purgeBuckets(from:count:)`` or a rehash frees dropped indexes.
package struct RecordTable {
  var records: ContiguousArray<RecordStorage?> = []
  var tombstones = IDTombstones()
  var buckets: ContiguousArray<UInt64> = ContiguousArray(repeating: 0, count: 16)
  var count = 0
  /// The free list.
  var free: [RecordIndex] = []
  /// The dropped indexes, which buckets may still lead to.
  var dropped = RecordList()

  package init() {}

  /// The high-water mark: the exclusive upper bound of all indexes. Not all below it are in use.
  package var indexBound: Int { records.count }

  /// Returns the hash of an id.
  package static func hash(_ id: UnsafeRawBufferPointer) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: id)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  /// The record at an index in use. A tombstone gives a record of which only the id is known.
  package subscript(index: RecordIndex) -> RecordStorage? {
    guard index.position < records.count else { return nil }
    return records[index.position] ?? tombstones.withID(of: index) { .unknown(id: $0) }
  }

  /// Returns the id of an index in use.
  package func id(of index: RecordIndex) -> DataID? {
    guard index.position < records.count else { return nil }
    return records[index.position]?.id ?? tombstones.withID(of: index) { DataID($0.text) }
  }

  /// Whether an index has a record or a tombstone.
  func isInUse(_ index: RecordIndex) -> Bool {
    records[index.position] != nil || tombstones.contains(index)
  }

  /// Returns the record at an index without retaining it.
  ///
  /// The reference is valid until the table is next written. The caller upholds that by using it
  /// under the store's lock, within one function that does not write.
  @inline(__always)
  package func unretained(_ index: RecordIndex) -> Unmanaged<RecordStorage>? {
    records.withUnsafeBufferPointer { records in
      guard index.position < records.count, let first = records.baseAddress else { return nil }
      // An optional object reference has the layout of an optional pointer. Loading it as a pointer
      // avoids the retain of a copy.
      let address = UnsafeRawPointer(first + index.position).load(as: UnsafeRawPointer?.self)
      return address.map { .fromOpaque($0) }
    }
  }

  /// Calls the closure with the record at an index in use, without retaining the record.
  ///
  /// The table holds the record meanwhile: the borrow of `records` keeps it from being written.
  @inline(__always)
  func withRecord<Result>(at index: RecordIndex, _ body: (RecordStorage) -> Result?) -> Result? {
    records.withUnsafeBufferPointer { records in
      guard let record = records[index.position] else { return nil }
      return Unmanaged.passUnretained(record)._withUnsafeGuaranteedRef { body($0) }
    }
  }

  /// Returns the index of an id, or `nil` if it has none.
  package func index(of id: UnsafeRawBufferPointer, hash: UInt32) -> RecordIndex? {
    var position = Int(hash) & (buckets.count - 1)
    while true {
      let bucket = buckets[position]
      if bucket == 0 { return nil }
      if UInt32(truncatingIfNeeded: bucket >> 32) == hash {
        let index = RecordIndex(rawValue: UInt32(truncatingIfNeeded: bucket) - 1)
        let isSame =
          withRecord(at: index) { $0.withID { $0.hasSameBytes(as: id) } }
          ?? tombstones.withID(of: index) { $0.hasSameBytes(as: id) }
        if isSame == true { return index }
      }
      position = (position + 1) & (buckets.count - 1)
    }
  }

  /// The number of buckets that are probed to find each id once.
  package var probeCount: Int {
    let mask = buckets.count - 1
    return buckets.indices.reduce(0) { sum, position in
      let bucket = buckets[position]
      return bucket == 0 ? sum : sum + 1 + (position - Int(bucket >> 32)) & mask
    }
  }

  /// Inserts a record and returns its index.
  ///
  /// - Precondition: No record in the table has its id.
  package mutating func insert(_ record: RecordStorage, hash: UInt32) -> RecordIndex {
    let index = free.popLast() ?? RecordIndex(records.count)
    if index.position < records.count {
      records[index.position] = record
    } else {
      records.append(record)
    }
    count += 1
    // Buckets of dropped indexes stay occupied until they are settled.
    if (count + dropped.count) * 4 > buckets.count * 3 {
      resize(to: count * 2 > buckets.count ? buckets.count * 2 : buckets.count)
    }
    insertBucket(UInt64(hash) << 32 | UInt64(index.rawValue + 1))
    return index
  }

  /// Replaces a record or tombstone by a record with the same id.
  package mutating func replace(_ index: RecordIndex, by record: RecordStorage) {
    if records[index.position] == nil { tombstones.remove(index) }
    records[index.position] = record
  }

  /// Reserves capacity for a payload of so many objects that most of their records must be new.
  ///
  /// Half of the objects are expected to be distinct, since the same object often occurs more than
  /// once.
  package mutating func reserveCapacity(forObjects objects: Int) {
    let more = objects / 2
    guard more > records.count * 2 else { return }
    records.reserveCapacity(records.count + more)
    var size = buckets.count
    while (count + more) * 4 > size * 3 { size *= 2 }
    if size > buckets.count { resize(to: size) }
  }

  /// Inserts a bucket at the end of its probe sequence.
  private mutating func insertBucket(_ bucket: UInt64) {
    buckets.withUnsafeMutableBufferPointer { Self.insertBucket(bucket, in: $0) }
  }

  private static func insertBucket(_ bucket: UInt64, in buckets: UnsafeMutableBufferPointer<UInt64>)
  {
    let mask = buckets.count - 1
    var position = Int(bucket >> 32) & mask
    while buckets[position] != 0 { position = (position + 1) & mask }
    buckets[position] = bucket
  }

  /// Rehashes, without the buckets of dropped indexes, which become free.
  private mutating func resize(to size: Int) {
    let (old, dropped) = (buckets, dropped)
    buckets = ContiguousArray(unsafeUninitializedCapacity: size) { new, count in
      new.initialize(repeating: 0)
      count = size
      let new = UnsafeMutableBufferPointer(rebasing: new[..<size])
      old.withUnsafeBufferPointer { old in
        let isAnyDropped = !dropped.isEmpty
        for bucket in old where bucket != 0 {
          if isAnyDropped, dropped.contains(Self.index(inBucket: bucket)) { continue }
          Self.insertBucket(bucket, in: new)
        }
      }
    }
    free += dropped.indexes
    self.dropped = RecordList()
  }

  static func index(inBucket bucket: UInt64) -> RecordIndex {
    RecordIndex(rawValue: UInt32(truncatingIfNeeded: bucket) &- 1)
  }

  /// Clears a bucket.
  private mutating func removeBucket(at bucket: Int) {
    // Buckets behind it move up, so that linear probing still finds them.
    let mask = buckets.count - 1
    var hole = bucket
    var position = (hole + 1) & mask
    while buckets[position] != 0 {
      let home = Int(buckets[position] >> 32) & mask
      if (position - home) & mask >= (position - hole) & mask {
        buckets[hole] = buckets[position]
        hole = position
      }
      position = (position + 1) & mask
    }
    buckets[hole] = 0
  }
}

// MARK: Collecting

extension RecordTable {
  /// Replaces a record by its tombstone.
  mutating func entomb(_ index: RecordIndex) {
    guard let record = records[index.position] else { return }
    if record.withID({ tombstones.insert(index, id: $0) }) {
      records[index.position] = nil
    } else {
      records[index.position] = record.withID { .unknown(id: $0) }
    }
  }

  /// Removes a record or tombstone and its id. The index becomes free after
  /// ``purgeBuckets(from:count:)``.
  mutating func drop(_ index: RecordIndex) {
    guard isInUse(index) else { return }
    records[index.position] = nil
    tombstones.remove(index)
    count -= 1
    dropped.insert(index)
  }

  /// Visits `count` buckets, and clears those of dropped indexes.
  ///
  /// - Returns: The bucket to continue with; `nil` when all dropped indexes are free or a rehash
  ///   will free them.
  mutating func purgeBuckets(from first: Int, count: Int) -> Int? {
    // A small table that is mostly empty is about to be rehashed, which skips dropped indexes.
    if dropped.isEmpty || isSmall && isMostlyEmpty { return nil }
    let end = min(buckets.count, first + count)
    for position in first..<max(first, end) {
      while buckets[position] != 0, dropped.contains(Self.index(inBucket: buckets[position])) {
        removeBucket(at: position)
      }
    }
    if end < buckets.count { return end }
    free += dropped.indexes
    dropped = RecordList()
    return nil
  }

  /// Whether the buckets can be rehashed within one slice, however many are in use.
  private var isSmall: Bool { buckets.count <= 1 << 16 }

  /// Whether less than a third of the buckets are in use.
  private var isMostlyEmpty: Bool { buckets.count > 16 && count * 8 <= buckets.count / 2 * 5 }

  /// Shrinks the buckets if most are empty; a large table only if almost all are, because rehashing
  /// then takes less time.
  mutating func shrinkBuckets() {
    guard isSmall || count * 8 <= buckets.count else { return }
    var size = buckets.count
    while size > 16, count * 8 <= size / 2 * 5 { size /= 2 }
    if size < buckets.count { resize(to: size) }
  }

  /// Shrinks the records by the indexes at the end that are not in use.
  mutating func shrinkIndexes() {
    guard dropped.isEmpty else { return }
    var end = records.count
    while end > 0, !isInUse(RecordIndex(end - 1)) { end -= 1 }
    tombstones.shrink(to: end)
    if free.count * 2 < free.capacity || end < records.count {
      free = free.filter { $0.position < end }
    }
    guard end * 4 < records.capacity * 3 else {
      records.removeLast(records.count - end)
      return
    }
    records = records.withUnsafeMutableBufferPointer { old in
      ContiguousArray(unsafeUninitializedCapacity: end) { new, count in
        guard let from = old.baseAddress, let to = new.baseAddress else { return }
        // Moved rather than copied, because each copy would be retained. The old elements become
        // nil, as those from `end` on already are, so that releasing the old array releases no
        // record.
        to.moveInitialize(from: from, count: end)
        from.initialize(repeating: nil, count: end)
        count = end
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
