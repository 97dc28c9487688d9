/// The difference between two states of a list.
///
/// To make the new list of the previous one, remove the rows at ``removals`` and at the `from` of
/// ``moves``, then insert the rows at ``insertions`` and at the `to` of ``moves`` in ascending
/// order. All other rows keep their order; those of ``updates`` have other data. This is what a
/// batch update of a table or collection view expects.
public struct ListChanges: Sendable, Hashable {
  /// A row that is in both lists.
  public struct Move: Sendable, Hashable {
    /// The row's index in the previous list.
    public var from: Int
    /// The row's index in the new list.
    public var to: Int

    /// Creates a move.
    public init(from: Int, to: Int) { (self.from, self.to) = (from, to) }
  }

  /// The indexes in the previous list of the rows that have left it, ascending.
  public var removals: [Int] = []
  /// The indexes in the new list of the rows that have entered it, ascending.
  public var insertions: [Int] = []
  /// The rows whose data has changed and that are at another place because of that, in the order of
  /// the new list.
  public var moves: [Move] = []
  /// The rows whose data has changed and that have kept their place among the others, in the order
  /// of the new list.
  public var updates: [Move] = []

  /// Creates a difference; without arguments, none.
  public init(
    removals: [Int] = [], insertions: [Int] = [], moves: [Move] = [], updates: [Move] = []
  ) {
    (self.removals, self.insertions) = (removals, insertions)
    (self.moves, self.updates) = (moves, updates)
  }

  /// Whether the lists are equal.
  public var isEmpty: Bool {
    removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }
}

extension ListChanges {
  /// Creates the difference that the edits have made.
  ///
  /// - Complexity: O(*m* log *n*) for *m* edits of lists of *n* rows.
  init(
    _ edits: [RowEdit], from previous: RowList, to list: RowList,
    by areInOrder: (RowStorage, RowStorage) -> Bool
  ) {
    var changed: [Move] = []
    for edit in edits {
      let positions =
        edit.positions
        ?? (
          edit.old.flatMap { previous.position(of: $0, by: areInOrder) },
          edit.new.flatMap { list.position(of: $0, by: areInOrder) }
        )
      switch positions {
      case (let from?, let to?): changed.append(Move(from: from, to: to))
      case (let from?, nil): removals.append(from)
      case (nil, let to?): insertions.append(to)
      case (nil, nil): break
      }
    }
    removals.sort()
    insertions.sort()
    changed = changed.sorted(byNumber: { UInt64($0.to) })
    classify(changed)
  }

  /// Adds rows that are in both lists to the moves, or to the updates if they keep their place.
  ///
  /// A row keeps its place if as many unedited rows are in front of it as before, and if no row that
  /// keeps its place has overtaken it.
  private mutating func classify(_ changed: [Move]) {
    let from = (removals + changed.map(\.from)).sorted()
    let to = (insertions + changed.map(\.to)).sorted()
    var last = -1
    for move in changed {
      let before = move.from - RowList.partition(from.count) { from[$0] < move.from }
      let after = move.to - RowList.partition(to.count) { to[$0] < move.to }
      if before == after, move.from > last {
        updates.append(move)
        last = move.from
      } else {
        moves.append(move)
      }
    }
  }
}
