extension RowSnapshot {
  /// Stores the records that were seen, if some of them are not in the row: deleted or unknown
  /// records, and records of objects that a propagated null removed.
  mutating func captureHiddenRecords(in source: LayeredSource) {
    guard row == nil || hasHiddenRecords || !missing.isEmpty || !errors.isEmpty else { return }
    var all: [Record] = []
    seen.forEach { all.append(source[$0]) }
    details.hidden = all
  }

  /// While the source is loading, marks the absent data as not loaded instead of missing. Drops all
  /// details that are not copied here.
  ///
  /// Call this after ``captureHiddenRecords(in:)``.
  mutating func captureNotLoaded(in source: LayeredSource) {
    guard source.isLoading, lacksData else { return }
    var details = Details()
    details.hidden = self.details.hidden
    (details.partial, details.keepsRows) = (self.details.partial, keepsRows)
    (details.lacksData, details.isNotLoaded) = (true, true)
    self.details = details
  }

  /// Stores the parts of the data that have not arrived.
  ///
  /// - Parameter record: The record that the definition was read from.
  mutating func capturePendingParts(
    of plan: SelectionPlan, at record: RecordIndex, in source: LayeredSource
  ) {
    if source.observers.pendingParts.isEmpty { return }
    let parts = source.observers.pendingParts.parts(
      of: plan.owner, at: record, forEachRecord: seen.visit(while:))
    if !parts.isEmpty { details.pending = parts }
  }

  /// The ids of all records seen, except records without data: type schema records and live fields.
  ///
  /// - Complexity: O(*n*) in the objects read.
  package var seenIDs: Set<DataID> {
    var ids = Set(hidden.map(\.box.id).filter { !$0.isTypeSchema && !$0.isLiveField })
    var visited: Set<ObjectIdentifier> = []
    row?.addIDs(to: &ids, &visited)
    return ids
  }
}

extension RowBox {
  /// Adds the ids of the records in this row.
  ///
  /// - Parameter visited: The rows with lists that were already visited.
  fileprivate func addIDs(to ids: inout Set<DataID>, _ visited: inout Set<ObjectIdentifier>) {
    if plan.hasLists, !visited.insert(identity).inserted { return }
    if let id { ids.insert(id) }
    for slot in slots { slot.addIDs(to: &ids, &visited) }
  }
}

extension RowSlot {
  fileprivate func addIDs(to ids: inout Set<DataID>, _ visited: inout Set<ObjectIdentifier>) {
    switch value {
    case .row(let row): row.addIDs(to: &ids, &visited)
    case .list(let list): for slot in list.slots { slot.addIDs(to: &ids, &visited) }
    default: break
    }
  }
}
