/// An array of words whose earlier versions remain readable while it is written.
///
/// A radix tree. A node has 128 words: an inner node's are nodes. Each node belongs to the version
/// that made it, and only that version writes it in place: a later one copies the nodes on the path
/// to a word, once, 1 KB each. So a version that changes one of a million words copies 3 KB.
///
///     publish(7)       ends version 7, and returns its nodes
///     set(_:at:)       version 8 copies the nodes that it writes, and retires version 7's
///     reclaim(before:) frees the retired nodes, once no reader has a version before 8
///
/// Copying the struct copies a reference to the nodes. A write to one of two copies, or to a tree
/// that reads a published version, first copies every node.
///
/// `@unchecked Sendable`: a value whose memory is written only by its sole owner, and in places
/// that no published version has.
struct WordTree: @unchecked Sendable {
  /// The nodes of the version that is being written.
  private(set) var nodes = WordNodes()
  /// Everything else, in one reference: a larger struct would be copied by many calls.
  private(set) var history: WordHistory

  /// - Parameter hasRecords: Whether the words are the records of a ``RecordTree``.
  init(hasRecords: Bool = false) { history = WordHistory(hasRecords: hasRecords) }

  /// Creates a tree that reads the nodes of a published version.
  init(published nodes: WordNodes, hasRecords: Bool = false) {
    self.nodes = nodes
    history = hasRecords ? Self.publishedRecords : Self.published
  }

  /// Reads the nodes of another published version.
  ///
  /// - Precondition: The tree was created by ``init(published:hasRecords:)``, and not written.
  @inline(__always)
  mutating func show(_ nodes: WordNodes) { self.nodes = nodes }

  /// The histories of trees that read published versions. They own nothing.
  private nonisolated(unsafe) static let published = WordHistory(hasRecords: false)
  private nonisolated(unsafe) static let publishedRecords = WordHistory(hasRecords: true)

  /// The exclusive upper bound of the positions.
  @inline(__always) var count: Int { nodes.count }

  // MARK: Writing

  /// Replaces the word at a position, and returns the old one.
  ///
  /// - Precondition: `position` is below ``count``.
  @inline(__always)
  mutating func set(_ word: UInt64, at position: Int) -> UInt64 {
    precondition(position < count)
    let leaf = writableNode(of: position, above: 0)
    let old = WordNode.word(at: position, of: leaf)
    WordNode.set(word, at: position, of: leaf)
    return old
  }

  mutating func append(_ word: UInt64) {
    let position = nodes.count
    makeUnique()
    nodes.count += 1
    if position & (WordNode.width - 1) != 0, let leaf = history.lastLeaf {
      return WordNode.set(word, at: position, of: leaf)
    }
    if nodes.root == nil || position >> (nodes.shift + WordNode.bits) > 0 { grow() }
    let leaf = writableNode(of: position, above: 0)
    WordNode.set(word, at: position, of: leaf)
    history.lastLeaf = leaf
  }

  /// Appends words 0. Their leaves are made when they are written.
  mutating func appendZeros(to count: Int) {
    guard count > nodes.count else { return }
    makeUnique()
    history.lastLeaf = nil
    while nodes.root == nil || (count - 1) >> (nodes.shift + WordNode.bits) > 0 { grow() }
    nodes.count = count
  }

  /// Removes all words, and returns the nodes that had them.
  mutating func removeAll() -> WordNodes {
    makeUnique()
    defer {
      nodes.count = 0
      setRoot(nil, shift: 0)
    }
    return nodes
  }

  /// Retires nodes that were removed.
  mutating func retire(_ removed: WordNodes) {
    if let root = removed.root { history.retireNodes(below: root, shift: removed.shift) }
  }

