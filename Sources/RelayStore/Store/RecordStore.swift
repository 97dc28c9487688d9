/// A normalized cache of GraphQL objects: records by id, the links between them, and their
/// observers.
///
/// Readers see two layers: the base with server data and local updates, and on top the overlay of
/// live optimistic updates. A store is used through a ``RelayEnvironment``, from any thread; every
/// read is synchronous.
public final class RecordStore: Sendable {
  /// The result of a garbage collection.
  public struct GarbageCollectionReport: Sendable, Hashable {
    /// The number of records removed.
    public let collected: Int
    /// The number of records that remain.
    public let retained: Int
  }

  /// The options that the store was created with.
  public let configuration: Configuration
  package let state: StoreLock
  /// The values in flight to consumers.
  package let deliveries = PendingDeliveries()
  /// The deliveries to models.
  let models: ModelDeliveries
  /// The runs of live derived fields.
  let live: LiveDerivations
  /// The journal of the storage; `nil` without a storage.
  package let journal: (any PersistentSource)?
  /// The recorder of the timeline; `nil` unless the configuration requests one.
  package let recorder: TimelineRecorder?
  /// The server's ids of objects that were created on the client.
  package let serverIDs = ServerIDTable()
  let bindings: PlanBindings
  /// The private elements of plans that readers have reported.
  let privacy = Locked(PrivateElements(), rank: .leaf)
  /// The time since the store was created.
  let time: StoreTime
  /// The work caused by updaters, deferred until the store is unlocked.
  private let deferred = Locked<[@Sendable (RecordStore) -> Void]>([], rank: .consumer)

