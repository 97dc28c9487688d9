/// A mark phase over the records that an operation reaches.
struct Reachability {
  /// A selection set of the operation: its linked fields, each with the selection of its target.
  private struct Selection {
    var links: [(key: FieldKey, selection: Int)] = []
    /// The selections on the same record: `@inline` fragments, fragments of derived fields, and
    /// client fields.
    var inlined: [Int] = []
    var visited = RecordSet()
    var isLeaf: Bool { links.isEmpty && inlined.isEmpty }
  }

  private var selections: [Selection] = []

  /// Marks every record that the plan reaches from a record, through all type conditions and in
  /// both layers.
  ///
  /// - Complexity: O(*n*) in the links followed; each record is visited once for each selection.
  package static func mark(
    from start: RecordIndex, _ plan: BoundPlan, in source: LayeredSource,
    into marked: inout RecordSet
  ) {
    var reachability = Reachability()
    let root = reachability.addSelection(of: plan)
    reachability.mark(from: start, selection: root, in: source, into: &marked)
  }

  private mutating func addSelection(of plan: BoundPlan) -> Int {
    let index = selections.count
    selections.append(Selection())
    var selection = Selection()
    if let clientPlan = plan.clientPlan { selection.inlined.append(addSelection(of: clientPlan)) }
    for (slot, child) in plan.children.enumerated() {
      guard let child else { continue }
      let below = addSelection(of: child)
      if plan.plan.slots[slot].isOfSameRecord {
        selection.inlined.append(below)
        continue
      }
      selection.links.append((plan.keys[slot], below))
      for handle in plan.handles where handle.slot == slot {
        selection.links.append((handle.handle.key, below))
      }
    }
    selections[index] = selection
    return index
  }

  private mutating func mark(
    from start: RecordIndex, selection root: Int, in source: LayeredSource,
    into marked: inout RecordSet
  ) {
    let hasOverlay = !source.overlay.isEmpty
    var worklist = [(index: start, selection: root)]
    while let step = worklist.popLast() {
      marked.insert(step.index)
      let (links, inlined) = (selections[step.selection].links, selections[step.selection].inlined)
      guard selections[step.selection].visited.insert(step.index) else { continue }
      for inlined in inlined { worklist.append((step.index, inlined)) }
      for link in links {
        // A target without links, the most common kind, is marked immediately.
        let isLeaf = selections[link.selection].isLeaf
        func follow(_ index: RecordIndex) {
          let index = source.resolved(index)
          if isLeaf { marked.insert(index) } else { worklist.append((index, link.selection)) }
        }
        source[base: step.index].box.forEachLink(of: link.key, follow)
        if hasOverlay { source[step.index].box.forEachLink(of: link.key, follow) }
      }
    }
  }
}
