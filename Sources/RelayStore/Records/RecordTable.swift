/// Records by their number, and the numbers by id.
///
/// A hash table with linear probing: a bucket is 0, or the upper half of an id's hash with the
/// record's number plus one below it. The id itself stands in the record, or among the forgotten ones.
/// Hashes are the standard library's, seeded for each process, since servers choose ids.
package struct RecordTable {
  private var records: ContiguousArray<RecordStorage?> = []
  private var forgotten = IDTombstones()
  private var buckets: ContiguousArray<UInt64> = ContiguousArray(repeating: 0, count: 16)
  private var count = 0
  /// Numbers without an id that may be given out again.
  private var free: [RecordIndex] = []
  /// Numbers without an id that buckets still lead to.
  private var dropped = RecordList()

  package init() {}

  /// Numbers are below this; not all are in use.
  package var numberCount: Int { records.count }

  /// An id's hash.
  package static func hash(_ id: UnsafeRawBufferPointer) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: id)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  /// The record behind a number that is in use; of a forgotten one nothing but its id is known.
  package subscript(index: RecordIndex) -> RecordStorage? {
    guard index.position < records.count else { return nil }
    return records[index.position] ?? forgotten.withID(of: index) { .unknown(id: $0) }
  }

  /// The id behind a number that is in use.
  package func id(of index: RecordIndex) -> DataID? {
    guard index.position < records.count else { return nil }
    return records[index.position]?.id ?? forgotten.withID(of: index) { DataID($0.text) }
  }

  /// Whether a number has an id.
  private func isInUse(_ index: RecordIndex) -> Bool {
    records[index.position] != nil || forgotten.contains(index)
  }

  /// The record behind a number, for as long as the table is not written.
  @inline(__always)
  package func unretained(_ index: RecordIndex) -> Unmanaged<RecordStorage>? {
    records.withUnsafeBufferPointer { records in
      guard index.position < records.count, let first = records.baseAddress else { return nil }
      // An optional object is its address: a copy of it would be retained.
      let address = UnsafeRawPointer(first + index.position).load(as: UnsafeRawPointer?.self)
      return address.map { .fromOpaque($0) }
    }
  }

  /// Gives the record behind a number that is in use to the closure, without holding it.
  @inline(__always)
  func withRecord<Result>(at index: RecordIndex, _ body: (RecordStorage) -> Result?) -> Result? {
    records.withUnsafeBufferPointer { records in
      guard let record = records[index.position] else { return nil }
      return Unmanaged.passUnretained(record)._withUnsafeGuaranteedRef { body($0) }
    }
  }

  /// The number of an id, if it has one.
  package func index(of id: UnsafeRawBufferPointer, hash: UInt32) -> RecordIndex? {
    var position = Int(hash) & (buckets.count - 1)
    while true {
      let bucket = buckets[position]
      if bucket == 0 { return nil }
      if UInt32(truncatingIfNeeded: bucket >> 32) == hash {
        let index = RecordIndex(rawValue: UInt32(truncatingIfNeeded: bucket) - 1)
        let isSame =
          withRecord(at: index) { $0.withID { $0.hasSameBytes(as: id) } }
          ?? forgotten.withID(of: index) { $0.hasSameBytes(as: id) }
        if isSame == true { return index }
      }
      position = (position + 1) & (buckets.count - 1)
    }
  }

  /// How many buckets are looked at to find each id once.
  package var probeCount: Int {
    let mask = buckets.count - 1
    return buckets.indices.reduce(0) { sum, position in
      let bucket = buckets[position]
      return bucket == 0 ? sum : sum + 1 + (position - Int(bucket >> 32)) & mask
    }
  }

  /// Gives a new record a number.
  ///
  /// - Precondition: No record has its id.
  package mutating func insert(_ record: RecordStorage, hash: UInt32) -> RecordIndex {
    let index = free.popLast() ?? RecordIndex(records.count)
    if index.position < records.count {
      records[index.position] = record
    } else {
      records.append(record)
    }
    count += 1
    // Buckets that lead to dropped numbers are as full as others until they are settled.
    if (count + dropped.count) * 4 > buckets.count * 3 {
      resize(to: count * 2 > buckets.count ? buckets.count * 2 : buckets.count)
    }
    place(UInt64(hash) << 32 | UInt64(index.rawValue + 1))
    return index
  }

  /// Puts a record with the same id in another's place.
  package mutating func replace(_ index: RecordIndex, by record: RecordStorage) {
    if records[index.position] == nil { forgotten.remove(index) }
    records[index.position] = record
  }

  /// Makes room where so many objects will be written that most of the records must be new.
  ///
  /// The same object often occurs more than once.
  package mutating func expect(_ objects: Int) {
    let more = objects / 2
    guard more > records.count * 2 else { return }
    records.reserveCapacity(records.count + more)
    var size = buckets.count
    while (count + more) * 4 > size * 3 { size *= 2 }
    if size > buckets.count { resize(to: size) }
  }

  private mutating func place(_ bucket: UInt64) {
    buckets.withUnsafeMutableBufferPointer { Self.place(bucket, in: $0) }
  }

  private static func place(_ bucket: UInt64, in buckets: UnsafeMutableBufferPointer<UInt64>) {
    let mask = buckets.count - 1
    var position = Int(bucket >> 32) & mask
    while buckets[position] != 0 { position = (position + 1) & mask }
    buckets[position] = bucket
  }

  /// Makes the buckets anew, without those that lead to dropped numbers.
  private mutating func resize(to size: Int) {
    let (old, dropped) = (buckets, dropped)
    buckets = ContiguousArray(unsafeUninitializedCapacity: size) { new, count in
      new.initialize(repeating: 0)
      count = size
      let new = UnsafeMutableBufferPointer(rebasing: new[..<size])
      old.withUnsafeBufferPointer { old in
        let isAnyDropped = !dropped.isEmpty
        for bucket in old where bucket != 0 {
          if isAnyDropped, dropped.contains(Self.number(in: bucket)) { continue }
          Self.place(bucket, in: new)
        }
      }
    }
    free += dropped.indexes
    self.dropped = RecordList()
  }

  private static func number(in bucket: UInt64) -> RecordIndex {
    RecordIndex(rawValue: UInt32(truncatingIfNeeded: bucket) &- 1)
  }

  /// Forgets one id and record; its number may be given out again.
  ///
  /// - Complexity: O(1), on average.
  package mutating func remove(_ index: RecordIndex) {
    guard let record = self[index] else { return }
    var position = Int(record.withID(Self.hash)) & (buckets.count - 1)
    while Self.number(in: buckets[position]) != index {
      if buckets[position] == 0 { return }
      position = (position + 1) & (buckets.count - 1)
    }
    empty(position)
    records[index.position] = nil
    forgotten.remove(index)
    count -= 1
    free.append(index)
  }

  /// Empties a bucket.
  private mutating func empty(_ bucket: Int) {
    // Those behind it move up, so that probing finds them still.
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
  /// Forgets a record but for its id and number.
  mutating func forget(_ index: RecordIndex) {
    guard let record = records[index.position] else { return }
    if record.withID({ forgotten.insert(index, $0) }) {
      records[index.position] = nil
    } else {
      records[index.position] = record.withID { .unknown(id: $0) }
    }
  }

  /// Forgets a record and its id; the number may be given out again after ``settle(from:_:)``.
  mutating func drop(_ index: RecordIndex) {
    guard isInUse(index) else { return }
    records[index.position] = nil
    forgotten.remove(index)
    count -= 1
    dropped.insert(index)
  }

  /// Looks at some buckets, and empties those that lead to dropped numbers.
  ///
  /// - Returns: Where to go on; `nil` where all is done.
  mutating func settle(from first: Int, _ count: Int) -> Int? {
    // Few buckets that will be fewer are made anew at once, without those.
    if dropped.isEmpty || isSmall && isMostlyEmpty { return nil }
    let end = min(buckets.count, first + count)
    for position in first..<max(first, end) {
      while buckets[position] != 0, dropped.contains(Self.number(in: buckets[position])) {
        empty(position)
      }
    }
    if end < buckets.count { return end }
    free += dropped.indexes
    dropped = RecordList()
    return nil
  }

  /// Whether the buckets can be made anew within a slice, however many are in use.
  private var isSmall: Bool { buckets.count <= 1 << 16 }

  /// Whether less than a third of the buckets are in use.
  private var isMostlyEmpty: Bool { buckets.count > 16 && count * 8 <= buckets.count / 2 * 5 }

  /// Gives back the memory of buckets, where most are empty; where there are many, almost all, which takes less time.
  mutating func shrinkBuckets() {
    guard isSmall || count * 8 <= buckets.count else { return }
    var size = buckets.count
    while size > 16, count * 8 <= size / 2 * 5 { size /= 2 }
    if size < buckets.count { resize(to: size) }
  }

  /// Gives back the memory of numbers that are not in use, where they are the last ones.
  mutating func shrinkNumbers() {
    guard dropped.isEmpty else { return }
    var end = records.count
    while end > 0, !isInUse(RecordIndex(end - 1)) { end -= 1 }
    forgotten.shrink(to: end)
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
        // Moved, not copied: a copy would be retained, each.
        to.moveInitialize(from: from, count: end)
        from.initialize(repeating: nil, count: end)
        count = end
      }
    }
  }
}

extension DataID {
  /// Its UTF-8 bytes.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    var text = rawValue
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }
}
