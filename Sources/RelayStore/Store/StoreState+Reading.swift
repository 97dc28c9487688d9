/// The reads of targets.
extension StoreState {
  /// Reads a target and applies the side effects.
  mutating func read(_ target: ReadTarget) -> RowSnapshot {
    var effects = noEffects
    let snapshot = read(target, &effects)
    apply(effects)
    return snapshot
  }

  /// Empty effects.
  var noEffects: ReadEffects { ReadEffects(areReadsWanted: events.isOn || recording != nil) }

  /// Registers private elements, logs reads, and adds missing fields to the timeline.
  mutating func apply(_ effects: ReadEffects) {
    for privacy in effects.privacy { source.observers.privateRecords.insert(privacy) }
    for read in effects.reads {
      events.appendRead(read.snapshot, of: read.plan)
      recording?.recorder.append(missingIn: read)
    }
  }

  mutating func read(_ target: ReadTarget, _ effects: inout ReadEffects) -> RowSnapshot {
    reader.read(target, from: &source, revision: revision, bindings, &effects)
  }

  mutating func read(
    _ reference: SpreadReference, _ plan: SelectionPlan, within budget: inout ReadBudget,
    _ effects: inout ReadEffects
  ) -> RowSnapshot {
    reader.read(
      reference, plan, from: &source, revision: revision, within: &budget, bindings, &effects)
  }

  // MARK: Observers

  /// Reads a record for an observer that is about to be registered, within the remaining budget of
  /// a larger read.
  mutating func readForObserver(
    _ index: RecordIndex, _ plan: BoundPlan, within budget: inout ReadBudget
  ) -> RowSnapshot {
    var snapshot = source.readForObserver(index, plan, with: &reader, within: &budget)
    source.complete(&snapshot, of: plan, at: index, revision: revision, with: &reader)
    var effects = noEffects
    effects.add((snapshot, plan.plan, source.id(of: index) ?? .root))
    apply(effects)
    return snapshot
  }
}
