import RelayStore

/// The difference between two states of a list.
///
/// To turn the previous list into the new one, remove the rows at ``removals`` and at the `from` of
/// ``moves``, then insert the rows at ``insertions`` and at the `to` of ``moves`` in ascending
/// order. All other rows retain their relative order; those in ``updates`` have new data. This is
/// the form that a batch update of a table or collection view expects.
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

  /// The indexes, in the previous list, of rows that left it; ascending.
  public var removals: [Int] = []
  /// The indexes, in the new list, of rows that entered it; ascending.
  public var insertions: [Int] = []
  /// The rows whose data changed and moved them to another position, in the order of the new list.
  public var moves: [Move] = []
  /// The rows whose data changed but whose position relative to the other rows did not, in the
  /// order of the new list.
  public var updates: [Move] = []

  /// Creates a difference; without arguments, an empty one.
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
  /// Creates the difference made by the edits.
  ///
  /// - Complexity: O(*m* log *n*) for *m* edits of lists of *n* rows.
  init(
    _ edits: [RowEdit], from previous: RowList, to list: RowList,
    by areInOrder: (RowBox, RowBox) -> Bool
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

  /// Adds rows that are in both lists to the updates if they did not move, otherwise to the moves.
  ///
  /// A row did not move if as many unedited rows precede it as before, and no other updated row has
  /// overtaken it.
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
