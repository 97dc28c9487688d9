/// How many rows a value has when each is counted as often as it is there, found by looking at each once.
struct RowCount {
  /// The counts of rows with lists.
  private var known: [ObjectIdentifier: Int] = [:]

  /// The count of a row with those below it; `Int.max` where it is no `Int`.
  mutating func count(_ row: RowStorage) -> Int {
    guard row.plan.hasLists else { return 1 }
    if let count = known[row.identity] { return count }
    var sum = 1
    for position in 0..<row.layout.storedCount { sum = sum.adding(count(row.stored(position))) }
    known[row.identity] = sum
    return sum
  }

  /// The count of a list's elements with the rows below them.
  mutating func count(_ list: ListStorage) -> Int {
    var sum = 0
    for chunk in list.chunks { for slot in chunk.slots { sum = sum.adding(count(slot)) } }
    return sum
  }

  private mutating func count(_ slot: RowSlot) -> Int {
    switch slot.value {
    case .row(let row): count(row)
    case .list(let list): count(list)
    default: 1
    }
  }
}

extension Int {
  fileprivate func adding(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

extension RowStorage {
  /// How many rows it has, itself included, each counted as often as it is there.
  package var rowCount: Int {
    var count = RowCount()
    return count.count(self)
  }
}