  /// Removes the positions from `count` on, and the nodes that only they need.
  ///
  /// - Precondition: Their words are 0.
  mutating func truncate(to count: Int) {
    makeUnique()
    history.lastLeaf = nil
    let end = min(nodes.count, 1 << (nodes.shift + WordNode.bits))
    nodes.count = count
    guard count > 0, var node = nodes.root else { return retire(removeAll()) }
    while nodes.shift > 0, (count - 1) >> nodes.shift == 0 {
      for index in 1..<WordNode.width {
        guard let child = WordNode.child(at: index, of: node) else { continue }
        history.retireNodes(below: child, shift: nodes.shift - WordNode.bits)
      }
      let first = WordNode.child(at: 0, of: node)
      history.retire(node: node)
      guard let first else {
        _ = removeAll()
        return appendZeros(to: count)
      }
      setRoot(first, shift: nodes.shift - WordNode.bits)
      node = first
    }
    var leaf = ((count - 1) >> WordNode.bits + 1) << WordNode.bits
    let bound = min(end, 1 << (nodes.shift + WordNode.bits))
    while leaf < bound, nodes.shift > 0 {
      let parent = writableNode(of: leaf, above: WordNode.bits)
      if let old = WordNode.child(at: leaf >> WordNode.bits, of: parent) {
        history.retire(node: old)
        WordNode.setChild(nil, at: leaf >> WordNode.bits, of: parent)
      }
      leaf += WordNode.width
    }
  }

  // MARK: Versions

  /// Ends the version that is being written, and returns its nodes. They are valid until the
  /// version is reclaimed, or this tree is released.
  ///
  /// - Parameter number: The number of the version, greater than the last one's.
  mutating func publish(_ number: UInt64) -> WordNodes {
    makeUnique()
    history.lastLeaf = nil
    history.isWritten = false
    history.version = number + 1
    return nodes
  }

  /// Frees the memory that only the versions before one can reach, and returns the records.
  @inline(__always)
  func reclaim(before version: UInt64) -> RetiredRecords? {
    history.hasRetired ? history.reclaim(before: version) : nil
  }

  // MARK: Tombstones

  /// Appends the id of a tombstone and returns its word; `nil` if it does not fit.
  mutating func appendTombstone(_ id: UnsafeRawBufferPointer) -> UInt64? {
    makeUnique()
    defer { nodes.blocks = history.tombstones.blocks }
    return history.appendTombstone(id)
  }

  /// Appends the ids of tombstones; see ``TombstoneIDs``.
  mutating func appendTombstones(entries: UnsafeRawBufferPointer, count: Int) -> UInt64? {
    makeUnique()
    defer { nodes.blocks = history.tombstones.blocks }
    return history.appendTombstones(entries: entries, count: count)
  }

  /// Removes the tombstones' ids, for new ones.
  mutating func takeTombstones() -> TombstoneIDs {
    makeUnique()
    nodes.blocks = nil
    return history.takeTombstones()
  }

  // MARK: Nodes

  /// Returns the node of a position whose words have positions `1 << end` apart, as this version's
  /// own.
  @inline(__always)
  mutating func writableNode(of position: Int, above end: Int) -> UnsafeMutableRawPointer {
    makeUnique()
    // A tree with positions has a root, and callers pass positions of the tree.
    guard var node = nodes.root else { preconditionFailure("The tree has no positions.") }
    if !history.owns(node) {
      node = history.copy(node)
      setRoot(node, shift: nodes.shift)
    }
    var shift = nodes.shift
    while shift > end {
      let index = position >> shift
      var child = WordNode.child(at: index, of: node)
      if !history.owns(child) {
        child = child.map { history.copy($0) } ?? history.makeNode()
        WordNode.setChild(child, at: index, of: node)
      }
      node = child.unsafelyUnwrapped
      shift &-= WordNode.bits
    }
    return node
  }

  /// Makes the tree one level deeper.
  private mutating func grow() {
    makeUnique()
    let root = history.makeNode()
    WordNode.setChild(nodes.root, at: 0, of: root)
    setRoot(root, shift: nodes.root == nil ? 0 : nodes.shift + WordNode.bits)
  }

  private mutating func setRoot(_ root: UnsafeMutableRawPointer?, shift: Int) {
    (nodes.root, nodes.shift) = (root, shift)
    (history.root, history.shift) = (root, shift)
  }

  /// Copies the entire tree if another value shares it.
  @inline(__always)
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&history) { copyAll() }
    history.isWritten = true
  }

  @inline(never)
  private mutating func copyAll() {
    let copy = WordHistory(hasRecords: history.hasRecords)
    if let root = nodes.root {
      nodes.root = copy.copyAll(root, shift: nodes.shift, blocks: nodes.blocks)
    }
    history = copy
    nodes.blocks = copy.tombstones.blocks
    setRoot(nodes.root, shift: nodes.shift)
  }
}
