import RelayStore

/// A change of one row of a local query. An insertion has no old row, and a removal no new one.
struct RowEdit: Sendable {
  let old: RowBox?
  let new: RowBox?
  /// The position of the old row in the previous list, and of the new row in the next one; only set
  /// if this is the only edit between the two lists.
  fileprivate(set) var positions: (from: Int?, to: Int?)?
}

extension [RowEdit] {
  /// Returns whether one pass over the entire list is cheaper than individual changes.
  func isBulk(for list: RowList) -> Bool { count > 64 && count > list.count / 8 }
}

/// The rows of a local query, as received by one consumer.
struct LocalResult<Fragment: GraphQLFragment> {
  let query: LocalQuery<Fragment>
  private(set) var list = RowList()
  /// The rows of the list by the ids of their records.
  private var rows: [DataID: RowBox] = [:]

  init(_ query: LocalQuery<Fragment>) { self.query = query }

  /// Applies changes to the list.
  ///
  /// - Returns: The edits of rows in the list.
  /// - Complexity: O(*m* log *n*) for *m* changes of a list of *n* rows, or O(*n*) if *m* is not
  ///   small compared to *n*.
  mutating func apply(_ changes: ReplicaChanges) -> [RowEdit] {
    var edits: [RowEdit] = []
    for (id, row, _, _) in changes.rows {
      let new = row.flatMap { query.includes($0) ? $0 : nil }
      let old = rows[id]
      // Skips a change that was undone before it was received.
      if old.map(Row.init) == new.map(Row.init) { continue }
      rows[id] = new
      edits.append(RowEdit(old: old, new: new))
    }
    if edits.isBulk(for: list) {
      merge(edits)
    } else {
      for index in edits.indices {
        let from = edits[index].old.flatMap { list.remove($0, by: query.areInOrder) }
        let to = edits[index].new.map { list.insert($0, by: query.areInOrder) }
        if edits.count == 1 { edits[index].positions = (from, to) }
      }
    }
    return edits
  }

  /// Merges the list with the sorted new rows.
  private mutating func merge(_ edits: [RowEdit]) {
    let removed = Set(edits.compactMap { $0.old?.identity })
    let inserted = edits.compactMap(\.new).sorted(by: query.areInOrder)
    var merged: ContiguousArray<RowBox> = []
    merged.reserveCapacity(list.count + inserted.count)
    var next = 0
    for row in list.all where !removed.contains(row.identity) {
      while next < inserted.count, query.areInOrder(inserted[next], row) {
        merged.append(inserted[next])
        next += 1
      }
      merged.append(row)
    }
    merged += inserted[next...]
    list = RowList(merged)
  }
}
