/// The tombstones of collected records that other records still link to. A tombstone is the
/// record's id, and reserves the record's index.
package struct IDTombstones {
  /// For each record index, the offset of its entry in ``bytes`` plus one; 0 without a tombstone.
  var offsets: ContiguousArray<UInt32> = []
  /// The entries: for each tombstone, the id's byte count, then the id.
  var bytes: ContiguousArray<UInt8> = []
  package var count = 0
  /// The number of bytes in entries of removed tombstones.
  var unusedCount = 0

  @inline(__always)
  package func contains(_ index: RecordIndex) -> Bool {
    index.position < offsets.count && offsets[index.position] != 0
  }

  /// Calls the closure with a record's id; returns `nil` if the record has no tombstone.
  package func withID<Result>(of index: RecordIndex, _ body: (UnsafeRawBufferPointer) -> Result)
    -> Result?
  {
    guard contains(index) else { return nil }
    let (start, count) = entry(of: index)
    return bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
    }
  }

  /// Returns the start and byte count of an id.
  ///
  /// The count is one byte; 255 means that a count of four bytes follows.
  func entry(of index: RecordIndex) -> (start: Int, count: Int) {
    let start = Int(offsets[index.position]) - 1
    if bytes[start] < 255 { return (start + 1, Int(bytes[start])) }
    let count = (1...4).reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
    return (start + 5, count)
  }

  /// Adds the tombstones of 64 consecutive indexes that follow all earlier ones.
  ///
  /// - Parameters:
  ///   - members: The indexes with a tombstone, as bits.
  ///   - word: The first of the 64 indexes, divided by 64.
  ///   - entries: An entry for each member, with one-byte counts below 128.
  /// - Returns: `false`, without an effect, if the entries are malformed or do not fit.
  mutating func append(_ members: UInt64, ofWord word: Int, entries: UnsafeRawBufferPointer) -> Bool
  {
    let (first, start) = (word * 64, bytes.count)
    guard first >= offsets.count, start + entries.count < UInt32.max else { return false }
    var (rest, position) = (members, 0)
    while rest != 0, position < entries.count, entries[position] < 0x80 {
      position += 1 + Int(entries[position])
      rest &= rest - 1
    }
    guard rest == 0, position == entries.count else { return false }
    let end = first + 64 - members.leadingZeroBitCount
    offsets.append(contentsOf: repeatElement(0, count: end - offsets.count))
    bytes.append(contentsOf: entries)
    (rest, position) = (members, 0)
    while rest != 0 {
      offsets[first + rest.trailingZeroBitCount] = UInt32(start + position + 1)
      position += 1 + Int(entries[position])
      rest &= rest - 1
    }
    count += members.nonzeroBitCount
    return true
  }

  /// Adds a tombstone.
  ///
  /// - Returns: `false` if the tombstone does not fit: the entries are limited to 4 GB.
  package mutating func insert(_ index: RecordIndex, id: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count + id.count + 5 < UInt32.max else { return false }
    if index.position >= offsets.count {
      offsets.append(
        contentsOf: repeatElement(0, count: index.position + 1 - offsets.count))
    }
    offsets[index.position] = UInt32(bytes.count + 1)
    if id.count < 255 {
      bytes.append(UInt8(id.count))
    } else {
      bytes.append(255)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: id.count >> shift)) }
    }
    bytes.append(contentsOf: id)
    count += 1
    return true
  }

  package mutating func remove(_ index: RecordIndex) {
    guard contains(index) else { return }
    let entry = entry(of: index)
    unusedCount += entry.start - Int(offsets[index.position]) + 1 + entry.count
    offsets[index.position] = 0
    count -= 1
    if count == 0 { self = IDTombstones() }
  }

  /// Compacts the entries if more than half of the bytes belong to removed tombstones.
  ///
  /// - Parameter indexBound: The exclusive upper bound of the record indexes in use.
  mutating func shrink(to indexBound: Int) {
    guard count > 0 else { return }
    if offsets.count > indexBound { offsets.removeLast(offsets.count - indexBound) }
    guard unusedCount > bytes.count / 2 else { return }
    var kept = IDTombstones()
    for position in offsets.indices where offsets[position] != 0 {
      let index = RecordIndex(position)
      _ = withID(of: index) { kept.insert(index, id: $0) }
    }
    self = kept
  }
}
