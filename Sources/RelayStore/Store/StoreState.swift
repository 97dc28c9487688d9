/// Everything a store holds, behind its lock.
struct StoreState {
  /// An update that is shown until it is confirmed or taken back.
  struct OptimisticEntry {
    let id: UInt64
    var payload: RecordPayload?
    var payloadRoot: DataID?
    var updater: StoreUpdater?
    /// The records it has written when it was last shown.
    var written: Set<RecordIndex> = []
  }

  /// What is left to do of a publish once the store is unlocked.
  struct Published {
    let deliveries: [Delivery]
    /// The first error that an updater of the changes threw; the other changes are made all the
    /// same.
    var error: (any Error)?
    /// The updates taken away: what their updaters hold must not be let go of while the store is
    /// locked.
    let ended: [OptimisticEntry]
  }

  /// One step of a publish.
  enum Change {
    /// Writes a response to the base, then runs its updater.
    case commit(RecordPayload?, root: DataID?, StoreUpdater?)
    /// Adds an optimistic update on top.
    case apply(OptimisticEntry)
    /// Puts another optimistic update on top in place of the one with its number.
    case replace(OptimisticEntry)
    /// Takes an optimistic update away.
    case revert(UInt64)
  }

  var source = LayeredSource()
  var observers = ObserverTable()
  var retention: RetentionTable
  private(set) var revision: UInt64 = 0
  private let plannedFields = PlannedFields()
  /// The fields that have been logged as unknown, each once.
  private var unknownFields: Set<UnknownField> = []
  private var bindings: PlanBindings
  private var optimistic: [OptimisticEntry] = []
  private var lastNumber: UInt64 = 0
  /// A batch that is open: nobody is notified of what its thread changes meanwhile.
  private struct Batch {
    let thread = ThreadIdentity.current
    /// How many there are inside one another.
    var depth = 0
    var changed = RecordList()
  }

  private var batches: [Batch] = []

  /// Who is told of what becomes out of date.
  var invalidationObservers = InvalidationObservers()
  let time: StoreTime
  /// What is to be logged once the store is unlocked.
  var events: EventBuffer
  var collector: GarbageCollectionScheduler
  var pluralObservers = FragmentListObservers()
  /// The replicas of fragments, each of all records of a type.
  var replicas: [UInt64: FragmentReplica] = [:]

  init(_ configuration: RecordStore.Configuration) {
    bindings = PlanBindings(plannedFields)
    retention = RetentionTable(
      bufferSize: configuration.releaseBufferSize, expiration: configuration.queryExpiration)
    time = StoreTime(configuration.clock)
    events = EventBuffer(isOn: configuration.log != nil)
    collector = GarbageCollectionScheduler(
      threshold: configuration.garbageCollectionThreshold,
      interval: configuration.garbageCollectionInterval)
    source.missingFieldHandlers = configuration.missingFieldHandlers
    source.deletedRecordsBubble = configuration.deletedRecordsBubble
    source.readLimits = configuration.readLimits
    source.fieldTypes = plannedFields
    if let log = configuration.log {
      source.reportLateUse = { log(.usedAfterUpdater(typeName: $0)) }
    }
  }

  /// A number that was not used before.
  mutating func makeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// How many optimistic updates are shown.
  var optimisticCount: Int { optimistic.count }

  /// - Parameter isRoot: Whether the plan selects from the root of operations.
  mutating func bind(_ plan: SelectionPlan, _ scope: VariableScope, isRoot: Bool = false)
    -> BoundPlan
  {
    bindings.bind(plan, scope: scope, isRoot: isRoot, names: &source.keys)
  }

  mutating func index(of id: DataID) -> RecordIndex { source.intern(id) }

  // MARK: Publishing

