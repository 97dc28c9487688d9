/// The records and tombstones of a ``RecordTable`` by index, in a tree with versions.
///
/// A word is the address of a record, which the tree retains, or the handle of a tombstone, which
/// is odd; 0 means that the position is not in use. The tombstone of a record that is persisted and
/// not decoded yet has ``persistedBit``.
struct RecordTree {
  private(set) var words = WordTree(hasRecords: true)

  /// Creates a tree of positions that are not in use.
  init(count: Int = 0) { words.appendZeros(to: count) }

  /// The exclusive upper bound of the positions.
  @inline(__always) var count: Int { words.count }

  var indices: Range<Int> { 0..<count }

  /// Returns the record of an even word; `nil` for 0.
  @inline(__always)
  static func record(_ word: UInt64) -> Unmanaged<RecordBox>? {
    UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: word)).map { .fromOpaque($0) }
  }

  /// Returns the record at a position without retaining it; `nil` if there is none. It is valid
  /// until the next write.
  @inline(__always)
  func unretained(at position: Int) -> Unmanaged<RecordBox>? {
    let word = words.nodes[position]
    return word & 1 == 0 ? Self.record(word) : nil
  }

  /// A leaf and its number among the leaves; no leaf by default.
  struct Leaf {
    fileprivate var number = -1
    fileprivate var address: UnsafeMutableRawPointer?
  }

  /// Same as ``unretained(at:)``, starting with the leaf of an earlier lookup.
  @inline(__always)
  func unretained(at position: Int, _ leaf: inout Leaf) -> Unmanaged<RecordBox>? {
    if leaf.number != position >> WordNode.bits {
      guard position < count else { return nil }
      leaf = Leaf(
        number: position >> WordNode.bits, address: words.nodes.leaf(of: position))
    }
    guard let address = leaf.address else { return nil }
    let word = WordNode.word(at: position, of: address)
    return word & 1 == 0 ? Self.record(word) : nil
  }

  /// The record at a position; `nil` if there is none. Setting it replaces a tombstone too.
  subscript(position: Int) -> RecordBox? {
    @inline(__always) get { unretained(at: position)?.takeUnretainedValue() }
    set { replace(position, with: Self.word(newValue)) }
  }

  mutating func append(_ record: RecordBox?) { words.append(Self.word(record)) }

  /// Removes the positions from `count` on, which must not be in use.
  mutating func truncate(to count: Int) { words.truncate(to: count) }

  private static func word(_ record: RecordBox?) -> UInt64 {
    record.map { UInt64(UInt(bitPattern: Unmanaged.passRetained($0).toOpaque())) } ?? 0
  }

  private mutating func replace(_ position: Int, with word: UInt64) {
    let old = words.set(word, at: position)
    if old & 1 != 0 {
      words.history.tombstones.remove(old)
    } else if let record = Self.record(old) {
      words.history.retire(record)
    }
  }

  // MARK: Versions

  /// Creates a tree that reads a published version.
  init(published nodes: WordNodes) { words = WordTree(published: nodes, hasRecords: true) }

  /// Reads another published version; see ``WordTree/show(_:)``.
  mutating func show(_ nodes: WordNodes) { words.show(nodes) }

  /// Ends the version that is being written, and returns it; see ``WordTree/publish(_:)``.
  mutating func publish(_ number: UInt64) -> WordNodes { words.publish(number) }

  /// Frees what only the versions before one can reach, except the records that it returns.
  func reclaim(before version: UInt64) -> RetiredRecords? {
    words.reclaim(before: version)
  }

  /// The number of retired nodes, records and blocks that are not freed yet.
  var retiredCount: Int { words.history.retiredCount }

  // MARK: Tombstones

  static let persistedBit: UInt64 = 1 << 62

  /// Whether a position has a record that is persisted and not decoded yet.
  @inline(__always)
  func isPersisted(_ position: Int) -> Bool { words.nodes[position] & Self.persistedBit != 0 }

  /// Marks or unmarks a tombstone.
  ///
  /// - Returns: Whether that is a change; `false` if there is no tombstone at the position.
  mutating func setPersisted(_ isPersisted: Bool, at position: Int) -> Bool {
    guard hasTombstone(at: position), self.isPersisted(position) != isPersisted else {
      return false
    }
    // A copy of the tree has other handles.
    words.makeUnique()
    _ = words.set(words.nodes[position] ^ Self.persistedBit, at: position)
    return true
  }

  /// Whether a position has a record or a tombstone.
  func isInUse(_ position: Int) -> Bool { words.nodes[position] != 0 }

  func hasTombstone(at position: Int) -> Bool { words.nodes[position] & 1 != 0 }

  /// Calls the closure with the id of a tombstone; returns `nil` if there is none at the position.
  @inline(__always)
  func withTombstone<Result>(
    at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let word = words.nodes[position]
    return word & 1 == 0 ? nil : body(id(ofTombstone: word))
  }

  /// Returns the id of a tombstone's word.
  @inline(__always)
  func id(ofTombstone word: UInt64) -> UnsafeRawBufferPointer {
    TombstoneIDs.id(of: word, in: words.nodes.blocks)
  }

  /// The number of tombstones.
  var tombstoneCount: Int { words.history.tombstones.count }

  /// The number of bytes of all ids that were added as tombstones and not removed by
  /// ``compactTombstones()``.
  var tombstoneByteCount: Int { words.history.tombstones.byteCount }

  /// The number of bytes of removed tombstones.
  var unusedTombstoneByteCount: Int { words.history.tombstones.unusedCount }

  /// Replaces the record or tombstone at a position by a tombstone.
  ///
  /// - Returns: `false`, without an effect, if the tombstone does not fit: ids are limited to 2 GB.
  mutating func entomb(_ position: Int, id: UnsafeRawBufferPointer) -> Bool {
    guard let word = words.appendTombstone(id) else { return false }
    replace(position, with: word)
    return true
  }

  /// Appends 64 positions, after positions that are not in use up to a multiple of 64.
  ///
  /// - Parameters:
  ///   - members: The positions with a tombstone, as bits.
  ///   - word: The first of the 64 positions, divided by 64.
  ///   - entries: For each member, the byte count of its id, below 128, and the id.
  /// - Returns: `false`, without an effect on tombstones, if the entries are malformed or do not
  ///   fit.
  mutating func appendTombstones(
    _ members: UInt64, ofWord word: Int, entries: UnsafeRawBufferPointer
  ) -> Bool {
    let first = word * 64
    guard first >= count else { return false }
    var (rest, position) = (members, 0)
    while rest != 0, position < entries.count, entries[position] < 0x80 {
      position += 1 + Int(entries[position])
      rest &= rest - 1
    }
    guard rest == 0, position == entries.count else { return false }
    if members == 0 { return true }
    guard
      let start = words.appendTombstones(entries: entries, count: members.nonzeroBitCount)
    else { return false }
    words.appendZeros(to: first + 64 - members.leadingZeroBitCount)
    let leaf = words.writableNode(of: first, above: 0)
    (rest, position) = (members, 0)
    while rest != 0 {
      WordNode.set(
        start + UInt64(position) << 1, at: first + rest.trailingZeroBitCount, of: leaf)
      position += 1 + Int(entries[position])
      rest &= rest - 1
    }
    return true
  }

  /// Moves the ids of tombstones to new blocks if more than half of their bytes belong to removed
  /// ones.
  mutating func compactTombstones() {
    guard unusedTombstoneByteCount > tombstoneByteCount / 2 else { return }
    let positions = tombstoneCount == 0 ? 0..<0 : indices
    let old = words.takeTombstones()
    for position in positions {
      let word = words.nodes[position]
      if word & 1 == 0 { continue }
      let moved = words.appendTombstone(TombstoneIDs.id(of: word, in: old.blocks))
      _ = words.set(moved.map { $0 | word & Self.persistedBit } ?? 0, at: position)
    }
    old.forEachAllocation { words.history.retire(block: $0) }
  }
}
