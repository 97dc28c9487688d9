/// The closures to call when exported records change.
package struct ExportWatches {
  private var watches: [UInt64: (records: RecordSet, receiver: InvalidationReceiver)] = [:]
  private var lastID: UInt64 = 0

  /// Adds a closure.
  package mutating func add(_ records: RecordSet, _ receiver: InvalidationReceiver) -> UInt64 {
    lastID += 1
    watches[lastID] = (records, receiver)
    return lastID
  }

  package mutating func remove(_ id: UInt64) { watches[id] = nil }

  /// Returns the deliveries to the closures that watch one of the changed records.
  ///
  /// - Complexity: O(*n*) in the records, for each closure.
  func deliveries(of changed: RecordList) -> [Delivery] {
    if watches.isEmpty || changed.isEmpty { return [] }
    return watches.sorted(byNumber: \.key).compactMap { _, watch in
      changed.indexes.contains { watch.records.contains($0) }
        ? .invalidation(watch.receiver) : nil
    }
  }
}