  /// Makes changes visible: lifts the optimistic updates, commits to the base in order, runs the
  /// live optimistic updates again, and reads again for the observers concerned.
  ///
  /// - Parameter operation: That whose response is written.
  mutating func publish(_ changes: [Change], of operation: WrittenOperation? = nil) -> Published {
    source.invalidations.beginEpoch()
    var outcome = Outcome()
    let lifted = source.overlaid
    let rebases = changes.contains { goesBelow($0) }
    if rebases { _ = source.liftOverlay() }
    for change in changes { make(change, &outcome) }
    if !outcome.ended.isEmpty { collector.noteEnd() }
    settleInvalidations(changes)
    if let operation { note(operation) }
    if rebases {
      // One that throws now shows nothing this time; its caller was told when it was new.
      for position in optimistic.indices {
        optimistic[position].written = []
        do { optimistic[position].written = try show(optimistic[position]) } catch {
          events.note(.updaterFailed(error, isOptimistic: true))
        }
      }
    }
    for entry in outcome.added { add(entry, &outcome) }
    return Published(
      deliveries: notify(lifted: lifted), error: outcome.error, ended: outcome.ended)
  }

  /// What the steps of one publish have come to.
  private struct Outcome {
    /// The updates that are new on top.
    var added: [OptimisticEntry] = []
    var ended: [OptimisticEntry] = []
    /// The first one.
    var error: (any Error)?

    mutating func note(_ error: any Error) { self.error = self.error ?? error }
  }

  /// Whether a step needs the optimistic updates out of the way: one on top of them does not, nor one whose
  /// update has ended.
  private func goesBelow(_ change: Change) -> Bool {
    switch change {
    case .commit: true
    case .apply: false
    case .replace(let entry): optimistic.contains { $0.id == entry.id }
    case .revert(let id): optimistic.contains { $0.id == id }
    }
  }

  /// Takes one step on the base and in the list of optimistic updates, which are not shown meanwhile.
  private mutating func make(_ change: Change, _ outcome: inout Outcome) {
    switch change {
    case .commit(let payload, let root, let updater):
      do { try write(payload, root, updater, .base) } catch {
        events.note(.updaterFailed(error, isOptimistic: false))
        outcome.note(error)
      }
    case .revert(let id):
      outcome.ended += optimistic.filter { $0.id == id }
      optimistic.removeAll { $0.id == id }
    case .replace(let entry):
      guard let old = optimistic.firstIndex(where: { $0.id == entry.id }) else {
        return outcome.note(RelayError(.update, "An update cannot be replaced after its end."))
      }
      outcome.ended.append(optimistic.remove(at: old))
      outcome.added.append(entry)
    case .apply(let entry): outcome.added.append(entry)
    }
  }

  /// Shows a new optimistic update on top of the others; one that throws leaves nothing.
  private mutating func add(_ entry: OptimisticEntry, _ outcome: inout Outcome) {
    let before = source.overlaid
    var entry = entry
    do {
      entry.written = try show(entry)
      optimistic.append(entry)
    } catch {
      source.restoreOverlay(before)
      events.note(.updaterFailed(error, isOptimistic: true))
      outcome.note(error)
    }
  }

  /// Forgets every record, retention and optimistic update; observers stay, and are told.
  mutating func reset() -> Published {
    let ended = optimistic
    optimistic = []
    let lifted = source.liftOverlay()
    source.removeAll()
    retention.removeAll()
    bindings = PlanBindings(plannedFields)
    collector.noteRelease()
    return Published(deliveries: notify(lifted: lifted), ended: ended)
  }

  /// Shows an optimistic update over what is shown; returns the records it has written.
  private mutating func show(_ entry: OptimisticEntry) throws -> Set<RecordIndex> {
    // What is left of one that has thrown.
    _ = source.takeWrittenInOverlay()
    try write(entry.payload, entry.payloadRoot, entry.updater, .overlay)
    return source.takeWrittenInOverlay()
  }

  /// The records that an optimistic update shows in its way; none when it has ended.
  func written(byUpdate number: UInt64) -> Set<RecordIndex> {
    optimistic.first { $0.id == number }?.written ?? []
  }

  private mutating func write(
    _ payload: RecordPayload?, _ root: DataID?, _ updater: StoreUpdater?,
    _ layer: LayeredSource.Layer
  ) throws {
    if let payload {
      source.merge(payload, into: layer)
      for key in try source.handle(payload, on: layer) { events.note(.pageNotMerged(key: key)) }
    }
    if let updater { try source.run(updater, on: layer, payloadRoot: root) }
  }

