/// A live optimistic update. It has its own layer until it is confirmed or reverted.
package struct OptimisticLayer {
  package let id: UInt64
  var payload: RecordPayload?
  var payloadRoot: DataID?
  var updater: StoreUpdater?
  /// The name of the mutation whose optimistic response is the payload; `nil` for other updates.
  package var operationName: String?
  /// The records that the update wrote when it was last applied.
  package var written: Set<RecordIndex> = []
  /// Whether observers have not been notified of the update yet. Reset only with a log or a timeline.
  var isNew = true
  /// Whether an event has named fields that the optimistic response left out.
  var hasLoggedOmissions = false
}

/// The live optimistic updates of a store.
package struct OptimisticLayers {
  /// The updates, oldest first. A later update is on top.
  package var all: [OptimisticLayer] = []

  /// The live update with an id; `nil` if it has ended.
  subscript(id: UInt64) -> OptimisticLayer? { all.first { $0.id == id } }

  /// Removes an update; returns `nil` if it has already ended.
  mutating func remove(_ id: UInt64) -> OptimisticLayer? {
    all.firstIndex { $0.id == id }.map { all.remove(at: $0) }
  }
}
