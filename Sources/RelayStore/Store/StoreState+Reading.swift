/// The reads of targets.
extension StoreState {
  mutating func read(_ target: ReadTarget) -> RowSnapshot {
    if case .one(let reference, let plan) = target { return read(reference, plan) }
    return plural(target).snapshot(revision: revision, in: source)
  }

  /// Reads the parts of a target that has several.
  mutating func plural(_ target: ReadTarget) -> PluralSnapshot {
    if case .pair = target {
      return PluralSnapshot(
        target.parts.map { read($0.reference, $0.plan) }, pathLimit: source.readLimits.paths,
        isPair: true)
    }
    var budget = ReadBudget(source.readLimits)
    return PluralSnapshot(
      target.parts.map { read($0.reference, $0.plan, within: &budget) },
      pathLimit: source.readLimits.paths)
  }

  private mutating func read(_ reference: SpreadReference, _ plan: SelectionPlan) -> RowSnapshot {
    var budget = ReadBudget(source.readLimits)
    return read(reference, plan, within: &budget)
  }

  private mutating func read(
    _ reference: SpreadReference, _ plan: SelectionPlan, within budget: inout ReadBudget
  ) -> RowSnapshot {
    switch reference {
    case .record(let id, let scope):
      return read(index(of: id), bind(plan, in: scope, isRoot: id == .root), within: &budget)
    case .value(let row):
      var snapshot = RowSnapshot()
      snapshot.row = row
      return snapshot
    case .nothing: return RowSnapshot()
    }
  }

  /// Reads a record within the remaining budget of a larger read.
  mutating func read(
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
}
