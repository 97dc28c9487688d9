/// The reads of records, with and without an observer.
extension StoreState {
  mutating func read(_ id: DataID, _ plan: SelectionPlan, in scope: VariableScope) -> RowSnapshot {
    let bound = bind(plan, in: scope, isRoot: id == .root)
    return read(index(of: id), bound)
  }

  /// Reads a record within the remaining budget of a larger read.
  mutating func read(
    _ id: DataID, _ plan: SelectionPlan, in scope: VariableScope, within budget: inout ReadBudget
  ) -> RowSnapshot {
    let bound = bind(plan, in: scope, isRoot: id == .root)
    return read(index(of: id), bound, within: &budget)
  }

  private mutating func read(_ index: RecordIndex, _ plan: BoundPlan) -> RowSnapshot {
    var budget = ReadBudget(source.readLimits)
    return read(index, plan, within: &budget)
  }

  private mutating func read(
    _ index: RecordIndex, _ plan: BoundPlan, within budget: inout ReadBudget
  ) -> RowSnapshot {
    var snapshot = reader.read(index, plan, from: &source, within: &budget)
    if snapshot.isOptimistic, !snapshot.holes.isEmpty {
      snapshot.details.holes = reader.settledHoles(at: index, plan, from: &source)
    }
    snapshot.revision = revision
    snapshot.isStale = source.observers.invalidations.isStale(any: snapshot.seen)
    snapshot.captureHiddenRecords(in: source)
    snapshot.captureNotLoaded(in: source)
    snapshot.capturePendingParts(of: plan.plan, at: index, in: source)
    events.appendRead(snapshot, of: plan.plan)
    if recording != nil, !snapshot.missing.isEmpty {
      recordMissing(snapshot, of: plan.plan, at: index)
    }
    return snapshot
  }

  /// Returns the records that a read depends on; nothing is logged.
  mutating func seenRecords(
    reading id: DataID, _ plan: SelectionPlan, in scope: VariableScope
  ) -> SeenRecords {
    var budget = ReadBudget(source.readLimits)
    let bound = bind(plan, in: scope)
    return reader.read(index(of: id), bound, from: &source, within: &budget).seen
  }

  /// Reads a record and delivers every later change to the receiver.
  mutating func observe(
    _ id: DataID, _ plan: SelectionPlan, in scope: VariableScope, receiver: SnapshotReceiver
  ) -> (ObserverTable.ID, RowSnapshot) {
    let (index, bound) = (index(of: id), bind(plan, in: scope, isRoot: id == .root))
    let snapshot = readingForObserver { $0.read(index, bound) }
    let observer = observers.add(index, bound, receiver: receiver, initial: snapshot)
    collector.add(index, bound)
    updateLiveFields()
    return (observer, snapshot)
  }

  mutating func stopObserving(_ id: ObserverTable.ID) {
    if recording != nil { recordEnd(of: id) }
    observers.remove(id)
    collector.countEndedUse()
    updateLiveFields()
  }
}
