/// A section of a local query: its rows with one key.
public struct LocalSection<Fragment: GraphQLFragment, Key: Hashable & Sendable>: Sendable {
  /// The key that the rows have in common, which is the section's identity and usually its title.
  public let key: Key
  /// The rows, in the query's order; never empty.
  public let rows: LocalRows<Fragment>
}

extension LocalSection: Identifiable {
  public var id: Key { key }
}

extension LocalSection: Equatable {}

/// The difference between two states of a sectioned list.
///
/// Rows are listed for the sections that are in both states only: the rows of a removed section
/// leave with it, and those of an inserted section come with it. A row that has moved between such a
/// section and another one is a removal or an insertion. Otherwise the parts are those of
/// ``ListChanges``, and to be applied like them: first what is removed, by its indexes in the
/// previous state, then what is inserted, by its indexes in the new state, in ascending order.
public struct SectionedChanges: Sendable, Hashable {
  /// The place of a row: the index of its section, and its index in that section.
  public struct Position: Sendable, Hashable {
    /// The index of the section.
    public var section: Int
    /// The index of the row in the section.
    public var row: Int

    /// Creates a position.
    public init(section: Int, row: Int) { (self.section, self.row) = (section, row) }
  }

  /// A row that is in both states.
  public struct Move: Sendable, Hashable {
    /// The row's position in the previous state.
    public var from: Position
    /// The row's position in the new state.
    public var to: Position

    /// Creates a move.
    public init(from: Position, to: Position) { (self.from, self.to) = (from, to) }
  }

  /// The indexes in the previous state of the sections that no row has any more, ascending.
  public var removedSections: [Int] = []
  /// The indexes in the new state of the sections that have their first rows, ascending.
  public var insertedSections: [Int] = []
  /// The positions in the previous state of the rows that have left their section, ascending.
  public var removals: [Position] = []
  /// The positions in the new state of the rows that have entered their section, ascending.
  public var insertions: [Position] = []
  /// The rows whose data has changed and that are at another place because of that, in the order of
  /// the new state.
  public var moves: [Move] = []
  /// The rows whose data has changed and that have kept their place, in the order of the new state.
  public var updates: [Move] = []

  /// Creates a difference without changes.
  public init() {}

  /// Whether the states are equal.
  public var isEmpty: Bool { self == SectionedChanges() }
}

extension SectionedChanges.Position: Comparable {
  /// Returns whether the first position is in front of the second.
  public static func < (left: Self, right: Self) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension SectionedChanges {
  /// Creates the difference between two states.
  ///
  /// - Parameter changes: The difference between the lists of all rows.
  init<Key>(_ changes: ListChanges, from previous: SectionTable<Key>, to table: SectionTable<Key>) {
    removedSections = previous.indexes(
      at: changes.removals + changes.moves.map(\.from)
        + changes.updates.map(\.from)
    ).filter { table.index(of: previous.spans[$0].key) == nil }
    insertedSections = table.indexes(
      at: changes.insertions + changes.moves.map(\.to)
        + changes.updates.map(\.to)
    ).filter { previous.index(of: table.spans[$0].key) == nil }
    let (removed, inserted) = (Set(removedSections), Set(insertedSections))
    func remove(_ position: Position) {
      if !removed.contains(position.section) { removals.append(position) }
    }
    func insert(_ position: Position) {
      if !inserted.contains(position.section) { insertions.append(position) }
    }
    for position in changes.removals { remove(previous.position(at: position)) }
    for position in changes.insertions { insert(table.position(at: position)) }
    let keptCount = changes.updates.count
    for (number, move) in (changes.updates + changes.moves).enumerated() {
      let (from, to) = (previous.position(at: move.from), table.position(at: move.to))
      if removed.contains(from.section) || inserted.contains(to.section) {
        remove(from)
        insert(to)
      } else if number < keptCount,
        table.areSame(previous.spans[from.section].key, table.spans[to.section].key)
      {
        updates.append(Move(from: from, to: to))
      } else {
        moves.append(Move(from: from, to: to))
      }
    }
    removals.sort()
    insertions.sort()
    moves.sort { $0.to < $1.to }
  }
}
