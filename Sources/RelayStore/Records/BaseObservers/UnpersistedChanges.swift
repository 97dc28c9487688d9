/// The changes of the base that are not persisted yet.
package struct UnpersistedChanges: BaseObserver {
  /// Whether changes are tracked: the store has a storage.
  package var isTracked = false
  /// The records that were written or collected.
  package private(set) var records = RecordList()
  /// The indexes that were assigned to an id, or whose id was dropped.
  package private(set) var ids = RecordList()
  /// Whether everything must be persisted anew.
  package private(set) var isReplacement = false

  package init() {}

  /// Whether there are no changes.
  package var isEmpty: Bool { records.isEmpty && ids.isEmpty && !isReplacement }

  /// Returns the changes since the last call.
  package mutating func drain() -> UnpersistedChanges {
    var changes = UnpersistedChanges()
    changes.isTracked = isTracked
    swap(&changes, &self)
    return changes
  }

  /// Adds changes that could not be persisted.
  mutating func formUnion(_ other: UnpersistedChanges) {
    records.formUnion(other.records)
    ids.formUnion(other.ids)
    isReplacement = isReplacement || other.isReplacement
  }

  /// Requests that everything be persisted anew.
  package mutating func replaceAll() { if isTracked { isReplacement = true } }

  /// Adds a record that changed in something other than its fields.
  mutating func insert(_ index: RecordIndex) { if isTracked { records.insert(index) } }

  @inline(__always)
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordBox, in base: RecordTable
  ) {
    if isTracked { records.insert(index) }
  }

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {
    if isTracked { records.insert(index) }
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    guard isTracked else { return }
    let kept = RecordSet(kept)
    for index in (0..<base.indexBound).lazy.map({ RecordIndex($0) }) where !kept.contains(index) {
      guard base.isInUse(index) else { continue }
      records.insert(index)
      ids.insert(index)
    }
  }

  @inline(__always)
  mutating func idWasAssigned(to index: RecordIndex) {
    guard isTracked else { return }
    ids.insert(index)
    records.insert(index)
  }

  mutating func idWillBeDropped(from index: RecordIndex) { if isTracked { ids.insert(index) } }

  mutating func baseWasCleared() { replaceAll() }
}
