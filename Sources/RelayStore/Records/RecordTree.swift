/// An array of records and tombstones whose earlier versions remain readable while it is written.
///
/// A radix tree. A node has 128 words: a leaf's are records or the handles of tombstones, an inner
/// node's are nodes. Each node belongs to the version that made it, and only that version writes it
/// in place: a later one copies the nodes on the path to a record, once, 1 KB each. So a commit
/// that changes one of a million records copies 3 KB.
///
///     publish()         ends version 7; its nodes can be read without the tree
///     replace(_:with:)  version 8 copies what it writes, and retires the nodes and records of 7
///     reclaim(before:)  frees what was retired once no version before 8 is read anymore
///
/// Nodes are raw memory that owns one reference to each record. Copying the struct copies a
/// reference to them; a write to one of two copies first copies every node.
///
/// `@unchecked Sendable`: a value whose memory is written only by its sole owner, and in places
/// that no published version has.
struct RecordTree: @unchecked Sendable {
  /// The nodes of the version that is being written.
  private(set) var nodes = RecordNodes()
  /// Everything else, in one reference: a larger struct would be copied by many calls.
  private(set) var history = RecordHistory()

  init() {}

  /// Creates a tree of positions that are not in use.
  init(count: Int) { while nodes.count < count { append(nil) } }

  /// The exclusive upper bound of the positions.
  @inline(__always) var count: Int { nodes.count }

  var indices: Range<Int> { 0..<count }

  /// Returns the record at a position without retaining it; `nil` if there is none. It is valid
  /// until the next write.
  @inline(__always)
  func unretained(at position: Int) -> Unmanaged<RecordBox>? {
    nodes.record(at: position)
  }

  subscript(position: Int) -> RecordBox? {
    @inline(__always) get { unretained(at: position)?.takeUnretainedValue() }
    set { replace(position, with: newValue) }
  }

  // MARK: Writing

  /// Replaces the record or tombstone at a position.
  ///
  /// - Precondition: `position` is below ``count``.
  mutating func replace(_ position: Int, with record: RecordBox?) {
    setWord(
      record.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0, at: position)
  }

  private mutating func setWord(_ word: UInt, at position: Int) {
    precondition(position < count)
    let leaf = writableNode(of: position, above: 0)
    let old = RecordNode.word(at: position, of: leaf)
    RecordNode.set(word, at: position, of: leaf)
    if old & 1 != 0 {
      history.tombstones.remove(old, in: history.blocks)
    } else if let record = RecordNodes.record(old) {
      history.retire(.record(record))
    }
  }

  mutating func append(_ record: RecordBox?) {
    if nodes.root == nil || nodes.count >> (nodes.shift + RecordNode.bits) > 0 { grow() }
    nodes.count += 1
    let leaf = writableNode(of: nodes.count - 1, above: 0)
    guard let record else { return }
    RecordNode.set(
      UInt(bitPattern: Unmanaged.passRetained(record).toOpaque()), at: nodes.count - 1, of: leaf)
  }

  /// Removes the positions from `count` on, and the nodes that only they need.
  ///
  /// - Precondition: These positions are not in use.
  mutating func truncate(to count: Int) {
    makeUnique()
    let end = min(nodes.count, 1 << (nodes.shift + RecordNode.bits))
    nodes.count = count
    guard count > 0, let root = nodes.root else {
      if let root = nodes.root { history.retireNodes(below: root, shift: nodes.shift) }
      return setRoot(nil, shift: 0)
    }
    var node = root
    while nodes.shift > 0, (count - 1) >> nodes.shift == 0 {
      for index in 1..<RecordNode.width {
        guard let child = RecordNode.child(at: index, of: node) else { continue }
        history.retireNodes(below: child, shift: nodes.shift - RecordNode.bits)
      }
      let first = RecordNode.child(at: 0, of: node)
      history.retire(node: node)
      setRoot(first, shift: nodes.shift - RecordNode.bits)
      guard let first else { return }
      node = first
    }
    var leaf = ((count - 1) >> RecordNode.bits + 1) << RecordNode.bits
    let bound = min(end, 1 << (nodes.shift + RecordNode.bits))
    while leaf < bound, nodes.shift > 0 {
      let parent = writableNode(of: leaf, above: RecordNode.bits)
      if let old = RecordNode.child(at: leaf >> RecordNode.bits, of: parent) {
        history.retire(node: old)
        RecordNode.set(0, at: leaf >> RecordNode.bits, of: parent)
      }
      leaf += RecordNode.width
    }
  }

  // MARK: Versions

  /// Ends the version that is being written, and returns it.
  mutating func publish() -> RecordVersion {
    makeUnique()
    defer { history.version += 1 }
    return RecordVersion(nodes: nodes, blocks: history.blocks, number: history.version)
  }

