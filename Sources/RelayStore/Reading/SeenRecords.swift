/// The records that a read depends on.
///
/// The sequence may contain a record more than once. The first two records are stored inline
/// because most fragments see no others.
package struct SeenRecords: Sequence, Sendable {
  private var first = RecordIndex.none
  private var second = RecordIndex.none
  private var more: More?

  /// The other records.
  ///
  /// `@unchecked Sendable`: ``SeenRecords`` writes to it only while it holds the only reference.
  /// For the same reason its accesses are not checked for exclusivity.
  private final class More: @unchecked Sendable {
    /// The records read outside list elements, from the third one.
    @exclusivity(unchecked) var own: ContiguousArray<RecordIndex> = []
    /// The chunks of the lists, with the records seen for their elements.
    @exclusivity(unchecked) var chunks: ContiguousArray<ListChunk> = []
  }

  package mutating func insert(_ index: RecordIndex) {
    if first == .none {
      first = index
    } else if second == .none {
      second = index
    } else {
      makeMoreUnique()
      more?.own.append(index)
    }
  }

  package mutating func insert(_ chunk: ListChunk) {
    makeMoreUnique()
    more?.chunks.append(chunk)
  }

  /// Ensures that `more` exists and that no other value refers to it.
  private mutating func makeMoreUnique() {
    if isKnownUniquelyReferenced(&more) { return }
    let copy = More()
    if let more { (copy.own, copy.chunks) = (more.own, more.chunks) }
    more = copy
  }

  package func makeIterator() -> ContiguousArray<RecordIndex>.Iterator {
    var all: ContiguousArray<RecordIndex> = []
    forEach { all.append($0) }
    return all.makeIterator()
  }

  /// The records; without duplicates if there are more than 16.
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

  /// Calls `body` with every record, possibly more than once.
  package func forEach(_ body: (RecordIndex) -> Void) {
    forEachOwn(body)
    guard let more else { return }
    for chunk in more.chunks { for index in chunk.seen { body(index) } }
  }

  /// Calls `body` with the records, possibly more than once, until it returns `false`.
  package func visit(while body: (RecordIndex) -> Bool) {
    if first != .none, !body(first) { return }
    if second != .none, !body(second) { return }
    guard let more else { return }
    for index in more.own where !body(index) { return }
    for chunk in more.chunks {
      for index in chunk.seen where !body(index) { return }
    }
  }

  private func forEachOwn(_ body: (RecordIndex) -> Void) {
    if first != .none { body(first) }
    if second != .none { body(second) }
    guard let more else { return }
    for index in more.own { body(index) }
  }

  /// Calls `body` with every record that `other` may not have, possibly more than once.
  package func forEach(notIn other: SeenRecords, _ body: (RecordIndex) -> Void) {
    let own = more?.own ?? []
    if first != other.first || second != other.second || own != other.more?.own ?? [] {
      forEachOwn(body)
    }
    guard let more else { return }
    let old = other.more?.chunks ?? []
    for (position, chunk) in more.chunks.enumerated() {
      if position < old.count, old[position] === chunk || old[position].seen == chunk.seen {
        continue
      }
      for index in chunk.seen { body(index) }
    }
  }
}
