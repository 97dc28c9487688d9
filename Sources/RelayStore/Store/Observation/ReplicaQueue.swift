/// The changes of a replica that its consumer has not received: the newest value of each record,
/// delivered by one call at a time.
///
/// The lock guards the state. Changes are queued with the store locked and delivered after that.
final class ReplicaQueue: CancellableReceiver {
  /// Records with their rows, `nil` for deleted ones, in the order of the changes; and the revisions
  /// of the store's storage that will have them.
  typealias Changes = [(id: DataID, row: RowStorage?, revision: StorageRevision?)]

  private struct State {
    var changes: Changes = []
    /// The index of each record's change.
    var indexes: [DataID: Int] = [:]
    var isDelivering = false
    var consume: (@Sendable (Changes) -> Void)?
  }

  private let state: Locked<State>

  init(_ consume: @escaping @Sendable (Changes) -> Void) {
    state = Locked(State(consume: consume), rank: .consumer)
  }

  /// Queues the new row of a record, `nil` for a deleted one.
  func enqueue(_ id: DataID, _ row: RowStorage?, at revision: StorageRevision?) {
    state.withLock { state in
      if let index = state.indexes[id] {
        state.changes[index] = (id, row, revision)
      } else {
        state.indexes[id] = state.changes.count
        state.changes.append((id, row, revision))
      }
    }
  }

  /// Delivers the queued changes. Changes that are queued while a thread delivers are delivered by
  /// that thread next.
  func deliver() {
    while let (consume, changes) = next() {
      consume(changes)
      state.withLock { $0.isDelivering = false }
    }
  }

  private func next() -> (@Sendable (Changes) -> Void, Changes)? {
    state.withLock { state in
      guard !state.isDelivering, !state.changes.isEmpty, let consume = state.consume else {
        return nil
      }
      state.isDelivering = true
      defer { (state.changes, state.indexes) = ([], [:]) }
      return (consume, state.changes)
    }
  }

  /// Whether the consumer was cancelled.
  var isCancelled: Bool { state.withLock { $0.consume == nil } }

  func cancel() -> Bool {
    // The closure is released after the lock.
    let consume = state.withLock { state in
      defer { (state.consume, state.changes, state.indexes) = (nil, [], [:]) }
      return state.consume
    }
    return consume != nil
  }
}
