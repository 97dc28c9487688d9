/// The state of a store, guarded by its lock.
package struct StoreState {
  /// The remaining work of a publish once the store is unlocked.
  package struct Published {
    package let deliveries: [Delivery]
    /// The first error of an updater. The other changes still take effect.
    var error: (any Error)?
    /// The ended updates. They are released after unlocking, because releasing a captured object
    /// may run any code.
    let ended: [OptimisticLayer]
  }

  /// One step of a publish.
  package enum Change {
    /// Writes a response to the base, then runs its updater.
    case commit(RecordPayload?, root: DataID?, updater: StoreUpdater?)
    /// Adds an optimistic update on top of the others.
    case apply(OptimisticLayer)
    /// Replaces the optimistic update with the same id, and moves it on top of the others.
    case replace(OptimisticLayer)
    /// Reverts an optimistic update.
    case revert(UInt64)
    /// Changes the parts that an execution waits for.
    case expect(RecordPartChanges, by: ReceivingOperation)
    /// Adds the server's ids of records that were created on the client.
    case identify(ServerIDs)
    /// Ends an execution that waits for parts: none of them will arrive.
    case stopExpecting(UInt64, isIncomplete: Bool)
  }

  package var source = LayeredSource()
  /// The versions for readers that do not take the store's lock; `nil` if there are none.
  var versions: PublishedVersions?
  /// The objects to release once the store is unlocked.
  var garbage = Garbage()
  /// The observers whose snapshots are of an earlier version.
  var joined: [ObserverTable.Observer] = []
  /// Whether the version being written is a reset's.
  private(set) var isResetting = false
  package var reader = RecordReader()
  package var observers = ObserverTable()
  package var retention: RetentionTable
  package private(set) var revision: UInt64 = 0
  let bindings: PlanBindings
  /// The live optimistic updates.
  package internal(set) var optimistic = OptimisticLayers()
  private var lastID: UInt64 = 0
  private(set) var batches = OpenBatches()
  /// The observers of invalidations.
  var invalidationObservers = InvalidationObservers()
  package let time: StoreTime
  /// The events to log once the store is unlocked.
  var events: EventBuffer
  package var collector: GarbageCollectionScheduler
  var pluralObservers = FragmentListObservers()
  /// The pending deliveries to models.
  var models = ModelDeliveries()
  /// The runs of live derived fields.
  var live = LiveDerivations()
  /// The operations whose responses are arriving in parts, by execution.
  package var receiving: [UInt64: ReceivingOperation] = [:]
  /// The replicas of fragments; each replicates all records of a type.
  package var replicas: [UInt64: FragmentReplica] = [:]
  /// The closures to call when exported records change.
  package var exports = ExportWatches()
  /// The run of the program; `nil` without a storage.
  package var persistenceRun: PersistenceRun?
  /// The recording of a timeline; `nil` unless the configuration requests one.
  package var recording: StoreTracing?

  /// Creates the state of an empty store. Its time starts now.
  package init(_ configuration: RecordStore.Configuration) {
    let time = StoreTime(configuration.clock, date: configuration.date())
    let recorder = configuration.timeline.map { TimelineRecorder($0, now: time.measure) }
    retention = RetentionTable(
      bufferSize: max(configuration.releaseBufferSize, configuration.persistence?.queryLimit ?? 0),
      expiration: configuration.queryExpiration, maxAges: configuration.maxAges,
      isStored: configuration.persistence != nil)
    bindings = PlanBindings()
    self.time = time
    events = EventBuffer(isLogged: configuration.log != nil, recorder: recorder)
    if let recorder {
      recording = StoreTracing(recorder)
      observers.recorder = recorder
      source.replaced = ReplacedRecords(limit: TracedPublish.changeLimit)
    }
    persistenceRun = configuration.persistence.map { _ in PersistenceRun() }
    collector = GarbageCollectionScheduler(
      threshold: configuration.garbageCollectionThreshold,
      interval: configuration.garbageCollectionInterval)
    source.missingFieldHandlers = configuration.missingFieldHandlers
    source.deletedRecordsBubble = configuration.deletedRecordsBubble
    source.readLimits = configuration.readLimits
    source.fieldTypes = bindings.fields
    if let log = configuration.log {
      source.reportLateUse = { log(.usedAfterUpdater(typeName: $0)) }
    }
  }

  /// Starts loading. Until loading ends, data that the store does not have may be persisted.
  mutating func beginLoading() {
    source.isLoading = true
    source.observers.unstored.isTracked = true
    source.observers.invalidations.isStored = true
    // The root has its index from the start.
    source.observers.unstored.idWasAssigned(to: RecordIndex(0))
    // No index may be dropped before the persisted ids have theirs.
    collector.hold()
  }

  /// Returns a new id.
  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Returns the plan bound to these variables.
  ///
  /// - Parameter isRoot: Whether the plan selects from the root of operations.
  package mutating func bind(_ plan: SelectionPlan, in scope: VariableScope, isRoot: Bool = false)
    -> BoundPlan
  {
    if let privacy = plan.privacy { source.observers.privateRecords.insert(privacy) }
    return bindings.bind(plan, scope: scope, isRoot: isRoot, names: source.keys)
  }

  package mutating func index(of id: DataID) -> RecordIndex { source.intern(source.resolved(id)) }

  // MARK: Publishing

  /// Makes changes visible: removes the overlay, commits to the base in order, rebases the live
  /// optimistic updates, and reads the data of affected observers again.
  ///
  /// - Parameters:
  ///   - operation: The operation whose response is written.
  ///   - cause: The cause for a timeline; `nil` to derive it from the changes.
  package mutating func publish(
    _ changes: [Change], of operation: WrittenOperation? = nil, cause: PublishCause? = nil
  ) -> Published {
    source.observers.invalidations.beginEpoch()
    source.isChanged = true
    var outcome = Outcome()
    let oldOverlay = source.overlay
    let rebases = changes.contains { requiresRebase($0) }
    if rebases { _ = source.removeOverlay() }
    for change in changes { apply(change, outcome: &outcome) }
    if !outcome.ended.isEmpty { collector.countEndedUse() }
    applyInvalidations(of: changes)
    if let operation { recordWriteTime(of: operation) }
    if rebases {
      for position in optimistic.all.indices {
        optimistic.all[position].written = reapply(optimistic.all[position])
      }
    }
    for update in outcome.added { add(update, outcome: &outcome) }
    let origin =
      recording == nil
      ? nil
      : TracedPublish.Origin(
        changes, cause: cause, added: outcome.added, ended: outcome.ended)
    return Published(
      deliveries: notify(previousOverlay: oldOverlay, origin), error: outcome.error,
      ended: outcome.ended)
  }

  /// The combined result of the steps of one publish.
  private struct Outcome {
    /// The updates to add on top of the others.
    var added: [OptimisticLayer] = []
    var ended: [OptimisticLayer] = []
    /// The first error.
    var error: (any Error)?

    mutating func record(_ error: any Error) { self.error = self.error ?? error }
  }

  /// Returns whether a step requires a rebase of the overlay. A new update on top of the others
  /// does not; neither does reverting an update that has already ended.
  private func requiresRebase(_ change: Change) -> Bool {
    switch change {
    case .commit: true
    case .apply: false
    case .expect, .stopExpecting: false
    case .identify: true
    case .replace(let update): optimistic[update.id] != nil
    case .revert(let id): optimistic[id] != nil
    }
  }

  /// Applies one step to the base and to the list of optimistic updates, while the overlay is
  /// removed.
  private mutating func apply(_ change: Change, outcome: inout Outcome) {
    switch change {
    case .commit(let payload, let root, let updater):
      do { try write(payload, root: root, updater: updater, to: .base) } catch {
        events.append(.updaterFailed(error, isOptimistic: false))
        outcome.record(error)
      }
    case .revert(let id):
      if let old = optimistic.remove(id) { outcome.ended.append(old) }
    case .replace(let update):
      guard let old = optimistic.remove(update.id) else {
        return outcome.record(RelayError(.update, "An update cannot be replaced after its end."))
      }
      outcome.ended.append(old)
      outcome.added.append(update)
    case .apply(let update): outcome.added.append(update)
    case .identify(let ids): source.identify(ids)
    case .expect(let changes, let operation): expect(changes, by: operation)
    case .stopExpecting(let execution, let isIncomplete):
      stopExpecting(execution, isIncomplete: isIncomplete)
    }
  }

  /// Applies a new optimistic update on top of the others.
  private mutating func add(_ update: OptimisticLayer, outcome: inout Outcome) {
    var update = update
    do {
      update.written = try applyToOverlay(update)
      optimistic.all.append(update)
    } catch {
      events.append(.updaterFailed(error, isOptimistic: true))
      outcome.record(error)
    }
  }

  /// Removes all records, retentions and optimistic updates. Observers remain and are notified.
  mutating func reset() -> Published {
    isResetting = true
    defer { isResetting = false }
    let ended = optimistic.all
    optimistic = OptimisticLayers()
    let oldOverlay = source.removeOverlay()
    source.isChanged = true
    source.removeAll()
    observers.forgetRows()
    retention.removeAll()
    receiving = [:]
    bindings.removeAll()
    reader = RecordReader()
    endLiveFields(live.endAll().map(\.index))
    collector.markDue()
    let origin =
      recording == nil
      ? nil
      : TracedPublish.Origin(
        cause: .reset, removedLayers: ended.map { .init(id: $0.id, written: []) })
    return Published(deliveries: notify(previousOverlay: oldOverlay, origin), ended: ended)
  }

  /// Applies an optimistic update again and returns the records that it wrote. An updater that
  /// throws now has no effect until the next rebase; its caller received the errors of the first
  /// run only. The optimistic response is still shown, because its mutation is in flight.
  private mutating func reapply(_ update: OptimisticLayer) -> Set<RecordIndex> {
    do { return try applyToOverlay(update) } catch {
      events.append(.updaterFailed(error, isOptimistic: true))
      var response = update
      response.updater = nil
      return (try? applyToOverlay(response)) ?? []
    }
  }

  /// Applies an optimistic update to the overlay and returns the records that it wrote. An update
  /// that throws leaves the overlay as it was.
  private mutating func applyToOverlay(_ update: OptimisticLayer) throws -> Set<RecordIndex> {
    do {
      try write(
        update.payload, root: update.payloadRoot, updater: update.updater, to: .overlay)
    } catch {
      source.undoWritesInOverlay()
      throw error
    }
    return source.drainWrittenInOverlay()
  }

  private mutating func write(
    _ payload: RecordPayload?, root: DataID?, updater: StoreUpdater?,
    to layer: LayeredSource.Layer
  ) throws {
    if let payload {
      source.merge(payload, into: layer)
      for key in try source.handle(payload, on: layer) { events.append(.pageNotMerged(key: key)) }
    }
    if let updater { try source.run(updater, on: layer, payloadRoot: root) }
  }

  /// - Parameter origin: The origin of the publish; `nil` without a timeline.
  private mutating func notify(
    previousOverlay oldOverlay: [RecordIndex: Record], _ origin: TracedPublish.Origin?
  ) -> [Delivery] {
    let changedInBase = source.changedInBase.count
    let changed = source.drainChanges(previousOverlay: oldOverlay)
    if !changed.isEmpty {
      revision += 1
      collector.recordsDidChange(changed, in: source)
      let now = time.elapsed  // Read first, as in `step`.
      collector.markDueIfExceeded(size: source.base.indexBound, now: now)
    }
    for types in source.drainTypeCollisions() { events.append(.typeCollision(types)) }
    events.append(source.drainUnknownFields())
    events.append(.publish(changedRecords: changed.indexes.count))
    var publishes: PublishGroup?
    if let origin {
      publishes = trace(
        origin, changed, changedInBase: changedInBase, previousOverlay: oldOverlay)
    }
    return batches.add(changed, publishes) ? [] : notify(of: changed, publishes)
  }

  /// Defers the notifications of this thread's changes until the batch is closed. Batches may be
  /// nested.
  mutating func openBatch() { batches.open() }

  /// Closes a batch. Closing the outermost one notifies of all records that the thread has changed
  /// in it.
  mutating func closeBatch() -> [Delivery] {
    guard let changes = batches.close() else { return [] }
    return notify(of: changes.records, publishGroup(of: changes.publishes))
  }

  /// Notifies the observers of live fields whose values have changed.
  ///
  /// - Parameter records: The records that have the fields.
  mutating func notify(ofLiveFields fields: [RecordIndex], of records: [RecordIndex]) -> [Delivery]
  {
    revision += 1
    let publishes = recording == nil ? nil : traceLiveFields(of: records)
    return notify(of: RecordList(fields), replicated: RecordList(records), publishes)
  }

  /// Notifies the observers that have joined an earlier version than the last one.
  mutating func notifyJoined() -> [Delivery] {
    revision += 1
    return notify(of: RecordList(), nil)
  }

  /// Notifies the observers of changed records.
  ///
  /// The order of deliveries is: observers of fragments, in the order of their registration;
  /// replicas, for local queries and mirrors; observers of invalidations; observers of exports; and
  /// the ends of live fields, which the other deliveries may have ended.
  ///
  /// - Parameter replicated: The records that replicas read again, if different from `changed`.
  private mutating func notify(
    of changed: RecordList, replicated: RecordList? = nil, _ publishes: PublishGroup?
  ) -> [Delivery] {
    // Observers that join from now on have seen the changes.
    publishVersion()
    var changes =
      changed.isEmpty && joined.isEmpty
      ? []
      : observers.notify(
        of: changed, and: joined, unread: batches.records(with: changed), in: &source,
        with: &reader, revision: revision, publishes)
    joined = []
    var deliveries = pluralObservers.deliveries(of: changes, revision: revision, in: source)
    if !changed.isEmpty { events.append(.notify(observers: deliveries.count)) }
    events.appendProblems(of: deliveries)
    logOmissions(in: &changes)
    events.appendLosses(of: changes)
    updateLiveFields()
    deliveries += notifyReplicas(of: replicated ?? changed)
    deliveries += notifyOfInvalidation()
    deliveries += exports.deliveries(of: changed)
    deliveries += endedLiveFields
    return models.add(deliveries)
  }
}
