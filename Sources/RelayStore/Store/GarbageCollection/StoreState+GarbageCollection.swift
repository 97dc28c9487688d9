extension StoreState {
  /// Starts a collection of every record that no retained operation, optimistic update or observer
  /// needs.
  private mutating func beginCollection() {
    var run = GarbageCollectionRun()
    for root in retention.roots { run.add(root.record, root.plan) }
    for root in observers.roots { run.add(root.record, root.plan) }
    for operation in receiving.values { run.add(index(of: operation.root), operation.plan) }
    source.observers.pendingParts.forEachRecord { run.keepIndex(of: $0) }
    observers.liveFields.forEach { run.keepIndex(of: $0) }
    for replica in replicas.values { run.keepFields(of: replica.bound) }
    run.addOverlay(of: source)
    collector.begin(run)
  }

  /// Whether a collection may replace the table of records.
  ///
  /// Not while there are replicas or open batches: a replica is notified of each collected record,
  /// and an open batch refers to changed records by index.
  private var mayReplaceTable: Bool {
    collector.replacesTables && replicas.isEmpty && batches.isEmpty
  }

  /// Runs a slice of the collection that is due; a no-op if none is due or collection is on hold.
  ///
  /// - Returns: Whether there is more to do, the result of a collection that is done, and the
  ///   deliveries to replicas of collected records.
  mutating func collect(records budget: Int) -> (
    isPending: Bool, report: RecordStore.GarbageCollectionReport?, deliveries: [Delivery]
  ) {
    guard collector.isPending, !collector.isHeld else { return (false, nil, []) }
    if collector.run == nil { beginCollection() }
    let (report, deliveries) = step(budget)
    return (collector.isPending, report, deliveries)
  }

  /// Runs a complete collection, due or not.
  mutating func collectGarbage() -> (
    report: RecordStore.GarbageCollectionReport, deliveries: [Delivery]
  ) {
    if collector.isHeld { return (.init(collected: 0, retained: 0), []) }
    beginCollection()
    var deliveries: [Delivery] = []
    while true {
      let (report, some) = step(.max / 2)
      deliveries += some
      if let report { return (report, deliveries) }
    }
  }

  private mutating func step(
    _ budget: Int
  ) -> (RecordStore.GarbageCollectionReport?, [Delivery]) {
    let begin = recording?.recorder.now
    // Read before the collector changes. If a component of the state has a type from a system
    // framework, the compiler copies the entire state to read a constant property.
    let now = time.elapsed
    let report = collector.step(budget, on: &source, mayReplace: mayReplaceTable, now: now).map {
      RecordStore.GarbageCollectionReport(collected: $0.collected, retained: $0.retained)
    }
    let deliveries = evictCollectedFromReplicas()
    if let begin { recording?.addSlice(since: begin) }
    if let report {
      events.append(.garbageCollection(collected: report.collected, retained: report.retained))
      if recording != nil {
        let ids = source.replaced?.takeCollected() ?? []
        recording?.endCollection(collected: report.collected, retained: report.retained, ids: ids)
      }
    }
    return (report, deliveries)
  }

  /// Retains the records of an operation.
  ///
  /// - Returns: The generation to release it with.
  mutating func retain(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) -> UInt64 {
    let index = index(of: root)
    retention.retain(identity, root: index, plan: plan)
    collector.add(index, plan)
    if recording != nil { traceRetention(of: identity, isRetained: true) }
    return retention.generation
  }

  /// Releases one retention of an operation, unless a reset has already ended it.
  mutating func release(_ identity: RequestIdentity, of generation: UInt64) {
    guard generation == retention.generation else { return }
    if retention.release(identity, now: time.elapsed) { collector.markDue() }
    if recording != nil { traceRetention(of: identity, isRetained: false) }
  }

  /// Removes an eighth of the released operations, the least recently used ones, and makes a
  /// collection due.
  ///
  /// - Returns: `false` if there are no released operations.
  package mutating func dropOldestOperations() -> Bool {
    let count = (retention.buffer.count + 7) / 8
    for _ in 0..<count { _ = retention.removeOldest() }
    if count > 0 { collector.markDue() }
    return count > 0
  }

  /// Pins an operation: it survives without retentions until it is unpinned.
  mutating func pin(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) {
    let index = index(of: root)
    retention.pin(identity, root: index, plan: plan)
    collector.add(index, plan)
  }

  /// Unpins an operation.
  mutating func unpin(_ identity: RequestIdentity) {
    if retention.unpin(identity) { collector.markDue() }
  }

  /// Returns the reasons why a record is retained.
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
    reasons += retention.entries.sorted(byBytes: \.key.name)
      .filter { reaches($0.value.root, $0.value.plan) }
      .map { RetentionReason($0.value, operation: $0.key.name) }
    reasons += receiving.values.sorted(byBytes: \.name)
      .filter { reaches(self.index(of: $0.root), $0.plan) }
      .map { .receiving(operation: $0.name) }
    reasons += observers.roots.filter { reaches($0.record, $0.plan) }
      .map { .observed(by: $0.plan.plan.owner) }
    let isOverlaid = source.overlay.contains { overlaidIndex, record in
      var isLinked = overlaidIndex == index
      record.box.forEachLink { if $0 == index { isLinked = true } }
      return isLinked
    }
    if isOverlaid { reasons.append(.optimisticUpdate) }
    return reasons
  }
}

extension LayeredSource {
  /// Removes a record from the base unless it is retained, leaving a tombstone until ``drop(_:)``.
  ///
  /// - Returns: Whether the record is retained; `nil` if the index has no record, or a record of
  ///   state `unknown`.
  mutating func sweep(_ index: RecordIndex, isKept: Bool) -> Bool? {
    guard let record = base.unretained(index) else { return nil }
    // Unretained: the base owns the record until `entomb` below, and `record` is not used again.
    let exists = record._withUnsafeGuaranteedRef { record in
      if !isKept {
        observers.recordWillBeCollected(record, at: index)
        replaced?.collect(record)
      }
      return record.state != .unknown
    }
    if isKept { return exists ? true : nil }
    base.entomb(index)
    return exists ? false : nil
  }

  /// Drops the tombstone of a removed record with its id. A no-op if the index has a record.
  mutating func drop(_ index: RecordIndex) {
    guard base.unretained(index) == nil else { return }
    observers.idWillBeDropped(from: index)
    base.drop(index)
  }
}
