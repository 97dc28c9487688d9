import RelayStore

/// The sections of a sorted list: its runs of rows with one key.
struct SectionTable<Key: Comparable & Hashable & Sendable>: Sendable {
  /// A run of rows.
  struct Span: Sendable {
    let key: Key
    /// The position of the first row in the list.
    var start = 0
    var count = 0
  }

  private(set) var spans: ContiguousArray<Span> = []
  private let isAscending: Bool

  init(isAscending: Bool) { self.isAscending = isAscending }

  private func isBefore(_ left: Key, _ right: Key) -> Bool {
    let precedence = Precedence(of: left, right)
    return (isAscending ? precedence : precedence.reversed) == .before
  }

  /// Returns whether two keys belong to one section, because the order does not distinguish them.
  func areSame(_ left: Key, _ right: Key) -> Bool { Precedence(of: left, right) == .same }

  /// Returns the index of a key's section, or `nil`.
  ///
  /// - Complexity: O(log *s*) in the sections.
  func index(of key: Key) -> Int? {
    let index = insertionIndex(of: key)
    return index < spans.count && areSame(spans[index].key, key) ? index : nil
  }

  private func insertionIndex(of key: Key) -> Int {
    RowList.partition(spans.count) { isBefore(spans[$0].key, key) }
  }

  /// Returns the index of the section that contains a position of the list.
  private func index(at position: Int) -> Int {
    max(0, RowList.partition(spans.count) { spans[$0].start <= position } - 1)
  }

  /// Returns the indexes of the sections that contain positions of the list, ascending.
  func indexes(at positions: [Int]) -> [Int] { Set(positions.map(index(at:))).sorted() }

  /// Converts a position in the list to a position in its section.
  func position(at position: Int) -> SectionedChanges.Position {
    let section = index(at: position)
    return .init(section: section, row: position - spans[section].start)
  }

  /// Updates the sections after edits of the list.
  ///
  /// - Complexity: O(*s* + *m* log *s*) for *m* edits and *s* sections.
  mutating func update(_ edits: [RowEdit], of list: RowList, key: (RowBox) -> Key) {
    if edits.isBulk(for: list) { return rebuild(from: list, key: key) }
    for edit in edits {
      if let old = edit.old {
        // An old row has a different key than before if the key closure depends on anything but the
        // row.
        guard let index = index(of: key(old)) else { return rebuild(from: list, key: key) }
        spans[index].count -= 1
      }
      if let new = edit.new {
        let key = key(new)
        let index = insertionIndex(of: key)
        if index == spans.count || !areSame(spans[index].key, key) {
          spans.insert(Span(key: key), at: index)
        }
        spans[index].count += 1
      }
    }
    spans.removeAll { $0.count == 0 }
    var start = 0
    for index in spans.indices {
      if spans[index].count < 0 { return rebuild(from: list, key: key) }
      spans[index].start = start
      start += spans[index].count
    }
    if start != list.count { rebuild(from: list, key: key) }
  }

  private mutating func rebuild(from list: RowList, key: (RowBox) -> Key) {
    spans = []
    for (position, row) in list.all.enumerated() {
      let key = key(row)
      if let last = spans.last, areSame(last.key, key) {
        spans[spans.count - 1].count += 1
      } else {
        spans.append(Span(key: key, start: position, count: 1))
      }
    }
  }
}
