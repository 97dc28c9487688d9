/// A run of consecutive elements of a list.
@usableFromInline
package final class ListChunk: Sendable {
  @usableFromInline package let slots: ContiguousArray<RowSlot>
  /// The records that these elements and any lists inside them depend on, possibly with duplicates.
  /// Empty unless the list is outermost.
  package let seen: ContiguousArray<RecordIndex>
  /// The smallest and the largest index in `seen`. If `seen` is empty, `least` is greater than
  /// `largest`.
  package let seenRange: (least: RecordIndex, largest: RecordIndex)
  /// Whether reading the elements found no missing data and no error.
  let isClean: Bool

  package init(
    _ slots: ContiguousArray<RowSlot>, seen: ContiguousArray<RecordIndex> = [],
    isClean: Bool = false
  ) {
    self.slots = slots
    self.seen = seen
    self.isClean = isClean
    var (least, largest) = (UInt32.max, UInt32.min)
    for index in seen {
      least = min(least, index.rawValue)
      largest = max(largest, index.rawValue)
    }
    seenRange = (RecordIndex(rawValue: least), RecordIndex(rawValue: largest))
  }
}

/// The shared storage of a list: chunks of equal size. A list with one changed element shares all
/// other chunks with its predecessor.
@usableFromInline
package final class ListBuffer: Sendable {
  @usableFromInline package let chunks: ContiguousArray<ListChunk>
  package let count: Int
  /// The chunks as read, each from a fixed range of the record's list. Omitted elements make a
  /// chunk shorter.
  let readChunks: ContiguousArray<ListChunk>
  /// The number of elements in every chunk but the last.
  @usableFromInline package static var chunkSize: Int { 64 }

  package convenience init(chunks: ContiguousArray<ListChunk>) {
    self.init(chunks: chunks, sparse: nil)
  }

  /// Creates a list from chunks as read. They may omit elements.
  package convenience init(sparse chunks: ContiguousArray<ListChunk>) {
    let all = ContiguousArray(chunks.lazy.map(\.slots).joined())
    self.init(chunks: Self.chunks(of: all), sparse: chunks)
  }

  private init(chunks: ContiguousArray<ListChunk>, sparse: ContiguousArray<ListChunk>?) {
    self.chunks = chunks
    readChunks = sparse ?? chunks
    count =
      chunks.isEmpty ? 0 : (chunks.count - 1) * Self.chunkSize + (chunks.last?.slots.count ?? 0)
  }

  package convenience init(_ slots: some Sequence<RowSlot>) {
    self.init(chunks: Self.chunks(of: ContiguousArray(slots)))
  }

  private static func chunks(of all: ContiguousArray<RowSlot>) -> ContiguousArray<ListChunk> {
    let starts = stride(from: 0, to: all.count, by: chunkSize)
    return ContiguousArray(
      starts.map { ListChunk(ContiguousArray(all[$0..<min($0 + chunkSize, all.count)])) })
  }

  /// The element at a position.
  ///
  /// - Complexity: O(1).
  @inlinable
  package subscript(position: Int) -> RowSlot {
    chunks[position / Self.chunkSize].slots[position % Self.chunkSize]
  }

  /// All elements.
  package var slots: ContiguousArray<RowSlot> { ContiguousArray(chunks.lazy.map(\.slots).joined()) }
}
