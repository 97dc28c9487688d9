/// The records of the base before they were changed, for a timeline.
struct ReplacedRecords {
  private var records: [RecordIndex: Record] = [:]
  /// The largest number of records that are saved: those that change first.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Returns the record before the first change; `nil` if it was not saved.
  subscript(index: RecordIndex) -> Record? { records[index] }

  fileprivate mutating func save(_ record: Record, at index: RecordIndex) {
    if records.count < limit { records[index] = record }
  }

  /// Removes all records.
  mutating func removeAll() { records.removeAll(keepingCapacity: true) }
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
