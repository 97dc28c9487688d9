/// The nodes of one version of a ``WordTree``. Valid until the tree reclaims the version, or is
/// released.
struct WordNodes {
  var root: UnsafeMutableRawPointer?
  /// The shift of a position that gives its index in the root.
  var shift = 0
  /// The exclusive upper bound of the positions.
  var count = 0
  /// The blocks with the ids of tombstones; see ``TombstoneIDs``.
  var blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>?

  /// The word at a position; 0 outside of the tree.
  @inline(__always)
  subscript(position: Int) -> UInt64 {
    guard position < count, let leaf = leaf(of: position) else { return 0 }
    return WordNode.word(at: position, of: leaf)
  }

  /// Returns the leaf with the word of a position; `nil` if all its words are 0.
  @inline(__always)
  func leaf(of position: Int) -> UnsafeMutableRawPointer? {
    guard var node = root else { return nil }
    var shift = shift
    while shift > 0 {
      guard let child = WordNode.child(at: position >> shift, of: node) else { return nil }
      node = child
      shift &-= WordNode.bits
    }
    return node
  }
}

/// The memory of a node: the version that made it, then 128 words.
enum WordNode {
  static let bits = 7
  static let width = 1 << bits
  private static let stride = MemoryLayout<UInt64>.stride
  private static let byteCount = (width + 1) * stride

  /// The offset of the word for a position, whose bits above the lowest seven are ignored.
  @inline(__always)
  private static func offset(_ position: Int) -> Int { ((position & (width - 1)) &+ 1) &* stride }

  /// Allocates a node without a version and words.
  static func allocate() -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: stride)
  }

  /// Makes a node one with words 0.
  static func clear(_ node: UnsafeMutableRawPointer, version: UInt64) {
    node.initializeMemory(as: UInt64.self, repeating: 0, count: width + 1)
    node.storeBytes(of: version, as: UInt64.self)
  }

  /// Makes a node a copy of another.
  static func copy(
    _ node: UnsafeMutableRawPointer, to copy: UnsafeMutableRawPointer, version: UInt64
  ) {
    copy.copyMemory(from: node, byteCount: byteCount)
    copy.storeBytes(of: version, as: UInt64.self)
  }

  @inline(__always)
  static func version(of node: UnsafeMutableRawPointer) -> UInt64 { node.load(as: UInt64.self) }

  @inline(__always)
  static func word(at position: Int, of node: UnsafeMutableRawPointer) -> UInt64 {
    node.load(fromByteOffset: offset(position), as: UInt64.self)
  }

  @inline(__always)
  static func set(_ word: UInt64, at position: Int, of node: UnsafeMutableRawPointer) {
    node.storeBytes(of: word, toByteOffset: offset(position), as: UInt64.self)
  }

  @inline(__always)
  static func child(
    at index: Int, of node: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: word(at: index, of: node)))
  }

  @inline(__always)
  static func setChild(
    _ child: UnsafeMutableRawPointer?, at index: Int, of node: UnsafeMutableRawPointer
  ) { set(UInt64(UInt(bitPattern: child)), at: index, of: node) }

  /// Calls the closures with each word other than 0 and each node below a node, children first.
  static func visit(
    _ node: UnsafeMutableRawPointer, shift: Int, word visitWord: (UInt64) -> Void,
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
