/// The owner of the nodes of a ``WordTree``, and of what earlier versions still refer to.
///
/// Only the tree that has the sole reference calls it, so its accesses never overlap.
final class WordHistory {
  /// Whether each even word is a record that this object has retained, and each odd one a handle in
  /// `tombstones`.
  let hasRecords: Bool
  /// The number of the version that is being written.
  @exclusivity(unchecked) var version: UInt64 = 0
  /// Whether the version that is being written differs from the one before it.
  @exclusivity(unchecked) var isWritten = true
  /// The nodes of the version that is being written.
  @exclusivity(unchecked) var root: UnsafeMutableRawPointer?
  @exclusivity(unchecked) var shift = 0
  /// The leaf that the last word was appended to, if this version still may write it.
  @exclusivity(unchecked) var lastLeaf: UnsafeMutableRawPointer?
  @exclusivity(unchecked) var tombstones = TombstoneIDs()
  /// The memory and the records that later versions do not have.
  @exclusivity(unchecked) private var retiredNodes = Retired<UnsafeMutableRawPointer>()
  @exclusivity(unchecked) private var retiredBlocks = Retired<UnsafeMutableRawPointer>()
  @exclusivity(unchecked) private var retiredRecords = Retired<Unmanaged<RecordBox>>()
  /// The nodes to use again. Each has the address of the next one in its first bytes.
  @exclusivity(unchecked) private var spare: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var spareCount = 0
  private static let spareLimit = 8

  init(hasRecords: Bool) { self.hasRecords = hasRecords }

  deinit {
    retiredNodes.all.forEach { $0.deallocate() }
    retiredBlocks.all.forEach { $0.deallocate() }
    retiredRecords.all.forEach { $0.release() }
    tombstones.forEachAllocation { $0.deallocate() }
    while let node = spare {
      spare = node.load(as: UnsafeMutableRawPointer?.self)
      node.deallocate()
    }
    guard let root else { return }
    WordNode.visit(root, shift: shift) { word in
      if hasRecords, word & 1 == 0 { RecordTree.record(word)?.release() }
    } node: {
      $0.deallocate()
    }
  }

  // MARK: Nodes

  @inline(__always)
  func owns(_ node: UnsafeMutableRawPointer?) -> Bool {
    node.map { WordNode.version(of: $0) == version } ?? false
  }

  /// Returns a node of this version with words 0.
  func makeNode() -> UnsafeMutableRawPointer {
    let node = allocateNode()
    WordNode.clear(node, version: version)
    return node
  }

  /// Returns this version's copy of a node of an earlier one.
  func copy(_ node: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let copy = allocateNode()
    WordNode.copy(node, to: copy, version: version)
    retire(node: node)
    return copy
  }

  private func allocateNode() -> UnsafeMutableRawPointer {
    guard let node = spare else { return WordNode.allocate() }
    spare = node.load(as: UnsafeMutableRawPointer?.self)
    spareCount -= 1
    return node
  }

  private func free(node: UnsafeMutableRawPointer) {
    if spareCount == Self.spareLimit { return node.deallocate() }
    node.storeBytes(of: spare, as: UnsafeMutableRawPointer?.self)
    spare = node
    spareCount += 1
  }

  /// Returns a copy of a node and of all below it, for a new tree that has no tombstones yet.
  ///
  /// - Parameter blocks: The blocks of the old tree's tombstones.
  func copyAll(
    _ node: UnsafeMutableRawPointer, shift: Int,
    blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>?
  ) -> UnsafeMutableRawPointer {
    let copy = allocateNode()
    WordNode.copy(node, to: copy, version: version)
    for index in 0..<WordNode.width {
      var word = WordNode.word(at: index, of: node)
      if word == 0 { continue }
      if shift > 0, let child = WordNode.child(at: index, of: node) {
        word = UInt64(
          UInt(bitPattern: copyAll(child, shift: shift - WordNode.bits, blocks: blocks)))
      } else if !hasRecords {
        continue
      } else if word & 1 != 0 {
        let moved = appendTombstone(TombstoneIDs.id(of: word, in: blocks))
        word = moved.map { $0 | word & RecordTree.persistedBit } ?? 0
      } else {
        _ = RecordTree.record(word)?.retain()
      }
      WordNode.set(word, at: index, of: copy)
    }
    return copy
  }

  // MARK: Tombstones

  /// Appends an id and returns its handle; `nil` if it does not fit.
  func appendTombstone(_ id: UnsafeRawBufferPointer) -> UInt64? {
    defer { retireOutgrown() }
    return tombstones.append(id)
  }

