/// Fields and records that an observer would depend on if they had an index.
extension RecordReader {
  /// Returns the live fields without an index that reads for observers have met since the last
  /// call.
  mutating func takeUnindexed() -> [(field: LiveDerivations.Field, owner: String)] {
    if unindexed.isEmpty { return [] }
    return unindexed.drain()
  }

  /// Returns the ids without an index that reads for observers have met since the last call.
  mutating func takeUnknownIDs() -> [DataID] {
    if unknownIDs.isEmpty { return [] }
    return unknownIDs.drain()
  }

  /// Returns the value that a missing field handler supplies. The result depends on the records
  /// that it would link to.
  mutating func handledValue(
    of field: PlanField, slot: Int, plan: BoundPlan, at index: RecordIndex
  ) -> FieldValue? {
    let handled = source.handled(field, slot: slot, plan: plan, at: index)
    for id in handled.unknown {
      if let index = source.index(of: source.resolved(id)) {
        markSeen(index)
      } else if isForObserver {
        unknownIDs.append(id)
      }
    }
    return handled.value
  }
}
