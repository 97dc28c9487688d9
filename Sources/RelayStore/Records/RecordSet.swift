/// Records of one store, as a bit for each.
package struct RecordSet: Sendable {
  private var words: ContiguousArray<UInt64> = []

  package init() {}

  package init(_ members: some Sequence<RecordIndex>) {
    for index in members { insert(index) }
  }

  package func contains(_ index: RecordIndex) -> Bool {
    let word = index.position >> 6
    return word < words.count && words[word] & 1 << (index.rawValue & 63) != 0
  }

  /// Returns whether it was not there before.
  @discardableResult
  package mutating func insert(_ index: RecordIndex) -> Bool {
    let (word, bit) = (index.position >> 6, UInt64(1) << (index.rawValue & 63))
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: max(word + 1, words.count) - words.count))
    }
    if words[word] & bit != 0 { return false }
    words[word] |= bit
    return true
  }
}

/// Records of one store in the order they were added, each once.
package struct RecordList: Sendable {
  package private(set) var indexes: ContiguousArray<RecordIndex> = []
  private var members = RecordSet()

  package init() {}

  package var isEmpty: Bool { indexes.isEmpty }
  package var count: Int { indexes.count }

  package func contains(_ index: RecordIndex) -> Bool { members.contains(index) }

  package func containsAny(of others: ContiguousArray<RecordIndex>) -> Bool {
    for index in others where members.contains(index) { return true }
    return false
  }

  @discardableResult
  package mutating func insert(_ index: RecordIndex) -> Bool {
    guard members.insert(index) else { return false }
    indexes.append(index)
    return true
  }

  package mutating func formUnion(_ other: RecordList) {
    for index in other.indexes { insert(index) }
  }
}