  private mutating func notify(lifted: [RecordIndex: Record]) -> [Delivery] {
    let changed = source.takeChanges(lifted: lifted)
    if !changed.isEmpty {
      revision += 1
      collector.note(changed, in: source)
      collector.noteWrite(size: source.base.numberCount, now: time.elapsed)
    }
    for types in source.takeTypeCollisions() { events.note(.typeCollision(types)) }
    let unknown = source.takeUnknownFields()
    if events.isOn {
      for field in unknown where unknownFields.insert(field).inserted {
        events.note(.unknownField(typeName: field.typeName, field: field.field))
      }
    }
    events.note(.publish(changedRecords: changed.indexes.count))
    if let batch = ownBatch {
      batches[batch].changed.formUnion(changed)
      return []
    }
    return notify(of: changed)
  }

  /// Where the batch of this thread is.
  private var ownBatch: Int? {
    if batches.isEmpty { return nil }
    let thread = ThreadIdentity.current
    return batches.firstIndex { $0.thread == thread }
  }

  /// Notifies nobody of what this thread changes until the batch is closed; batches may be inside one another.
  mutating func openBatch() {
    if ownBatch == nil { batches.append(Batch()) }
    if let batch = ownBatch { batches[batch].depth += 1 }
  }

  /// Ends a batch; the outermost reads again for all whose records the thread has changed since.
  mutating func closeBatch() -> [Delivery] {
    guard let batch = ownBatch else { return [] }
    batches[batch].depth -= 1
    if batches[batch].depth > 0 { return [] }
    return notify(of: batches.remove(at: batch).changed)
  }

  /// The records that have changed since consumers of others have read them: a consumer that is told of one thread's
  /// changes while another thread's batch is open reads what that has changed too.
  private func unread(with changed: RecordList) -> RecordList {
    batches.reduce(into: changed) { $0.formUnion($1.changed) }
  }

  private mutating func notify(of changed: RecordList) -> [Delivery] {
    let changes =
      changed.isEmpty
      ? []
      : observers.notify(
        of: changed, unread: unread(with: changed), in: source, revision: revision)
    let deliveries = pluralObservers.deliveries(of: changes, revision: revision)
    if !changed.isEmpty { events.note(.notify(observers: deliveries.count)) }
    events.note(deliveries)
    return deliveries + notifyReplicas(of: changed) + notifyOfInvalidation()
  }

  // MARK: Reading

  mutating func read(_ id: DataID, _ plan: SelectionPlan, _ scope: VariableScope) -> RowSnapshot {
    var budget = ReadBudget(source.readLimits)
    return read(id, plan, scope, within: &budget)
  }

  /// Reads a record with what others of the same read have left of its limits.
  mutating func read(
    _ id: DataID, _ plan: SelectionPlan, _ scope: VariableScope, within budget: inout ReadBudget
  ) -> RowSnapshot {
    var snapshot = RecordReader.read(
      index(of: id), bind(plan, scope, isRoot: id == .root), from: source, within: &budget)
    snapshot.revision = revision
    snapshot.isStale = source.invalidations.isStale(any: snapshot.seen)
    snapshot.noteHidden(in: source)
    events.note(snapshot, of: plan)
    return snapshot
  }

  /// Reads, and has every later change delivered to the receiver.
  mutating func observe(
    _ id: DataID, _ plan: SelectionPlan, _ scope: VariableScope, _ receiver: SnapshotReceiver
  ) -> (ObserverTable.ID, RowSnapshot) {
    let snapshot = read(id, plan, scope)
    let (index, bound) = (index(of: id), bind(plan, scope))
    let number = observers.add(index, bound, receiver, knowing: snapshot)
    collector.add(index, bound)
    return (number, snapshot)
  }

  mutating func stopObserving(_ id: ObserverTable.ID) {
    observers.remove(id)
    collector.noteEnd()
  }
}
