extension RowSnapshot {
  /// Stores the records that were seen but are not part of the row: those deleted or unknown, and
  /// those of objects that a propagated null removed. A whole row has all of them.
  package mutating func captureHiddenRecords(in source: LayeredSource) {
    guard row == nil || hasDeletedLinks || !missing.isEmpty || !errors.isEmpty else { return }
    var all: [Record] = []
    seen.forEach { all.append(source[$0]) }
    hidden = all
  }

  /// The ids of all records seen, without type records.
  ///
  /// - Complexity: O(*n*) in the objects read.
  package var seenIDs: Set<DataID> {
    var ids = Set(hidden.map(\.storage.id).filter { !$0.isTypeSchema })
    var entered: Set<ObjectIdentifier> = []
    row?.addIDs(to: &ids, &entered)
    return ids
  }
}

extension RowStorage {
  /// Adds the ids of the records in this row.
  ///
  /// - Parameter entered: The rows with lists that were already visited.
  fileprivate func addIDs(to ids: inout Set<DataID>, _ entered: inout Set<ObjectIdentifier>) {
    if plan.hasLists, !entered.insert(identity).inserted { return }
    if let id { ids.insert(id) }
    for slot in slots { slot.addIDs(to: &ids, &entered) }
  }
}

extension RowSlot {
  fileprivate func addIDs(to ids: inout Set<DataID>, _ entered: inout Set<ObjectIdentifier>) {
    switch value {
    case .row(let row): row.addIDs(to: &ids, &entered)
    case .list(let list): for slot in list.slots { slot.addIDs(to: &ids, &entered) }
    default: break
    }
  }
}
