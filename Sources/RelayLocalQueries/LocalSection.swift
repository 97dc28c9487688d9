public import RelayStore

/// A section of a local query: the rows with one key.
public struct LocalSection<Fragment: GraphQLFragment, Key: Hashable & Sendable>: Sendable {
  /// The key shared by the rows; also the section's identity and usually its title.
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
/// Rows are listed only for sections in both states: a removed section takes its rows with it, and
/// an inserted one brings its own. A row that moves between such a section and another one is a
/// removal or an insertion. Otherwise the members mean the same as in ``ListChanges`` and are
/// applied in the same order: first the removals, by their indexes in the previous state, then the
/// insertions, by their indexes in the new state, in ascending order.
public struct SectionedChanges: Sendable, Hashable {
  /// The position of a row: the index of its section, and its index in that section.
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

  /// The indexes, in the previous state, of sections that no longer have rows; ascending.
  public var removedSections: [Int] = []
  /// The indexes, in the new state, of sections that received their first rows; ascending.
  public var insertedSections: [Int] = []
  /// The positions, in the previous state, of rows that left their section; ascending.
  public var removals: [Position] = []
  /// The positions, in the new state, of rows that entered their section; ascending.
  public var insertions: [Position] = []
  /// The rows whose data changed and moved them to another position, in the order of the new state.
  public var moves: [Move] = []
  /// The rows whose data changed but whose relative position did not, in the order of the new
  /// state.
  public var updates: [Move] = []

  /// Creates an empty difference.
  public init() {}

  /// Whether the states are equal.
  public var isEmpty: Bool { self == SectionedChanges() }
}

extension SectionedChanges.Position: Comparable {
  /// Returns whether the first position is before the second.
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
