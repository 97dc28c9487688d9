extension StoreState {
  /// Adds a replica, and queues the values of all records of its type that were not delivered before;
  /// a no-op when its consumer was cancelled.
  ///
  /// - Parameter stamps: The stamps of the values that were delivered in earlier runs.
  mutating func addReplica(
    _ id: UInt64, of plan: SelectionPlan, in scope: VariableScope, queue: ReplicaQueue,
    stamps: [DataID: FragmentStamp]
  ) {
    if queue.isCancelled { return }
    var replica = FragmentReplica(plan, bound: bind(plan, in: scope), queue: queue)
    replica.begin(
      with: stamps, run: storageRun, at: storageRevision, in: &source, with: &reader)
    replicas[id] = replica
    collector.keepFields(of: replica.bound)
    source.observers.collected.isTracked = true
  }

  /// The revision that the storage has when it has the current values; `nil` without a storage, and
  /// while optimistic updates, which are not stored, have changed some.
  private var storageRevision: StorageRevision? {
    guard let storageRun, source.overlaid.isEmpty else { return nil }
    return StorageRevision(run: storageRun.number, revision: revision)
  }

  mutating func removeReplica(_ id: UInt64) {
    replicas[id] = nil
    source.observers.collected.isTracked = !replicas.isEmpty
  }

  /// Evicts the records that the garbage collector has collected from the replicas.
  mutating func evictCollectedFromReplicas() {
    let collected = source.observers.collected.drain()
    if collected.isEmpty { return }
    for id in replicas.keys {
      replicas[id]?.evict(collected)
      replicas[id]?.evictTypes(notIn: source)
    }
  }

  /// Updates the replicas and returns the deliveries of those that have changes.
  mutating func notifyReplicas(of changed: RecordList) -> [Delivery] {
    if replicas.isEmpty || changed.isEmpty { return [] }
    let revision = storageRevision
    return replicas.keys.sorted().compactMap { id in
      guard
        replicas[id]?.update(
          changed.indexes, at: revision, in: &source, with: &reader) == true,
        let queue = replicas[id]?.queue
      else { return nil }
      return .replica(queue)
    }
  }
}

extension RecordStore {
  /// Reads the stamps of the values that were delivered in earlier runs, and calls the closure with
  /// them, on any thread.
  typealias StampReading = @Sendable (@escaping @Sendable ([DataID: FragmentStamp]) -> Void) -> Void

  /// Delivers every record of a fragment's type: those in the store, once it and the stamps are loaded,
  /// then the changes of each commit.
  func replicate(
    _ plan: SelectionPlan, in scope: VariableScope, stamps readStamps: @escaping StampReading,
    _ consume: @escaping @Sendable (ReplicaQueue.Changes) -> Void
  ) -> ObservationHandle {
    let queue = ReplicaQueue(consume)
    let id = state.withLock { $0.makeID() }
    // The handle keeps the queue and the store, until it is dropped.
    whenLoaded { [weak self, weak queue] in
      readStamps { [weak self, weak queue] stamps in
        guard let self, let queue else { return }
        self.withState { $0.addReplica(id, of: plan, in: scope, queue: queue, stamps: stamps) }
        queue.deliver()
      }
    }
    return ObservationHandle(receiver: queue, registration: .replica(id), store: self)
  }
}
