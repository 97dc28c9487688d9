import RelayStore

/// A selection set of an exported operation: its fields and their linked selections.
struct ExportedSelection {
  /// The storage keys of its fields, with their strings.
  private(set) var fields: [FieldKey: String] = [:]
  /// The linked fields, each with the selection of its target.
  private(set) var links: [(key: FieldKey, selection: Int)] = []
  /// The selections on the same record: `@inline` fragments, fragments of derived fields, and
  /// client fields.
  private(set) var inlined: [Int] = []
  /// The records visited with this selection.
  var visited = RecordSet()

  /// Appends the selections of a plan.
  ///
  /// - Parameter nextEdge: The key of the counter that a connection uses to name its edges.
  /// - Returns: The index of the plan's own selection.
  static func append(
    _ plan: BoundPlan, nextEdge: (key: FieldKey, text: String), to all: inout [ExportedSelection]
  ) -> Int {
    let index = all.count
    // Reserves the index, because the children's selections are appended first.
    all.append(ExportedSelection())
    var selection = ExportedSelection()
    if let clientPlan = plan.clientPlan {
      selection.inlined.append(append(clientPlan, nextEdge: nextEdge, to: &all))
    }
    for (slot, child) in plan.children.enumerated() where plan.isIncluded[slot] {
      let below = child.map { append($0, nextEdge: nextEdge, to: &all) }
      guard case .field = plan.plan.slots[slot].content else {
        if let below { selection.inlined.append(below) }
        continue
      }
      if let below, plan.plan.slots[slot].isOfSameRecord {
        selection.inlined.append(below)
        continue
      }
      selection.fields[plan.keys[slot]] = plan.storageKeys[slot]
      if let below { selection.links.append((plan.keys[slot], below)) }
      for (_, handle) in plan.handles where handle.field == plan.keys[slot] {
        selection.fields[handle.key] = handle.storageKey
        guard let below else { continue }
        selection.links.append((handle.key, below))
        all[below].fields[nextEdge.key] = nextEdge.text
      }
    }
    all[index] = selection
    return index
  }
}
