/// The base records before they were changed, in the order of the changes, and the ids of records
/// removed by a garbage collection. A timeline uses both.
///
/// Its integers are 32 bits wide, because each copy of the source includes it.
struct ReplacedRecords {
  private var records: ContiguousArray<(index: RecordIndex, record: Record)> = []
  /// The position of the record that ``next(at:)`` returns next.
  private var position: Int32 = 0
  /// The maximum number of saved records. The records that change first are saved.
  private let limit: Int32
  /// The ids of collected records: the first `limit` since the last call of ``takeCollected()``.
  private var collected: [DataID] = []

  /// - Parameter limit: The maximum number of records, and of ids.
  init(limit: Int) { self.limit = Int32(clamping: limit) }

  /// Returns the ids of the records collected since the last call.
  mutating func takeCollected() -> [DataID] {
    return collected.drain()
  }

  /// Saves the id of a record that is about to be collected, unless it is a type schema record.
  mutating func collect(_ record: RecordBox) {
    guard collected.count < limit, record.state != .unknown, !record.isTypeSchema else { return }
    collected.append(record.id)
  }

  /// Saves the ids of a table's records, except `kept`.
  mutating func collectAll(of base: RecordTable, except kept: [RecordIndex]) {
    let kept = RecordSet(kept)
    for position in 0..<base.indexBound where collected.count < limit {
      let index = RecordIndex(position)
      if !kept.contains(index), let record = base[index] { collect(record) }
    }
  }

  /// Returns the record before its first change; `nil` if it was not saved.
  ///
  /// - Precondition: Records are requested in the order of their changes.
  mutating func next(at index: RecordIndex) -> Record? {
    let next = Int(position)
    guard next < records.count, records[next].index == index else { return nil }
    position += 1
    return records[next].record
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
  /// Saves a base record that is about to change, unless it has changed before.
  @inline(never)
  mutating func saveReplaced(_ index: RecordIndex) {
    if changedInBase.contains(index) { return }
    let record = self[base: index]
    replaced?.save(record, at: index)
  }
}
