/// Some elements of a list that follow one another.
@usableFromInline
package final class ListChunk: Sendable {
  @usableFromInline package let slots: ContiguousArray<RowSlot>
  /// The records that were looked at for these elements, where they are part of no other list's
  /// element; one may be there several times.
  package let seen: ContiguousArray<RecordIndex>
  /// The least and the largest number among those records; the other way round where there are none.
  package let seenRange: (least: RecordIndex, largest: RecordIndex)
  /// Whether reading them found nothing missing and no error.
  package let isClean: Bool

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

/// The shared storage of a list: chunks of as many elements each, so that a list of which one element
/// has changed shares the others' chunks with the old one.
@usableFromInline
package final class ListStorage: Sendable {
  @usableFromInline package let chunks: ContiguousArray<ListChunk>
  package let count: Int
  /// The chunks as they were read: those from one position of the record's list to the next are in one, as far as they
  /// were not left out.
  package let readChunks: ContiguousArray<ListChunk>
  /// The elements of every chunk but the last.
  @usableFromInline package static var chunkSize: Int { 64 }

  package convenience init(chunks: ContiguousArray<ListChunk>) {
    self.init(chunks: chunks, sparse: nil)
  }

  /// A list whose chunks may have fewer elements than they were read from.
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
