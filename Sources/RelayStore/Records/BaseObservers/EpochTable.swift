/// Epochs by record, in a tree with versions. The table has one word for each record up to the last
/// one with an epoch; without epochs it costs no memory.
struct EpochTable {
  /// The epochs plus one.
  private var words: WordTree
  private(set) var count: Int

  init() { (words, count) = (WordTree(), 0) }

  var isEmpty: Bool { count == 0 }

  /// The epoch of a record; `nil` if it has none.
  subscript(index: RecordIndex) -> UInt64? {
    get {
      let word = words.nodes[index.position]
      return word == 0 ? nil : word - 1
    }
    set {
      guard newValue != nil || words.nodes[index.position] != 0 else { return }
      words.appendZeros(to: index.position + 1)
      let old = words.set(newValue.map { $0 &+ 1 } ?? 0, at: index.position)
      count += (newValue == nil ? 0 : 1) - (old == 0 ? 0 : 1)
    }
  }

  /// The records with an epoch, in ascending order.
  ///
  /// - Complexity: O(*n*) in the records up to the last one with an epoch.
  var indexes: [RecordIndex] {
    isEmpty ? [] : (0..<words.count).lazy.filter { words.nodes[$0] != 0 }.map { RecordIndex($0) }
  }

  mutating func removeAll() {
    words.retire(words.removeAll())
    count = 0
  }

  // MARK: Versions

  var isWritten: Bool { words.history.isWritten }

  /// The part of a version that reading uses.
  struct Version {
    var words = WordNodes()
    var count = 0
  }

  /// Creates a table that reads published versions.
  init(published version: Version) {
    (words, count) = (WordTree(published: version.words), version.count)
  }

  /// Reads another published version.
  mutating func show(_ version: Version) {
    words.show(version.words)
    count = version.count
  }

  /// Ends the version that is being written, and returns it; see ``WordTree/publish(_:)``.
  mutating func publish(_ number: UInt64) -> Version {
    Version(words: words.publish(number), count: count)
  }

  /// Frees what only the versions before one can reach.
  func reclaim(before version: UInt64) { _ = words.reclaim(before: version) }
}
