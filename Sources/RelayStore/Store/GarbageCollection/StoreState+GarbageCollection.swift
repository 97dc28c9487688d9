extension StoreState {
  /// Begins a collection of every record that no retained operation, optimistic update or observer
  /// needs.
  private mutating func beginCollection() {
    var run = GarbageCollectionRun()
    for root in retention.roots { run.add(root.record, root.plan) }
    for root in observers.roots { run.add(root.record, root.plan) }
    for replica in replicas.values { run.keepFields(of: replica.bound) }
    run.addOverlay(of: source)
    collector.begin(run)
  }

  /// Whether a collection has no roots, so that ``collectAll()`` does the same as a run.
  ///
  /// These are the conditions:
  ///
  /// - No operation is retained or in the release buffer, nothing is observed, and no optimistic
  ///   update has written a record.
  /// - There is no replica. It is no root, but it selects fields and is told what was collected.
  /// - No batch is open. It refers to changed records by index.
  /// - No run is in progress. It keeps the types that were written since it began.
  ///
  /// The root record, client-written fields and invalidations are no conditions:
  /// ``LayeredSource/collectAll()`` keeps what a run keeps of them.
  var hasOnlyGarbage: Bool {
    retention.entries.isEmpty && observers.count == 0 && source.overlaid.isEmpty
      && replicas.isEmpty && !hasOpenBatch && collector.run == nil
  }

  /// Runs a whole collection at once: the fast path for a store that ``hasOnlyGarbage``.
  private mutating func collectAll() -> Collected {
    let (collected, kept, garbage) = source.collectAll()
    let report = RecordStore.GarbageCollectionReport(collected: collected, kept: kept)
    collector.finish(with: report, now: time.elapsed)
    events.append(.garbageCollection(collected: collected, kept: kept))
    return Collected(report: report, garbage: garbage)
  }

  /// The result of a whole collection.
  struct Collected {
    let report: RecordStore.GarbageCollectionReport
    /// The records that were removed with their table. They are released after unlocking, because
    /// the release of many records takes time.
    var garbage: RemovedRecords?
  }

  /// Runs a slice of the collection that is due; a no-op if none is due or collection is on hold.
  ///
  /// - Returns: Whether there is more to do, and the removed records if this was the whole
  ///   collection.
  mutating func collect(records budget: Int) -> (isPending: Bool, whole: Collected?) {
    guard collector.isPending, !collector.isHeld else { return (false, nil) }
    // Removing a record with its table costs about a quarter of visiting it.
    if source.base.indexBound / 4 <= budget, hasOnlyGarbage { return (false, collectAll()) }
    if collector.run == nil { beginCollection() }
    defer { evictCollectedFromReplicas() }
    if let report = collector.step(budget, on: &source, now: time.elapsed) {
      events.append(.garbageCollection(collected: report.collected, kept: report.kept))
    }
    return (collector.isPending, nil)
  }

  /// Runs a whole collection, due or not.
  mutating func collectGarbage() -> Collected {
    if collector.isHeld { return Collected(report: .init(collected: 0, kept: 0)) }
    if hasOnlyGarbage { return collectAll() }
    beginCollection()
    defer { evictCollectedFromReplicas() }
    while true {
      if let report = collector.step(.max / 2, on: &source, now: time.elapsed) {
        events.append(.garbageCollection(collected: report.collected, kept: report.kept))
        return Collected(report: report)
      }
    }
  }

  /// Retains the records of an operation.
  ///
  /// - Returns: The generation to release it with.
  mutating func retain(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) -> UInt64 {
    let index = index(of: root)
    retention.retain(identity, root: index, plan: plan)
    collector.add(index, plan)
    return retention.generation
  }

  /// Releases one retention of an operation, unless a reset has ended it before.
  mutating func release(_ identity: RequestIdentity, of generation: UInt64) {
    guard generation == retention.generation else { return }
    if retention.release(identity, now: time.elapsed) { collector.markDue() }
  }

  /// Returns the reasons for which a record is kept.
  mutating func explain(_ id: DataID) -> [RetentionReason] {
    guard let index = source.index(of: id), source[index].state != .unknown else { return [] }
    var reasons: [RetentionReason] = []
    if id == .root { reasons.append(.root) }
    if id.isTypeSchema { reasons.append(.type) }
    func reaches(_ record: RecordIndex, _ plan: BoundPlan) -> Bool {
      var reached = RecordSet()
      Reachability.mark(from: record, plan, in: source, into: &reached)
      return reached.contains(index)
    }
    reasons += retention.all.filter { reaches($0.root, $0.plan) }.map { entry in
      entry.count > 0
        ? .retained(operation: entry.name, count: entry.count) : .released(operation: entry.name)
    }
    reasons += observers.roots.filter { reaches($0.record, $0.plan) }
      .map { .observed(by: $0.plan.plan.owner) }
    let isOverlaid = source.overlaid.contains { overlaidIndex, record in
      var isLinked = overlaidIndex == index
      record.storage.forEachLink { if $0 == index { isLinked = true } }
      return isLinked
    }
    if isOverlaid { reasons.append(.optimisticUpdate) }
    return reasons
  }
}

extension LayeredSource {
  /// Removes a record from the base unless it is kept, leaving a tombstone until ``drop(_:)``.
  ///
  /// - Returns: Whether the record is kept; `nil` if the index has no record, or one of state
  ///   `unknown`.
  mutating func sweep(_ index: RecordIndex, isKept: Bool) -> Bool? {
    guard let record = base.unretained(index) else { return nil }
    // Unretained: the base owns the record until `entomb` below, and `record` is not used again.
    let state = record._withUnsafeGuaranteedRef { $0.state }
    let exists = state != .unknown
    if isKept { return exists ? true : nil }
    if !connectionEdges.isEmpty {
      connectionEdges.recordWasCollected(index, wasDeleted: state == .deleted)
    }
    invalidations.remove(index)
    removeClientWritten(of: index)
    recordCache?.evict(index)
    if tracksCollected, exists { collected.append(index) }
    base.entomb(index)
    return exists ? false : nil
  }

  /// Drops the tombstone of a removed record with its id. A no-op if the index has a record.
  mutating func drop(_ index: RecordIndex) {
    guard base.unretained(index) == nil else { return }
    if !connectionEdges.isEmpty { connectionEdges.recordWasCollected(index, wasDeleted: false) }
    base.drop(index)
  }
}