  /// Appends entries; see ``TombstoneIDs``.
  func appendTombstones(entries: UnsafeRawBufferPointer, count: Int) -> UInt64? {
    defer { retireOutgrown() }
    return tombstones.append(entries: entries, count: count)
  }

  private func retireOutgrown() {
    if let outgrown = tombstones.takeOutgrown() { retire(block: outgrown) }
  }

  /// Removes the tombstones' ids, for new ones.
  func takeTombstones() -> TombstoneIDs {
    defer { tombstones = TombstoneIDs() }
    return tombstones
  }

  // MARK: Retiring

  /// Frees a record that the version being written does not have anymore: now if no version was
  /// published, otherwise when no version with it can be read.
  @inline(__always)
  func retire(_ record: Unmanaged<RecordBox>) {
    if version == 0 { record.release() } else { retiredRecords.append(record, version) }
  }

  func retire(node: UnsafeMutableRawPointer) {
    if owns(node) || version == 0 { free(node: node) } else { retiredNodes.append(node, version) }
  }

  func retire(block: UnsafeMutableRawPointer) {
    if version == 0 { block.deallocate() } else { retiredBlocks.append(block, version) }
  }

  /// Retires a node and all below it, but not what their words refer to.
  func retireNodes(below node: UnsafeMutableRawPointer, shift: Int) {
    WordNode.visit(node, shift: shift) { _ in
    } node: {
      retire(node: $0)
    }
  }

  /// The number of retired nodes, records and blocks that are not freed yet.
  var retiredCount: Int {
    retiredNodes.all.count + retiredRecords.all.count + retiredBlocks.all.count
  }

  /// Frees the memory that only the versions before one can reach, and returns the records.
  func reclaim(before version: UInt64) -> RetiredRecords? {
    retiredNodes.remove(before: version) { free(node: $0) }
    if !retiredBlocks.all.isEmpty { retiredBlocks.remove(before: version) { $0.deallocate() } }
    if retiredRecords.all.isEmpty { return nil }
    let records = retiredRecords.take(before: version)
    return records.isEmpty ? nil : RetiredRecords(records)
  }

  /// Whether there is anything to reclaim.
  @inline(__always)
  var hasRetired: Bool {
    !retiredNodes.all.isEmpty || !retiredRecords.all.isEmpty || !retiredBlocks.all.isEmpty
  }
}

/// The objects that a tree has retired, in the order of the versions that retired them.
private struct Retired<Element> {
  private(set) var all: ContiguousArray<Element> = []
  /// For each version that retired anything, the start of its own in `all`.
  private var starts: ContiguousArray<(version: UInt64, start: Int)> = []
  /// The last version that retired anything; 0 for none.
  private var last: UInt64 = 0

  @inline(__always)
  mutating func append(_ element: Element, _ version: UInt64) {
    if last != version {
      starts.append((version, all.count))
      last = version
    }
    all.append(element)
  }

  /// The number of elements that only the versions before one have.
  private func count(before version: UInt64) -> Int {
    last <= version ? all.count : starts.first { $0.version > version }?.start ?? 0
  }

  /// Removes what only the versions before one have, and returns it.
  mutating func take(before version: UInt64) -> ContiguousArray<Element> {
    let count = count(before: version)
    if count == all.count {
      defer {
        all = []
        removeFirst(0)
      }
      return all
    }
    let taken = ContiguousArray(all[..<count])
    removeFirst(count)
    return taken
  }

  /// Removes what only the versions before one have, and calls the closure with each.
  mutating func remove(before version: UInt64, _ body: (Element) -> Void) {
    let count = count(before: version)
    for position in 0..<count { body(all[position]) }
    removeFirst(count)
  }

  private mutating func removeFirst(_ count: Int) {
    if count == all.count {
      // What a large commit has retired must not take memory for long.
      all.removeAll(keepingCapacity: count <= 64)
      starts.removeAll(keepingCapacity: true)
      last = 0
    } else if count > 0 {
      all.removeFirst(count)
      starts.removeAll { $0.start < count }
      for index in starts.indices { starts[index].start -= count }
    }
  }
}

/// Records that no version has anymore. They are released with this object, by any thread.
///
/// `@unchecked Sendable`: the records are immutable, and nothing else refers to the array.
final class RetiredRecords: @unchecked Sendable {
  private let records: ContiguousArray<Unmanaged<RecordBox>>

  fileprivate init(_ records: ContiguousArray<Unmanaged<RecordBox>>) { self.records = records }

  var count: Int { records.count }

  deinit { records.forEach { $0.release() } }
}
