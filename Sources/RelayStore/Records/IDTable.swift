/// The indexes of a ``RecordTable`` by id, in a tree with versions.
///
/// A hash table with linear probing. A bucket is 0, or the hash of an id in the upper half and the
/// record's index plus one in the lower half. The id itself is in the record or its tombstone.
/// Hashes are the standard library's, seeded per process, because servers choose ids.
struct IDTable {
  private(set) var words = WordTree()

  /// Creates an empty table.
  ///
  /// - Parameter count: The number of buckets, a power of two.
  init(count: Int = 16) { words.appendZeros(to: count) }

  /// Creates a table that reads a published version.
  init(published nodes: WordNodes) { words = WordTree(published: nodes) }

  /// The number of buckets, a power of two.
  var count: Int { words.count }

  /// Ends the version that is being written, and returns it; see ``WordTree/publish(_:)``.
  mutating func publish(_ number: UInt64) -> WordNodes { words.publish(number) }

  /// Reads another published version; see ``WordTree/show(_:)``.
  mutating func show(_ nodes: WordNodes) { words.show(nodes) }

  subscript(position: Int) -> UInt64 {
    get { words.nodes[position] }
    set { _ = words.set(newValue, at: position) }
  }

  static func bucket(_ index: RecordIndex, hash: UInt32) -> UInt64 {
    UInt64(hash) << 32 | UInt64(index.rawValue + 1)
  }

  static func hash(of bucket: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: bucket >> 32) }

  static func index(of bucket: UInt64) -> RecordIndex {
    RecordIndex(rawValue: UInt32(truncatingIfNeeded: bucket) &- 1)
  }

  /// Returns the first index in a hash's probe sequence that the closure accepts, or the empty
  /// bucket at the end of the sequence.
  @inline(__always)
  func find(
    hash: UInt32, where isFound: (RecordIndex) -> Bool
  ) -> (index: RecordIndex?, bucket: Int) {
    var position = Int(truncatingIfNeeded: hash) & (count - 1)
    while let leaf = words.nodes.leaf(of: position) {
      repeat {
        let bucket = WordNode.word(at: position, of: leaf)
        if bucket == 0 { return (nil, position) }
        if Self.hash(of: bucket) == hash, isFound(Self.index(of: bucket)) {
          return (Self.index(of: bucket), position)
        }
        position = (position + 1) & (count - 1)
      } while position & (WordNode.width - 1) != 0
    }
    return (nil, position)
  }

  /// Inserts a bucket at the end of its probe sequence.
  mutating func insert(_ bucket: UInt64) {
    Self.insert(bucket, mask: count - 1) { words.writableNode(of: $0, above: 0) }
  }

  /// - Parameter leaf: Returns the leaf of a position, to be written.
  @inline(__always)
  private static func insert(
    _ bucket: UInt64, mask: Int, leaf: (Int) -> UnsafeMutableRawPointer
  ) {
    var position = Int(truncatingIfNeeded: hash(of: bucket)) & mask
    while true {
      let leaf = leaf(position)
      repeat {
        if WordNode.word(at: position, of: leaf) == 0 {
          return WordNode.set(bucket, at: position, of: leaf)
        }
        position = (position + 1) & mask
      } while position & (WordNode.width - 1) != 0
    }
  }

  /// Clears the buckets in a range whose indexes the closure accepts.
  ///
  /// Clearing a bucket moves another one there. A bucket that wraps around the end of the table
  /// comes from its start.
  mutating func removeBuckets(in range: Range<Int>, where isRemoved: (RecordIndex) -> Bool) {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min((position | (WordNode.width - 1)) + 1, range.upperBound)
      guard let leaf = words.nodes.leaf(of: position) else {
        position = end
        continue
      }
      while position < end {
        let bucket = WordNode.word(at: position, of: leaf)
        if bucket != 0, isRemoved(Self.index(of: bucket)) { break }
        position += 1
      }
      if position < end { remove(at: position) }
    }
  }

  /// Clears a bucket.
  mutating func remove(at bucket: Int) {
    // Backward-shift deletion: later buckets of the probe sequence move into the hole, so that
    // probing does not stop before them.
    let mask = count - 1
    var hole = bucket
    var position = (hole + 1) & mask
    while self[position] != 0 {
      let home = Int(truncatingIfNeeded: Self.hash(of: self[position])) & mask
      if (position - home) & mask >= (position - hole) & mask {
        self[hole] = self[position]
        hole = position
      }
      position = (position + 1) & mask
    }
    self[hole] = 0
  }

  /// Rehashes into a number of buckets, without those that the closure rejects.
  @inline(__always)
  mutating func resize(to count: Int, where isIncluded: (RecordIndex) -> Bool) {
    let old = words.removeAll()
    words.appendZeros(to: count)
    for start in stride(from: 0, to: count, by: WordNode.width) {
      _ = words.writableNode(of: start, above: 0)
    }
    let new = words.nodes
    for start in stride(from: 0, to: old.count, by: WordNode.width) {
      guard let leaf = old.leaf(of: start) else { continue }
      for position in start..<min(start + WordNode.width, old.count) {
        let bucket = WordNode.word(at: position, of: leaf)
        if bucket != 0, isIncluded(Self.index(of: bucket)) {
          Self.insert(bucket, mask: count - 1) { new.leaf(of: $0).unsafelyUnwrapped }
        }
      }
    }
    words.retire(old)
  }
}
