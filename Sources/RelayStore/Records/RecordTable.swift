/// The number a store gives a record id; links are indexes.
package struct RecordIndex: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(_ position: Int) { rawValue = UInt32(position) }

  /// No record: a null in a list of links.
  package static let none = RecordIndex(rawValue: .max)

  package var position: Int { Int(rawValue) }
}

/// Records by their number, and the numbers by id.
///
/// A hash table with linear probing: a bucket is 0, or the upper half of an id's hash with the
/// record's number plus one below it. The id itself stands in the record. Hashes are the standard
/// library's, seeded for each process, since servers choose ids.
package struct RecordTable {
  package private(set) var records: ContiguousArray<RecordStorage?> = []
  private var buckets: ContiguousArray<UInt64> = ContiguousArray(repeating: 0, count: 16)
  private var count = 0
  private var free: [RecordIndex] = []

  package init() {}

  /// An id's hash.
  package static func hash(_ id: UnsafeRawBufferPointer) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: id)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  package subscript(index: RecordIndex) -> RecordStorage? {
    index.position < records.count ? records[index.position] : nil
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
        if withRecord(at: index, { $0.withID { $0.hasSameBytes(as: id) } }) == true {
          return index
        }
      }
      position = (position + 1) & (buckets.count - 1)
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
    if count * 4 > buckets.count * 3 { resize(to: buckets.count * 2) }
    place(UInt64(hash) << 32 | UInt64(index.rawValue + 1))
    return index
  }

  /// Puts a record with the same id in another's place.
  package mutating func replace(_ index: RecordIndex, by record: RecordStorage) {
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
    var position = Int(bucket >> 32) & (buckets.count - 1)
    while buckets[position] != 0 { position = (position + 1) & (buckets.count - 1) }
    buckets[position] = bucket
  }

  private mutating func resize(to size: Int) {
    let old = buckets
    buckets = ContiguousArray(repeating: 0, count: size)
    for bucket in old where bucket != 0 { place(bucket) }
  }

  /// Forgets one id and record; its number may be given out again.
  ///
  /// - Complexity: O(1), on average.
  package mutating func remove(_ index: RecordIndex) {
    guard let record = self[index] else { return }
    let mask = buckets.count - 1
    var hole = Int(record.withID(Self.hash)) & mask
    while UInt32(truncatingIfNeeded: buckets[hole]) != index.rawValue + 1 {
      if buckets[hole] == 0 { return }
      hole = (hole + 1) & mask
    }
    // Those behind it move up, so that probing finds them still.
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
    records[index.position] = nil
    count -= 1
    free.append(index)
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
