/// The records of the base before they were changed, in the order of the changes, for a timeline.
struct ReplacedRecords {
  private var records: ContiguousArray<(index: RecordIndex, record: Record)> = []
  /// The position of the record that ``next(at:)`` returns next.
  private var position = 0
  /// The largest number of records that are saved: those that change first.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Returns the record before its first change; `nil` if it was not saved.
  ///
  /// - Precondition: The records are asked for in the order of their changes.
  mutating func next(at index: RecordIndex) -> Record? {
    guard position < records.count, records[position].index == index else { return nil }
    defer { position += 1 }
    return records[position].record
  }

  fileprivate mutating func save(_ record: Record, at index: RecordIndex) {
    if records.count < limit { records.append((index, record)) }
  }

  /// Removes all records.
  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    position = 0
  }
}

extension LayeredSource {
  /// Saves a record of the base that is about to change, unless it has changed before.
  @inline(never)
  mutating func saveReplaced(_ index: RecordIndex) {
    if changedInBase.contains(index) { return }
    let record = self[base: index]
    replaced?.save(record, at: index)
  }
}
