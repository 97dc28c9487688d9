/// A set of record indexes, one bit per index.
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

  /// The number of members.
  ///
  /// - Complexity: O(*n*) in the largest member.
  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether the set certainly has no record in a closed range. Also `false` for a range too long
  /// to check in constant time.
  ///
  /// - Complexity: O(1).
  func certainlyLacks(_ least: RecordIndex, to largest: RecordIndex) -> Bool {
    let (first, last) = (least.position >> 6, min(largest.position >> 6, words.count - 1))
    guard first <= last else { return true }
    guard last - first < 32 else { return false }
    return words.withUnsafeBufferPointer { words in
      var all: UInt64 = 0
      for word in first...last { all |= words[word] }
      return all == 0
    }
  }

  /// Returns the least member at or after a position; `nil` if there is none.
  package func next(from position: Int) -> RecordIndex? {
    var word = position >> 6
    guard word < words.count else { return nil }
    var rest = words[word] & ~0 << UInt64(position & 63)
    while rest == 0 {
      word += 1
      if word == words.count { return nil }
      rest = words[word]
    }
    return RecordIndex(word << 6 + rest.trailingZeroBitCount)
  }

  /// Calls the closure with every member, in ascending order.
  package func forEach(_ body: (RecordIndex) -> Void) {
    for word in words.indices {
      var rest = words[word]
      while rest != 0 {
        body(RecordIndex(word << 6 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  /// Inserts a record.
  ///
  /// - Returns: Whether the record was inserted; `false` if it was a member already.
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

  /// The members in a word of 64 consecutive indexes, as bits.
  ///
  /// - Parameter word: The first of these indexes, divided by 64.
  package func members(ofWord word: Int) -> UInt64 { word < words.count ? words[word] : 0 }

  /// Inserts records into a word of 64 consecutive indexes.
  ///
  /// - Parameters:
  ///   - members: The records to insert, as bits.
  ///   - word: The first of these indexes, divided by 64.
  package mutating func insert(_ members: UInt64, ofWord word: Int) {
    if members == 0 { return }
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    words[word] |= members
  }

  mutating func formUnion(_ other: RecordSet) {
    for (word, members) in other.words.enumerated() { insert(members, ofWord: word) }
  }

  package mutating func subtract(_ other: RecordSet) {
    for word in 0..<min(words.count, other.words.count) { words[word] &= ~other.words[word] }
  }

  /// Removes a record; a no-op if it is not a member.
  package mutating func remove(_ index: RecordIndex) {
    let word = index.position >> 6
    if word < words.count { words[word] &= ~(1 << UInt64(index.rawValue & 63)) }
  }
}

/// An ordered set of record indexes, in insertion order.
package struct RecordList: Sendable {
  package private(set) var indexes: ContiguousArray<RecordIndex> = []
  private var members = RecordSet()

  package init() {}

  package init(_ indexes: some Sequence<RecordIndex>) {
    for index in indexes { insert(index) }
  }

  package var isEmpty: Bool { indexes.isEmpty }
  package var count: Int { indexes.count }

  package func contains(_ index: RecordIndex) -> Bool { members.contains(index) }

  /// Whether any of these records is a member.
  ///
  /// - Parameter range: The least and the largest of `indexes`.
  package func containsAny(
    of indexes: ContiguousArray<RecordIndex>, in range: (least: RecordIndex, largest: RecordIndex)
  ) -> Bool {
    // Records written together have adjacent indexes, so the range usually has no member.
    if members.certainlyLacks(range.least, to: range.largest) { return false }
    for index in indexes where members.contains(index) { return true }
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
