/// The indexes of the records that were collected since they were last drained, and the ids of the first
/// ones.
struct CollectedRecords: BaseObserver {
  /// Whether the indexes are kept.
  var isTracked = false {
    didSet {
      if !isTracked { indexes = [] }
      isActive = isTracked || idLimit > 0
    }
  }
  private var indexes: ContiguousArray<RecordIndex> = []
  /// The largest number of ids that are kept; 0 unless a timeline is recorded.
  var idLimit = 0 { didSet { isActive = isTracked || idLimit > 0 } }
  /// Whether either is kept: one branch for each collected record otherwise.
  private var isActive = false
  private var ids: [DataID] = []

  /// Returns the records collected since the last call.
  mutating func drain() -> ContiguousArray<RecordIndex> {
    if indexes.isEmpty { return [] }
    defer { indexes = [] }
    return indexes
  }

  /// Returns the ids of records collected since the last call.
  mutating func drainIDs() -> [DataID] {
    defer { ids = [] }
    return ids
  }

  mutating func recordWillBeCollected(_ record: RecordStorage, at index: RecordIndex) {
    guard isActive else { return }
    if isTracked, record.state != .unknown { indexes.append(index) }
    if ids.count < idLimit { addID(of: record) }
  }

  private mutating func addID(of record: RecordStorage) {
    if record.state != .unknown, !record.isTypeSchema { ids.append(record.id) }
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    assert(!isTracked, "A replica has to hear of each collected record.")
    if idLimit == 0 { return }
    let kept = RecordSet(kept)
    for position in 0..<base.indexBound where ids.count < idLimit {
      let index = RecordIndex(position)
      if !kept.contains(index), let record = base[index] { addID(of: record) }
    }
  }
}
