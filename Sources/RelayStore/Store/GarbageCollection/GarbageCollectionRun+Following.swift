/// The links that a run follows from the records that it visits.
extension GarbageCollectionRun {
  /// Enqueues the targets of a record's links in a selection.
  ///
  /// - Returns: The cost in the unit of a slice's budget.
  mutating func follow(_ index: RecordIndex, selection: Int, in source: LayeredSource)
    -> Int
  {
    let before = worklist.count
    for inlined in selections[selection].inlined { worklist.append((index, inlined)) }
    let isOverlaid = source.overlay[index] != nil
    for position in selections[selection].links.indices {
      let link = selections[selection].links[position]
      enqueueLinks(of: index, key: link.key, selection: link.selection, in: source)
      if isOverlaid {
        enqueue(source[index][link.key], selection: link.selection, in: source)
      }
      if !source.missingFieldHandlers.isEmpty || index.position == 0 {
        let handled = handled(
          at: index, selection: selection, slot: link.slot, key: link.key, in: source)
        enqueue(handled.value, selection: link.selection, in: source)
        // An observer waits for these records.
        for index in handled.unknown.compactMap({ source.index(of: source.resolved($0)) }) {
          keepIndex(of: index)
        }
      }
    }
    // Following a link costs about an eighth of visiting a record.
    return (worklist.count - before) / 8
  }

  /// Enqueues the targets of a field's links, of a record in the base.
  ///
  /// The record is unretained: `source` owns it, and is not mutated during the call.
  private mutating func enqueueLinks(
    of index: RecordIndex, key: FieldKey, selection: Int, in source: LayeredSource
  ) {
    guard let record = source.base.unretained(index) else { return }
    if let fields = record._withUnsafeGuaranteedRef({ $0.fields }) {
      return enqueue(fields[key]?.value, selection: selection, in: source)
    }
    let found = record._withUnsafeGuaranteedRef { record in
      record.shape.position(of: key).map { (cell: record.cell(at: $0), record.extras) }
    }
    guard let found else { return }
    switch found.cell.kind {
    case .link: enqueue(found.cell.link, selection: selection, in: source)
    case .boxed:
      enqueue(found.1?.boxedValues[found.cell.boxedIndex], selection: selection, in: source)
    default: break
    }
  }

  /// Enqueues the targets of a value's links. Later steps enqueue the targets of a long list.
  private mutating func enqueue(_ value: FieldValue?, selection: Int, in source: LayeredSource) {
    if case .links(let links) = value, links.count > Self.longList {
      lists.append((links, 0, selection))
    } else {
      value?.forEachLink { enqueue($0, selection: selection, in: source) }
    }
  }

  /// Enqueues a record, unless it was already visited with the selection.
  private mutating func enqueue(_ index: RecordIndex, selection: Int, in source: LayeredSource) {
    let index = source.resolved(index)
    if selections[selection].isLeaf {
      // The selection has no links, so marking is enough.
      mark(index, in: source)
      if let group = selections[selection].fieldGroup { fieldSweep.select(group, of: index) }
    } else if !selections[selection].visited.contains(index) {
      // A record that was visited is not enqueued again. The write barrier does that when it
      // changes.
      worklist.append((index, selection))
    }
  }

  /// Continues with the next step of a long list, or of a large record.
  ///
  /// - Returns: Whether there was one.
  mutating func scanNextPart(in source: LayeredSource) -> Bool {
    guard var list = lists.popLast() else { return scanMoreFields() }
    let end = min(list.links.count, list.next + Self.longList)
    for index in list.links[list.next..<end] where index != .none {
      if let selection = list.selection {
        enqueue(index, selection: selection, in: source)
      } else {
        linked.insert(index)
      }
    }
    list.next = end
    if end < list.links.count { lists.append(list) }
    return true
  }

  /// Returns the value that missing field handlers supply for a field, unless it exists.
  private func handled(
    at index: RecordIndex, selection: Int, slot: Int, key: FieldKey, in source: LayeredSource
  ) -> HandledField {
    let plan = selections[selection].plan
    guard source[index].state == .present, source[index][key] == nil,
      let field = plan.plan.slots[slot].field
    else { return HandledField() }
    return source.handled(field, slot: slot, plan: plan, at: index)
  }
}
