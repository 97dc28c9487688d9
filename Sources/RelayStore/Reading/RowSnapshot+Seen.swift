extension RowSnapshot {
  /// Notes the records that the row does not show: those that are deleted or unknown, and those of
  /// objects that a null has taken away. A row that is whole shows them all.
  package mutating func noteHidden(in source: LayeredSource) {
    guard row == nil || hasDeletedLinks || !missing.isEmpty || !errors.isEmpty else { return }
    var all: [Record] = []
    seen.forEach { all.append(source[$0]) }
    hidden = all
  }

  /// Every record that was looked at, those aside that remember the abstract types of types.
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
  /// - Parameter entered: The rows with lists of which the ids are there.
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
