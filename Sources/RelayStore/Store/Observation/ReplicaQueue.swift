/// The changes of a replica that its consumer has not received.
///
/// The lock guards the state. Changes are queued with the store locked and delivered after that.
package final class ReplicaQueue: Sendable {
  /// The consumer of a replica.
  package enum Consumer: Sendable {
    /// Receives the changes on the thread of the commit, one call at a time.
    case changes(@Sendable (ReplicaChanges) -> Void)
    /// Is notified on the thread of the commit, with the ordinal of the notification, and takes the
    /// changes later.
    case notification(@Sendable (_ ordinal: UInt64) -> Void)
    /// Receives the changes on the main actor, in the turns of ``ModelDeliveries``.
    case model(ReplicaModel)
    /// Takes the changes of a replica that is read once.
    case none
  }

  private struct State {
    var changes = ReplicaChanges()
    var isDelivering = false
    var notificationCount: UInt64 = 0
    /// The consumer; `nil` once cancelled.
    var consumer: Consumer?
  }

  private let state: Locked<State>

  package init(_ consumer: Consumer) {
    state = Locked(State(consumer: consumer), rank: .consumer)
  }

  /// Queues the new row of a record; `nil` for a record that has left the replica.
  ///
  /// - Parameters:
  ///   - revision: The revision of the persisted store that will have the row.
  ///   - hashing: The rules for the row's stamp.
  func enqueue(
    _ id: DataID, _ row: RowBox?, at revision: PersistenceRevision?,
    _ hashing: FragmentHashing? = nil
  ) {
    state.withLock { $0.changes.insert((id, row, revision, hashing)) }
  }

  /// Sets whether the store is still loading its records.
  ///
  /// - Returns: Whether the value has changed.
  func setNotLoaded(_ isNotLoaded: Bool) -> Bool {
    state.withLock { state in
      defer { state.changes.isNotLoaded = isNotLoaded }
      return state.changes.isNotLoaded != isNotLoaded
    }
  }

  /// Removes and returns the queued changes.
  package func take() -> ReplicaChanges { state.withLock { Self.take(from: &$0) } }

  private static func take(from state: inout State) -> ReplicaChanges {
    var changes = ReplicaChanges()
    changes.isNotLoaded = state.changes.isNotLoaded
    swap(&changes, &state.changes)
    return changes
  }

  /// The delivery of the queued changes. Call this with the store locked, once for each commit.
  var delivery: Delivery {
    state.withLock { state in
      guard case .model(let model) = state.consumer else { return .replica(self) }
      return .modelReplica(Self.take(from: &state), to: model)
    }
  }

  /// Delivers the queued changes. Changes that are queued while a thread delivers are delivered by
  /// that thread next.
  package func deliver() {
    if let (notify, ordinal) = nextNotification() { return notify(ordinal) }
    while let (consume, changes) = nextChanges() {
      consume(changes)
      state.withLock { $0.isDelivering = false }
    }
  }

  private func nextNotification() -> (@Sendable (UInt64) -> Void, UInt64)? {
    state.withLock { state in
      guard case .notification(let notify) = state.consumer else { return nil }
      state.notificationCount += 1
      return (notify, state.notificationCount)
    }
  }

  private func nextChanges() -> (@Sendable (ReplicaChanges) -> Void, ReplicaChanges)? {
    state.withLock { state in
      guard !state.isDelivering, !state.changes.isEmpty, case .changes(let consume) = state.consumer
      else { return nil }
      state.isDelivering = true
      return (consume, Self.take(from: &state))
    }
  }

  /// Whether the consumer was cancelled.
  var isCancelled: Bool { state.withLock { $0.consumer == nil } }

  package func cancel() -> Bool {
    // The consumer is released after the lock.
    let consumer = state.withLock { state in
      defer { (state.consumer, state.changes) = (nil, ReplicaChanges()) }
      return state.consumer
    }
    return consumer != nil
  }
}

/// A model that consumes the changes of a replica.
///
/// `@unchecked Sendable`: ``waitingPosition`` is accessed only under the lock of
/// ``ModelDeliveries``.
package final class ReplicaModel: @unchecked Sendable {
  /// Applies changes to the model.
  let apply: @MainActor @Sendable (ReplicaChanges) -> Void
  /// The position of the changes that wait for a turn.
  var waitingPosition = 0

  package init(_ apply: @escaping @MainActor @Sendable (ReplicaChanges) -> Void) {
    self.apply = apply
  }
}
