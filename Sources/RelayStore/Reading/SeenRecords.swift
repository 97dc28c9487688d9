/// The records that a read depends on.
///
/// The sequence may contain a record more than once.
package struct SeenRecords: Sequence, Sendable {
  /// The records read outside of lists' elements.
  package private(set) var own: ContiguousArray<RecordIndex> = []
  /// The chunks of the lists, with the records seen for their elements.
  package private(set) var chunks: ContiguousArray<ListChunk> = []

  package init() {}

  package mutating func insert(_ index: RecordIndex) { own.append(index) }
  package mutating func insert(_ chunk: ListChunk) { chunks.append(chunk) }

  package func makeIterator()
    -> FlattenSequence<[ContiguousArray<RecordIndex>]>.Iterator
  {
    ([own] + chunks.map(\.seen)).joined().makeIterator()
  }

  /// The records; when there are more than 16, without duplicates.
  package var unique: ContiguousArray<RecordIndex> {
    let all = ContiguousArray(self)
    return all.count > 16 ? ContiguousArray(Set(all)) : all
  }

  /// The number of distinct records.
  package var count: Int {
    var all = RecordList()
    forEach { all.insert($0) }
    return all.count
  }

  /// Calls the closure with every record, possibly more than once.
  package func forEach(_ body: (RecordIndex) -> Void) {
    for index in own { body(index) }
    for chunk in chunks { for index in chunk.seen { body(index) } }
  }

  /// Calls the closure with every record that `other` may not have, possibly more than once.
  package func forEach(notIn other: SeenRecords, _ body: (RecordIndex) -> Void) {
    if own != other.own { for index in own { body(index) } }
    for (position, chunk) in chunks.enumerated() {
      if position < other.chunks.count {
        let old = other.chunks[position]
        if old === chunk || old.seen == chunk.seen { continue }
      }
      for index in chunk.seen { body(index) }
    }
  }
}