  /// Frees what only the versions before one can reach.
  mutating func reclaim(before version: UInt) {
    makeUnique()
    history.reclaim(before: version)
  }

  /// The number of retired nodes, records and blocks that are not freed yet.
  var retiredCount: Int { history.retired.count }

  // MARK: Nodes

  /// Returns the node of a position whose words have positions `1 << end` apart, as this version's
  /// own.
  @inline(__always)
  private mutating func writableNode(of position: Int, above end: Int) -> UnsafeMutableRawPointer {
    makeUnique()
    guard var node = nodes.root else { preconditionFailure("The tree has no positions.") }
    if !history.owns(node) {
      node = history.copy(node)
      setRoot(node, shift: nodes.shift)
    }
    var shift = nodes.shift
    while shift > end {
      let index = position >> shift
      var child = RecordNode.child(at: index, of: node)
      if !history.owns(child) {
        child = child.map { history.copy($0) } ?? RecordNode.make(history.version)
        RecordNode.set(UInt(bitPattern: child), at: index, of: node)
      }
      node = child.unsafelyUnwrapped
      shift &-= RecordNode.bits
    }
    return node
  }

  /// Makes the tree one level deeper.
  private mutating func grow() {
    makeUnique()
    let root = RecordNode.make(history.version)
    RecordNode.set(UInt(bitPattern: nodes.root), at: 0, of: root)
    setRoot(root, shift: nodes.root == nil ? 0 : nodes.shift + RecordNode.bits)
  }

  private mutating func setRoot(_ root: UnsafeMutableRawPointer?, shift: Int) {
    (nodes.root, nodes.shift) = (root, shift)
    (history.root, history.shift) = (root, shift)
  }

  /// Copies the entire tree if another value shares it.
  @inline(__always)
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&history) { copyAll() }
  }

  @inline(never)
  private mutating func copyAll() {
    let copy = RecordHistory()
    if let root = nodes.root {
      nodes.root = copy.copyAll(root, shift: nodes.shift, blocks: history.blocks)
    }
    history = copy
    setRoot(nodes.root, shift: nodes.shift)
  }

  // MARK: Tombstones

  /// Whether a position has a record or a tombstone.
  func isInUse(_ position: Int) -> Bool { nodes.word(at: position) != 0 }

  func hasTombstone(at position: Int) -> Bool { nodes.word(at: position) & 1 != 0 }

  /// Calls the closure with the id of a tombstone; returns `nil` if there is none at the position.
  @inline(__always)
  func withTombstone<Result>(
    at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let word = nodes.word(at: position)
    return word & 1 == 0 ? nil : body(TombstoneIDs.id(of: word, in: history.blocks))
  }

  /// The number of tombstones.
  var tombstoneCount: Int { history.tombstones.count }

  /// The number of bytes of all ids that were added as tombstones and not removed by
  /// ``compactTombstones()``.
  var tombstoneByteCount: Int { history.tombstones.byteCount }

  /// The number of bytes of removed tombstones.
  var unusedTombstoneByteCount: Int { history.tombstones.unusedCount }

  /// Replaces the record or tombstone at a position by a tombstone.
  ///
  /// - Returns: `false`, without an effect, if the tombstone does not fit: ids are limited to 2 GB.
  mutating func entomb(_ position: Int, id: UnsafeRawBufferPointer) -> Bool {
    makeUnique()
    guard let word = history.tombstones.append(id, to: &history.blocks) else { return false }
    setWord(word, at: position)
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
    makeUnique()
    guard
      let start = history.tombstones.append(
        entries: entries, count: members.nonzeroBitCount, to: &history.blocks)
    else { return false }
    while count < first + 64 - members.leadingZeroBitCount { append(nil) }
    guard members != 0 else { return true }
    let leaf = writableNode(of: first, above: 0)
    (rest, position) = (members, 0)
    while rest != 0 {
      RecordNode.set(
        start + UInt(position) << 1, at: first + rest.trailingZeroBitCount, of: leaf)
      position += 1 + Int(entries[position])
      rest &= rest - 1
    }
    return true
  }

  /// Moves the ids of tombstones to new blocks if more than half of their bytes belong to removed
  /// ones.
  mutating func compactTombstones() {
    guard history.tombstones.unusedCount > history.tombstones.byteCount / 2 else { return }
    makeUnique()
    let positions = tombstoneCount == 0 ? 0..<0 : indices
    let old = history.takeBlocks()
    for position in positions {
      let word = nodes.word(at: position)
      if word & 1 == 0 { continue }
      let id = TombstoneIDs.id(of: word, in: old)
      let moved = history.tombstones.append(id, to: &history.blocks)
      let leaf = writableNode(of: position, above: 0)
      RecordNode.set(moved ?? 0, at: position, of: leaf)
    }
    history.retire(blocks: old)
  }
}
