/// The nodes of one version of a ``RecordTree``.
struct RecordNodes {
  var root: UnsafeMutableRawPointer?
  /// The shift of a position that gives its index in the root.
  var shift = 0
  /// The exclusive upper bound of the positions.
  var count = 0

  /// The word of a position: a record's address, the handle of a tombstone, which is odd, or 0; 0
  /// outside of the tree.
  @inline(__always)
  func word(at position: Int) -> UInt {
    guard position < count, var node = root else { return 0 }
    var shift = shift
    while shift > 0 {
      guard let child = RecordNode.child(at: position >> shift, of: node) else { return 0 }
      node = child
      shift &-= RecordNode.bits
    }
    return RecordNode.word(at: position, of: node)
  }

  /// Returns the record at a position without retaining it; `nil` if there is none.
  @inline(__always)
  func record(at position: Int) -> Unmanaged<RecordBox>? {
    let word = word(at: position)
    return word & 1 == 0 ? Self.record(word) : nil
  }

  /// Returns the record of a word that is not a tombstone's; `nil` for 0.
  @inline(__always)
  static func record(_ word: UInt) -> Unmanaged<RecordBox>? {
    UnsafeRawPointer(bitPattern: word).map { .fromOpaque($0) }
  }
}

/// One version of a ``RecordTree``. Valid until the tree reclaims it, or is released.
struct RecordVersion {
  let nodes: RecordNodes
  let blocks: ContiguousArray<UnsafeMutableRawPointer>
  /// The number of the version.
  let number: UInt

  /// Calls the closure with the id of a tombstone; returns `nil` if there is none at the position.
  func withTombstone<Result>(
    at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let word = nodes.word(at: position)
    return word & 1 == 0 ? nil : body(TombstoneIDs.id(of: word, in: blocks))
  }
}

/// The memory of a node: the version that made it, then 128 words.
enum RecordNode {
  static let bits = 7
  static let width = 1 << bits
  private static let stride = MemoryLayout<UInt>.stride

  /// The offset of the word for a position, whose bits above the lowest seven are ignored.
  @inline(__always)
  private static func offset(_ position: Int) -> Int { ((position & (width - 1)) &+ 1) &* stride }

  static func make(_ version: UInt) -> UnsafeMutableRawPointer {
    let node = UnsafeMutableRawPointer.allocate(byteCount: (width + 1) * stride, alignment: stride)
    node.initializeMemory(as: UInt.self, repeating: 0, count: width + 1)
    node.storeBytes(of: version, as: UInt.self)
    return node
  }

  static func copy(_ node: UnsafeMutableRawPointer, for version: UInt) -> UnsafeMutableRawPointer {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: (width + 1) * stride, alignment: stride)
    copy.copyMemory(from: node, byteCount: (width + 1) * stride)
    copy.storeBytes(of: version, as: UInt.self)
    return copy
  }

  @inline(__always)
  static func version(of node: UnsafeMutableRawPointer) -> UInt { node.load(as: UInt.self) }

  @inline(__always)
  static func word(at position: Int, of node: UnsafeMutableRawPointer) -> UInt {
    node.load(fromByteOffset: offset(position), as: UInt.self)
  }

  @inline(__always)
  static func set(_ word: UInt, at position: Int, of node: UnsafeMutableRawPointer) {
    node.storeBytes(of: word, toByteOffset: offset(position), as: UInt.self)
  }

  @inline(__always)
  static func child(
    at index: Int, of node: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: word(at: index, of: node)) }

  /// Calls the closures with each word in use and each node below a node, children first.
  static func visit(
    _ node: UnsafeMutableRawPointer, shift: Int, word visitWord: (UInt) -> Void,
    node visitNode: (UnsafeMutableRawPointer) -> Void
  ) {
    for index in 0..<width {
      if shift == 0 {
        let word = word(at: index, of: node)
        if word != 0 { visitWord(word) }
      } else if let child = child(at: index, of: node) {
        visit(child, shift: shift - bits, word: visitWord, node: visitNode)
      }
    }
    visitNode(node)
  }
}
