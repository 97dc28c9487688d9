/// The owner of the nodes of a ``WordTree``, and of what earlier versions still refer to.
///
/// Only the tree that has the sole reference calls it, so its accesses never overlap.
final class WordHistory {
  enum Retired {
    /// A node, or a block with ids.
    case memory(UnsafeMutableRawPointer)
    case record(Unmanaged<RecordBox>)
  }

  /// Whether each even word is a record that this object has retained, and each odd one a handle in
  /// `blocks`.
  let hasRecords: Bool
  /// The number of the version that is being written.
  @exclusivity(unchecked) var version: UInt64 = 0
  /// The nodes of the version that is being written.
  @exclusivity(unchecked) var root: UnsafeMutableRawPointer?
  @exclusivity(unchecked) var shift = 0
  /// The leaf that the last word was appended to, if this version still may write it.
  @exclusivity(unchecked) var lastLeaf: UnsafeMutableRawPointer?
  @exclusivity(unchecked) var tombstones = TombstoneIDs()
  /// The blocks with the ids of tombstones.
  @exclusivity(unchecked) var blocks: ContiguousArray<UnsafeMutableRawPointer> = []
  /// The nodes, blocks and records that later versions do not have, in the order of retirement.
  @exclusivity(unchecked) private(set) var retired: ContiguousArray<Retired> = []
  /// For each version that retired anything, the end of its own in `retired`.
  private var ends: [(version: UInt64, end: Int)] = []

  init(hasRecords: Bool) { self.hasRecords = hasRecords }

  deinit {
    for entry in retired { Self.free(entry) }
    for block in blocks { block.deallocate() }
    guard let root else { return }
    WordNode.visit(root, shift: shift) { word in
      if hasRecords, word & 1 == 0 { RecordTree.record(word)?.release() }
    } node: {
      $0.deallocate()
    }
  }

  @inline(__always)
  func owns(_ node: UnsafeMutableRawPointer?) -> Bool {
    node.map { WordNode.version(of: $0) == version } ?? false
  }

  /// Returns this version's copy of a node of an earlier one.
  func copy(_ node: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let copy = WordNode.copy(node, for: version)
    retire(node: node)
    return copy
  }

  /// Returns a copy of a node and of all below it, for a new tree that has no blocks yet.
  func copyAll(
    _ node: UnsafeMutableRawPointer, shift: Int,
    blocks old: ContiguousArray<UnsafeMutableRawPointer>
  ) -> UnsafeMutableRawPointer {
    let copy = WordNode.copy(node, for: version)
    for index in 0..<WordNode.width {
      var word = WordNode.word(at: index, of: node)
      if word == 0 { continue }
      if shift > 0, let child = WordNode.child(at: index, of: node) {
        word = UInt64(
          UInt(bitPattern: copyAll(child, shift: shift - WordNode.bits, blocks: old)))
      } else if !hasRecords {
        continue
      } else if word & 1 != 0 {
        word = tombstones.append(TombstoneIDs.id(of: word, in: old), to: &blocks) ?? 0
      } else {
        _ = RecordTree.record(word)?.retain()
      }
      WordNode.set(word, at: index, of: copy)
    }
    return copy
  }

  /// Removes the blocks, for new ones.
  func takeBlocks() -> ContiguousArray<UnsafeMutableRawPointer> {
    defer { (blocks, tombstones) = ([], TombstoneIDs()) }
    return blocks
  }

  // MARK: Retiring

  /// Frees what the version being written does not have anymore: now if there is no earlier one,
  /// otherwise when none can be read.
  @inline(__always)
  func retire(_ entry: Retired) {
    if version == 0 { Self.free(entry) } else { enqueue(entry) }
  }

  private func enqueue(_ entry: Retired) {
    retired.append(entry)
    if ends.last?.version != version { ends.append((version, 0)) }
    ends[ends.count - 1].end = retired.count
  }

  func retire(node: UnsafeMutableRawPointer) {
    if owns(node) { node.deallocate() } else { retire(.memory(node)) }
  }

  func retire(blocks: ContiguousArray<UnsafeMutableRawPointer>) {
    for block in blocks { retire(.memory(block)) }
  }

  /// Retires a node and all below it, but not what their words refer to.
  func retireNodes(below node: UnsafeMutableRawPointer, shift: Int) {
    WordNode.visit(node, shift: shift) { _ in
    } node: {
      retire(node: $0)
    }
  }

  /// Frees what only the versions before one can reach.
  func reclaim(before version: UInt64) {
    let done = ends.prefix { $0.version <= version }
    guard let end = done.last?.end else { return }
    for entry in retired[..<end] { Self.free(entry) }
    retired.removeFirst(end)
    ends.removeFirst(done.count)
    for index in ends.indices { ends[index].end -= end }
  }

  private static func free(_ entry: Retired) {
    switch entry {
    case .memory(let memory): memory.deallocate()
    case .record(let record): record.release()
    }
  }
}