  /// Creates an empty store.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
    models = ModelDeliveries(deliveries)
    var state = StoreState(configuration)
    time = state.time
    recorder = state.observers.recorder
    state.models = models
    live = state.live
    journal = configuration.persistence.map { $0.makeSource($0) }
    if journal != nil { state.beginLoading() }
    bindings = state.bindings
    self.state = StoreLock(state)
    journal?.load(into: self)
  }

  /// Creates a store without a storage.
  ///
  /// - Parameter state: The store's state, without pending deliveries.
  package init(_ state: sending StoreState, configuration: Configuration) {
    self.configuration = configuration
    time = state.time
    recorder = state.observers.recorder
    models = ModelDeliveries(deliveries)
    var state = state
    state.models = models
    live = state.live
    journal = nil
    bindings = state.bindings
    self.state = StoreLock(state)
  }

  // MARK: Publishing

  /// Publishes changes and delivers the new snapshots. Inside an observer's callback the deliveries
  /// wait until the callback has returned; see ``DeliveryQueue``.
  ///
  /// - Parameters:
  ///   - operation: The operation whose response is written; its fetch time is stored.
  ///   - cause: The cause for a timeline; `nil` to derive it from the changes.
  /// - Throws: The first error of an updater; ``RelayError`` with code `update` when called inside
  ///   an updater.
  package func publish(
    _ changes: [Change], of operation: WrittenOperation? = nil, cause: PublishCause? = nil
  ) throws {
    try publish(cause, { (changes, operation) }) { _ in }
  }

  /// Publishes the changes that a closure returns, such as a response's.
  ///
  /// - Parameters:
  ///   - cause: The cause for a timeline; `nil` to derive it from the changes.
  ///   - decide: See ``publish(thenRead:cause:_:)``.
  package func publish(
    cause: PublishCause? = nil,
    _ decide: () throws -> (changes: [Change], operation: WrittenOperation?)
  ) throws {
    try publish(cause, decide) { _ in }
  }

  /// Publishes the changes of a response and reads the resulting data, in one critical section.
  ///
  /// - Parameters:
  ///   - cause: The cause for a timeline; `nil` to derive it from the changes.
  ///   - decide: Returns the changes, and the operation whose fetch time is stored. Called with the
  ///     store locked, so no other change can come between the decision and the write.
  /// - Throws: The error of `decide`, in which case no change is published; otherwise see
  ///   ``publish(_:of:cause:)``.
  package func publish(
    thenRead target: ReadTarget, cause: PublishCause? = nil,
    _ decide: () throws -> (changes: [Change], operation: WrittenOperation?)
  ) throws -> RowSnapshot {
    try publish(cause, decide) { $0.read(target) }
  }

  private func publish<Result: Sendable>(
    _ cause: PublishCause?,
    _ decide: () throws -> (changes: [Change], operation: WrittenOperation?),
    then finish: (inout StoreState) -> Result
  ) throws -> Result {
    try checkNotInUpdater()
    // The closures of ended optimistic updates are released here, after the lock.
    let outcome = withState { state in
      Swift.Result { () throws -> (StoreState.Published, Result) in
        let (changes, operation) = try decide()
        return (state.publish(changes.map(\.change), of: operation, cause: cause), finish(&state))
      }
    }
    let (published, result) = try outcome.get()
    DeliveryQueue.deliver(published.deliveries)
    runDeferred()
    collectIfDue()
    journal?.changesWereMade(to: self)
    if let error = published.error { throw error }
    return result
  }

  /// Runs `body`, then delivers its changes, once for each observer.
  package func batch<Result>(_ body: () throws -> Result) throws -> Result {
    try checkNotInUpdater()
    state.withLock { $0.openBatch() }
    defer { DeliveryQueue.deliver(withState { $0.closeBatch() }) }
    return try body()
  }

  /// Checks that no updater of this store is running on this thread.
  ///
  /// - Throws: ``RelayError`` with code `update` inside an updater.
  package func checkNotInUpdater() throws {
    if state.isHeldByThisThread {
      throw RelayError(.update, "An update was started inside an updater; use its proxy instead.")
    }
  }

  /// Removes all records, retentions and optimistic updates, and notifies the observers. When this
  /// returns, the persisted data is durably marked as wiped.
  ///
  /// - Parameter body: Called with the store locked. Its result is called after the observers were
  ///   notified.
  package func reset(_ body: () -> @Sendable () -> Void = { {} }) {
    // A load that starts after the store was emptied would restore data that is not marked yet.
    journal?.markWiped(self)
    // The closures of ended optimistic updates are released here, after the lock.
    let (published, finish) = withState { ($0.reset(), body()) }
    DeliveryQueue.deliver(published.deliveries)
    finish()
    journal?.wipeInBackground(self)
  }

  /// Reverts an optimistic update.
  ///
  /// - Parameter cause: The cause for a timeline; `nil` to derive it from the change.
  package func revert(_ update: UInt64, cause: PublishCause? = nil) {
    afterUpdater { try? $0.publish([.revert(update)], cause: cause) }
  }

  /// Runs `body` with the state locked, then logs its events with the store unlocked.
  package func withState<Result>(_ body: (inout StoreState) -> sending Result) -> sending Result {
    guard let log = configuration.log else { return state.withLock(body) }
    let result = state.withLock(body)
    for event in state.withLock({ $0.events.drain() }) { log(event) }
    return result
  }

  /// Logs an event. Call this with the store unlocked.
  package func log(_ event: StoreEvent) {
    recorder?.append(noteOf: event)
    configuration.log?(event)
  }

  /// Runs `body` now, or defers it until the publish is done if an updater is running on this
  /// thread: an updater may drop the last reference to an iterator or a retention.
  package func afterUpdater(_ body: @escaping @Sendable (RecordStore) -> Void) {
    guard state.isHeldByThisThread else { return body(self) }
    deferred.withLock { $0.append(body) }
    // A derived function or a handler also runs with the store locked, but outside a publish.
    Task.detached { [self] in runDeferred() }
  }

  private func runDeferred() {
    let bodies = deferred.withLock { $0.drain() }
    for body in bodies { body(self) }
  }

  /// One step of a publish.
  package struct Change {
    let change: StoreState.Change

    /// Writes a response to the base, then runs its updater.
    package static func commit(
      _ payload: RecordPayload? = nil, root: DataID? = nil, updater: StoreUpdater? = nil
    ) -> Change { Change(change: .commit(payload, root: root, updater: updater)) }

    /// Adds an optimistic response, or an updater's changes, to the overlay until it is reverted.
    ///
    /// - Parameter operationName: The name of the mutation with the optimistic response, for the log.
    package static func apply(
      _ id: UInt64, payload: RecordPayload? = nil, root: DataID? = nil,
      updater: StoreUpdater? = nil, of operationName: String? = nil
    ) -> Change {
      Change(
        change: .apply(
          .init(
            id: id, payload: payload, payloadRoot: root, updater: updater,
            operationName: payload == nil ? nil : operationName)))
    }

    /// Replaces a live optimistic update with an updater's changes, on top of all others.
    package static func replace(_ id: UInt64, updater: @escaping StoreUpdater) -> Change {
      Change(change: .replace(.init(id: id, updater: updater)))
    }

    /// Changes the parts that an execution waits for.
    package static func expect(
      _ changes: RecordPartChanges, by operation: ReceivingOperation
    ) -> Change { Change(change: .expect(changes, by: operation)) }

    /// Ends an execution that waits for parts: none of them will arrive.
    static func stopExpecting(_ execution: UInt64, isIncomplete: Bool) -> Change {
      Change(change: .stopExpecting(execution, isIncomplete: isIncomplete))
    }

    /// Adds the server's ids of records that were created on the client.
    package static func identify(_ ids: ServerIDs) -> Change { Change(change: .identify(ids)) }

    /// Reverts an optimistic update.
    package static func revert(_ id: UInt64) -> Change { Change(change: .revert(id)) }
  }

  /// Returns a new id, for an optimistic update or for the root of a response.
  package func makeID() -> UInt64 { state.withLock { $0.makeID() } }

  // MARK: Retaining

  /// Retains the records of an operation until the result is released or dropped.
  package func retain(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) -> Retention {
    let generation = state.withLock { $0.retain(identity, plan, root: root) }
    journal?.changesWereMade(to: self)
    return Retention { [self] in
      afterUpdater { store in
        store.state.withLock { $0.release(identity, of: generation) }
        store.collectIfDue()
        store.journal?.changesWereMade(to: store)
      }
    }
  }

  /// Removes every record that no retained operation, optimistic update or live observer needs.
  ///
  /// - Complexity: O(*n*) in the records of the store. The store is locked during the call.
  @discardableResult
  public func collectGarbage() -> GarbageCollectionReport {
    let (report, deliveries) = withState { $0.collectGarbage() }
    DeliveryQueue.deliver(deliveries)
    journal?.changesWereMade(to: self)
    return report
  }

  /// Returns whether an operation's plan reaches a record from the root.
  package func reaches(_ id: DataID, _ plan: BoundPlan) -> Bool {
    state.withLock { state in
      guard let index = state.source.index(of: id) else { return false }
      var marked = RecordSet()
      Reachability.mark(from: RecordIndex(0), plan, in: state.source, into: &marked)
      return marked.contains(index)
    }
  }

  /// Returns whether a live optimistic update has written a record that a plan reads.
  package func isWritten(
    byUpdate update: UInt64, reading id: DataID, _ plan: SelectionPlan, in scope: VariableScope
  ) -> Bool {
    state.withLock { state in
      let written = state.optimistic[update]?.written ?? []
      if written.isEmpty { return false }
      var effects = state.noEffects
      let snapshot = state.read(.record(id, plan, in: scope), &effects)
      return snapshot.seen.contains { written.contains($0) }
    }
  }

  // MARK: Looking inside

  /// The counts of records, observers, retained operations and optimistic updates.
  ///
  /// - Complexity: O(*n*) in the retained operations; the other counts are O(1).
  public var statistics: Statistics {
    state.withLock {
      Statistics(
        records: $0.source.base.recordCount,
        observers: $0.observers.count + $0.replicas.count,
        retainedOperations: $0.retention.retainedCount,
        optimisticUpdates: $0.optimistic.all.count, liveFields: $0.live.count)
    }
  }

  /// The size of a store, and the counts of the objects that keep its data alive.
  public struct Statistics: Sendable, Hashable {
    /// The number of records in the base: the root, every object written by a response or an
    /// update, deleted records, the store's own records such as type records, and every id that is
    /// linked to or observed although the store has no data for it. Collected records do not count.
    public var records: Int
    /// The number of observed fragments and queries. A list of fragments counts each fragment, and
    /// a paged list counts twice.
    public var observers: Int
    /// The number of retained operations. An operation retained twice counts once.
    public var retainedOperations: Int
    /// The number of live optimistic updates.
    public var optimisticUpdates: Int
    /// The number of live derived fields whose sequences are being iterated.
    public var liveFields: Int = 0

    /// Whether no object keeps data alive: there are no observers, retained operations, optimistic
    /// updates or sequences of live fields. The first three counts are 0 once every handle was
    /// dropped.
    public var isEmpty: Bool {
      observers == 0 && retainedOperations == 0 && optimisticUpdates == 0 && liveFields == 0
    }
  }
}
