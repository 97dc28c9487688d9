/// The number of rows in a value, counting a shared row at each of its occurrences. Each row with
/// lists is visited once.
struct RowCount {
  /// The memoized counts of rows with lists.
  private var counts: [ObjectIdentifier: Int] = [:]

  /// Returns the number of rows at and below a row; `Int.max` on overflow.
  mutating func count(_ row: RowBox) -> Int {
    guard row.plan.hasLists else { return 1 }
    if let count = counts[row.identity] { return count }
    var sum = 1
    for position in 0..<row.layout.storedCount { sum = sum.adding(count(row.stored(position))) }
    counts[row.identity] = sum
    return sum
  }

  /// Returns the number of rows in and below a list's elements.
  mutating func count(_ list: ListBuffer) -> Int {
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

extension RowBox {
  /// The number of rows at and below it, counting a shared row at each of its occurrences.
  package var rowCount: Int {
    var count = RowCount()
    return count.count(self)
  }
}
