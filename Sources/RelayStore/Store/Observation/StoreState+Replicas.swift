extension StoreState {
  /// Adds the replica of a mirror, and queues the values of all records of its type that were not
  /// delivered before; a no-op if its consumer was cancelled.
  ///
  /// - Parameter stamps: The stamps of the values delivered in earlier runs; `nil` if the consumer
  ///   saves none.
  mutating func addReplica(
    _ id: UInt64, of plan: SelectionPlan, in scope: VariableScope, queue: ReplicaQueue,
    stamps: [DataID: FragmentStamp]?
  ) {
    if queue.isCancelled { return }
    var replica = FragmentReplica(
      plan, bound: bind(plan, in: scope), queue: queue, isExact: false,
      hasStamps: stamps != nil)
    replica.begin(
      with: stamps ?? [:], run: persistenceRun, at: persistenceRevision, in: &source, with: &reader)
    insert(replica, id)
  }

  /// Adds an exact replica, and queues the values of all records of its type.
  mutating func addExactReplica(
    of plan: SelectionPlan, in scope: VariableScope, queue: ReplicaQueue
  ) -> UInt64 {
    let id = makeID()
    insert(exactReplica(of: plan, in: scope, queue: queue), id)
    return id
  }

  private mutating func insert(_ replica: FragmentReplica, _ id: UInt64) {
    replicas[id] = replica
    collector.keepFields(of: replica.bound)
    source.observers.collected.isTracked = true
  }

  /// The revision of the storage that will have the current values. `nil` without a storage, and
  /// while optimistic updates have changed some values, because they are not persisted.
  private var persistenceRevision: PersistenceRevision? {
    guard let persistenceRun, source.overlay.isEmpty else { return nil }
    return PersistenceRevision(run: persistenceRun.number, revision: revision)
  }

  /// Queues the values of all records of a fragment's type, without a registration.
  mutating func readAll(
    of plan: SelectionPlan, in scope: VariableScope, into queue: ReplicaQueue
  ) {
    _ = exactReplica(of: plan, in: scope, queue: queue)
  }

  private mutating func exactReplica(
    of plan: SelectionPlan, in scope: VariableScope, queue: ReplicaQueue
  ) -> FragmentReplica {
    var replica = FragmentReplica(
      plan, bound: bind(plan, in: scope), queue: queue, isExact: true)
    _ = replica.update(source.allIDs.map(\.index), at: nil, in: &source, with: &reader)
    _ = queue.setNotLoaded(source.isLoading)
    return replica
  }

  mutating func removeReplica(_ id: UInt64) {
    replicas[id] = nil
    source.observers.collected.isTracked = !replicas.isEmpty
  }

  /// Evicts the collected records from the replicas.
  ///
  /// - Returns: The deliveries of the replicas that have changes.
  mutating func evictCollectedFromReplicas() -> [Delivery] {
    let collected = source.observers.collected.drain()
    if collected.isEmpty { return [] }
    let changed = replicas.keys.sorted(byNumber: \.self).filter { id in
      let isChanged = replicas[id]?.evict(collected, from: &source, with: &reader) == true
      replicas[id]?.evictTypes(notIn: source)
      return isChanged
    }
    return models.add(changed.compactMap { replicas[$0]?.queue.delivery })
  }

  /// Updates the replicas and returns the deliveries of the changed ones.
  mutating func notifyReplicas(of changed: RecordList) -> [Delivery] {
    if replicas.isEmpty || changed.isEmpty { return [] }
    let revision = persistenceRevision
    return replicas.keys.sorted(byNumber: \.self).compactMap { id in
      let hasRows =
        replicas[id]?.update(changed.indexes, at: revision, in: &source, with: &reader) == true
      guard let queue = replicas[id]?.queue else { return nil }
      let isLoadedNow = queue.setNotLoaded(source.isLoading)
      return hasRows || isLoadedNow ? queue.delivery : nil
    }
  }
}

extension RecordStore {
  /// Reads the stamps of the values delivered in earlier runs, and calls the closure with them, on
  /// any thread; with `nil` if the consumer saves none.
  package typealias StampReading =
    @Sendable (@escaping @Sendable ([DataID: FragmentStamp]?) -> Void) -> Void

  /// Delivers every record of a fragment's type: the records in the store once it and the stamps
  /// are loaded, then the changes of each commit.
  package func replicate(
    _ plan: SelectionPlan, in scope: VariableScope, stamps readStamps: @escaping StampReading,
    _ consume: @escaping @Sendable (ReplicaChanges) -> Void
  ) -> ObservationHandle {
    let queue = ReplicaQueue(.changes(consume))
    let id = state.withLock { $0.makeID() }
    // The handle retains the queue and the store until it is dropped.
    whenLoaded { [weak self, weak queue] in
      readStamps { [weak self, weak queue] stamps in
        guard let self, let queue else { return }
        self.withState { $0.addReplica(id, of: plan, in: scope, queue: queue, stamps: stamps) }
        queue.deliver()
      }
    }
    return ObservationHandle(.replica(id, queue), in: self)
  }

  /// Queues the complete rows of a fragment's type: the rows in the store immediately, then the
  /// changes of each commit and of each garbage collection.
  ///
  /// - Returns: The rows in the store, and the lifetime of the registration.
  package func replicateExactly(
    _ plan: SelectionPlan, in scope: VariableScope, into queue: ReplicaQueue
  ) -> (changes: ReplicaChanges, observation: ObservationHandle) {
    let (id, changes) = withState { state in
      let id = state.addExactReplica(of: plan, in: scope, queue: queue)
      return (id, queue.take())
    }
    return (changes, ObservationHandle(.replica(id, queue), in: self))
  }

  /// Returns the complete rows of a fragment's type.
  package func readAll(_ plan: SelectionPlan, in scope: VariableScope) -> ReplicaChanges {
    let queue = ReplicaQueue(.none)
    withState { $0.readAll(of: plan, in: scope, into: queue) }
    return queue.take()
  }
}
