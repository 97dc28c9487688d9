/// The indexes of the records collected since the last drain.
struct CollectedRecords: BaseObserver {
  /// Whether collected records are tracked.
  var isTracked = false { didSet { if !isTracked { indexes = [] } } }
  private var indexes: ContiguousArray<RecordIndex> = []

  /// Returns the records collected since the last call.
  mutating func drain() -> ContiguousArray<RecordIndex> {
    if indexes.isEmpty { return [] }
    return indexes.drain()
  }

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {
    if isTracked, record.state != .unknown { indexes.append(index) }
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    assert(!isTracked, "A replica has to hear of each collected record.")
  }
}
