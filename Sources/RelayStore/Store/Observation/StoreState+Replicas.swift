extension StoreState {
  /// Adds a replica, and queues the values of all records of its type.
  mutating func addReplica(
    of plan: SelectionPlan, in scope: VariableScope, queue: ReplicaQueue
  ) -> UInt64 {
    var replica = FragmentReplica(plan, bound: bind(plan, in: scope), queue: queue)
    _ = replica.update(source.allIDs.map(\.index), in: &source, with: &reader)
    let id = makeID()
    replicas[id] = replica
    collector.keepFields(of: replica.bound)
    source.observers.collected.isTracked = true
    return id
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
    return replicas.keys.sorted().compactMap { id in
      guard replicas[id]?.update(changed.indexes, in: &source, with: &reader) == true,
        let queue = replicas[id]?.queue
      else { return nil }
      return .replica(queue)
    }
  }
}

extension RecordStore {
  /// Delivers every record of a fragment's type: those in the store at once, then the changes of
  /// each commit.
  func replicate(
    _ plan: SelectionPlan, in scope: VariableScope,
    _ consume: @escaping @Sendable (ReplicaQueue.Changes) -> Void
  ) -> ObservationHandle {
    let queue = ReplicaQueue(consume)
    let id = withState { $0.addReplica(of: plan, in: scope, queue: queue) }
    queue.deliver()
    return ObservationHandle(receiver: queue, registration: .replica(id), store: self)
  }
}
