/// One incremental mark-and-sweep garbage collection, done in slices between writes.
///
/// A run marks the records that are reachable from the roots and finds the indexes that marked
/// records link to. It sweeps the unmarked records, leaving tombstones, and then drops the
/// tombstones without incoming links. A write barrier enqueues changed records. Their links are
/// followed again before the sweep continues, so no reachable record is collected. The next run
/// collects the records that become garbage during this one.
struct GarbageCollectionRun {
  /// A selection set of a root's plan: its linked fields, each with the selection of its target.
  struct Selection {
    let plan: BoundPlan
    var links: [(key: FieldKey, slot: Int, selection: Int)] = []
    /// The selections on the same record: `@inline` fragments, fragments of derived fields, and
    /// client fields.
    var inlined: [Int] = []
    var isLeaf: Bool { links.isEmpty && inlined.isEmpty }
    /// The records visited with this selection: the black set.
    var visited = RecordSet()
    /// The ``FieldSweep`` group of its fields with arguments; `nil` if it has no such fields.
    var fieldGroup: Int?
  }

  /// The selections of all roots.
  var selections: [Selection] = []
  /// The index of each plan's selection in ``selections``, which retains the plan.
  var selectionIndexes: [ObjectIdentifier: Int] = [:]
  /// The records to visit, each with a selection. Together with ``lists`` and ``changed`` this is
  /// the grey set.
  var worklist: [(index: RecordIndex, selection: Int)] = []
  /// The long lists of links in progress, each with the index to continue from. With a selection,
  /// the targets are enqueued for it; without one, they are added to ``linked``.
  var lists: [(links: [RecordIndex], next: Int, selection: Int?)] = []
  /// The number of links above which a list is long; also the maximum number of links or fields
  /// that one step visits.
  static let longList = 512
  /// The fields of the large records whose links are being added to ``linked``, each with the key
  /// to continue from.
  var trees: [(fields: FieldTree, next: FieldKey)] = []
  /// The fields of large records at their last link scan.
  var scannedTrees: [RecordIndex: FieldTree] = [:]
  /// The fields of large records in the overlay at their last link scan.
  private var overlaid: [RecordIndex: FieldTree] = [:]
  /// The write barrier's list: records that have changed since they were visited.
  var changed: [RecordIndex] = []
  /// The records that the run retains.
  var marked = RecordSet()
  /// The indexes that retained records link to. Their tombstones are not dropped, so the indexes
  /// are not reused.
  var linked = RecordSet()
  var phase = Phase.mark
  var fieldSweep = FieldSweep()
  private var typeSweep = TypeSchemaSweep()
  /// The work that writers have added since the last slice. The next slice does it on top of its
  /// own budget, so writers cannot starve the collector.
  private var addedWork = 0
  private(set) var collected = 0
  private(set) var retained = 0

  // MARK: Roots

  /// Adds a root. May be called in any phase.
  mutating func add(_ index: RecordIndex, _ plan: BoundPlan) {
    worklist.append((index, selectionIndex(of: plan)))
    addedWork += 1
  }

  /// Reserves the index of a record. The record itself may be collected.
  mutating func keepIndex(of record: RecordIndex) { linked.insert(record) }

  /// Retains the fields of a selection, at any depth, on every record.
  mutating func keepFields(of plan: BoundPlan) { fieldSweep.keepAll(of: plan) }

  /// Marks the records of the overlay and the records that they link to.
  ///
  /// - Complexity: O(*n*) in the links of the overlay. A large record that was already marked costs
  ///   only its changes.
  mutating func addOverlay(of source: LayeredSource) {
    for (index, record) in source.overlay {
      mark(index, in: source)
      typeSweep.keep(record.box)
      func keep(_ link: RecordIndex) {
        mark(link, in: source)
        linked.insert(link)
      }
      guard let fields = record.box.fields else {
        record.box.forEachLink(keep)
        continue
      }
      let scanned = overlaid.updateValue(fields, forKey: index) ?? FieldTree()
      fields.forEachDifference(from: scanned) { $0.value.forEachLink(keep) }
    }
  }

  /// The write barrier: enqueues changed records, and adds the targets of their links to
  /// ``linked``.
  ///
  /// - Complexity: O(*n*) in the links of the changed records and of the overlay.
  mutating func recordsDidChange(_ indexes: some Sequence<RecordIndex>, in source: LayeredSource) {
    for index in indexes {
      changed.append(index)
      addedWork += 1
      let record = source[base: index].box
      if let fields = record.fields {
        scanNewLinks(of: index, in: fields)
      } else {
        record.forEachLink { linked.insert($0) }
      }
    }
    addOverlay(of: source)
  }

  private mutating func selectionIndex(of plan: BoundPlan) -> Int {
    if let index = selectionIndexes[ObjectIdentifier(plan)] { return index }
    let index = selections.count
    // Reserves the index, because the selections of children are appended first.
    selections.append(Selection(plan: plan))
    selectionIndexes[ObjectIdentifier(plan)] = index
    var selection = Selection(plan: plan, fieldGroup: fieldSweep.group(of: plan))
    if let clientPlan = plan.clientPlan {
      selection.inlined.append(self.selectionIndex(of: clientPlan))
    }
    for (slot, child) in plan.children.enumerated() {
      guard let child else { continue }
      let target = self.selectionIndex(of: child)
      if plan.plan.slots[slot].isOfSameRecord {
        selection.inlined.append(target)
        continue
      }
      selection.links.append((plan.keys[slot], slot, target))
      for handle in plan.handles where handle.slot == slot {
        selection.links.append((handle.handle.key, slot, target))
      }
    }
    selections[index] = selection
    return index
  }

  // MARK: Slices

  /// Runs a slice.
  ///
  /// - Parameters:
  ///   - budget: The approximate number of records to visit, in addition to the work added since
  ///     the last slice.
  ///   - mayReplace: Whether the table of records may be replaced.
  /// - Returns: Whether the run is done.
  mutating func step(
    _ budget: Int, on source: inout LayeredSource, mayReplace: Bool = false
  ) -> Bool {
    if source.recentTypes == nil { source.recentTypes = [] }
    var remaining = max(1, budget) + addedWork
    addedWork = 0
    while remaining > 0 {
      if let index = changed.popLast() {
        // Extends the slice by the new links, so that it follows them too.
        remaining += revisit(index, in: source)
      } else if let step = worklist.popLast() {
        remaining -= visit(step.index, selection: step.selection, in: source)
      } else if scanNextPart(in: source) {
        remaining -= Self.longList / 8
      } else if let swept = fieldSweep.step(on: &source) {
        remaining -= swept.count
        if let index = swept.finished { scanLinks(of: index, in: source) }
      } else if mayReplace, replaceTable(of: &source, within: remaining) {
        source.recentTypes = nil
        return true
      } else if let done = advance(remaining, on: &source) {
        remaining -= done
      } else {
        source.recentTypes = nil
        return true
      }
    }
    return false
  }

  /// Follows the links of a changed record again, in every selection that it was visited with.
  ///
  /// - Returns: The number of targets enqueued.
  /// - Complexity: O(*n*) in the selections and the links of the record; a long list is visited in
  ///   one step.
  private mutating func revisit(_ index: RecordIndex, in source: LayeredSource) -> Int {
    let (worklistCount, listCount) = (worklist.count, lists.count)
    let target = source.resolved(index)
    if target != index, marked.contains(index) { mark(target, in: source) }
    for selection in selections.indices where selections[selection].visited.contains(index) {
      if target == index {
        _ = follow(index, selection: selection, in: source)
      } else {
        worklist.append((target, selection))
      }
    }
    while lists.count > listCount { _ = scanNextPart(in: source) }
    return worklist.count - worklistCount
  }

  /// Marks a record and, unless it was already visited with the selection, follows its links.
  ///
  /// - Returns: The cost in the unit of a slice's budget.
  private mutating func visit(_ created: RecordIndex, selection: Int, in source: LayeredSource)
    -> Int
  {
    mark(created, in: source)
    let index = source.resolved(created)
    if index != created { mark(index, in: source) }
    guard selections[selection].visited.insert(index) else { return 1 }
    if let group = selections[selection].fieldGroup { fieldSweep.select(group, of: index) }
    return 1 + follow(index, selection: selection, in: source)
  }

  /// Marks a record. After the phase `mark`, also scans its links, because the phase `link` may not
  /// visit it any more.
  mutating func mark(_ index: RecordIndex, in source: LayeredSource) {
    guard marked.insert(index) else { return }
    if case .mark = phase { return }
    scanLinks(of: index, in: source)
  }

  /// Does the next step of the current phase, and advances the phase at its end. Called when the
  /// grey set is empty.
  ///
  /// - Returns: The approximate number of records visited, at most the budget; `nil` if the run is
  ///   done.
  private mutating func advance(_ budget: Int, on source: inout LayeredSource) -> Int? {
    let count = source.base.indexBound
    switch phase {
    case .mark: phase.advance(to: .link(0))
    case .link(let first):
      let (position, done) = link(from: first, budget, on: &source)
      phase.advance(to: position < count ? .link(position) : .sweep(0))
      return max(1, done)
    case .sweep(let first):
      let end = min(count, first + min(budget, count))
      for position in first..<max(first, end) { sweep(RecordIndex(position), in: &source) }
      phase.advance(to: end < count ? .sweep(end) : .types)
      return max(1, end - first)
    case .types:
      if let swept = typeSweep.step(min(budget, count), on: &source) {
        collected += swept.count { !$0 }
        retained += swept.count { $0 }
        return max(1, swept.count)
      }
      for index in typeSweep.unregisterTypes(of: &source) { linked.insert(index) }
      phase.advance(to: .drop(0))
    case .drop(let first):
      let end = min(count, first + min(budget, count))
      drop(first..<max(first, end), from: &source)
      phase.advance(to: end < count ? .drop(end) : .purge(0))
      return max(1, end - first)
    case .purge(let first):
      // Purging 64 buckets costs about as much as visiting 8 records.
      let more = source.base.purgeBuckets(from: first, count: 64)
      phase.advance(to: more.map { .purge($0) } ?? .shrinkBuckets)
      return 8
    // Each of these takes a separate slice: returning the entire budget ends the slice.
    case .shrinkBuckets:
      source.base.shrinkBuckets()
      phase.advance(to: .shrinkIndexes)
      return budget
    case .shrinkIndexes:
      source.base.shrinkIndexes()
      return nil
    }
    return 1
  }

  /// Drops unneeded fields of retained records, and scans the links of these records.
  ///
  /// - Returns: The start position of the next slice, and the approximate number of records
  ///   visited.
  private mutating func link(
    from first: Int, _ budget: Int, on source: inout LayeredSource
  ) -> (position: Int, done: Int) {
    let count = source.base.indexBound
    var (position, done) = (first, 0)
    while position < count, done < budget {
      // The root is retained, marked or not.
      let index = position == 0 ? RecordIndex(0) : marked.next(from: position)
      guard let index, index.position < count else { return (count, done) }
      if fieldSweep.collect(index, on: &source) { scanLinks(of: index, in: source) }
      // Finding the next of 512 indexes costs about as much as visiting a record.
      done += 1 + (index.position - position) / 512
      position = index.position + 1
    }
    return (position, done)
  }

  private mutating func drop(_ positions: Range<Int>, from source: inout LayeredSource) {
    // A type may have been written again since its record was swept.
    for typeName in source.recentTypes ?? [] {
      if let index = source.index(of: .typeSchema(typeName.text)) { linked.insert(index) }
    }
    for index in positions.lazy.map({ RecordIndex($0) })
    where !marked.contains(index) && !linked.contains(index) {
      source.drop(index)
    }
  }

  /// Replaces the table instead of sweeping and running all later phases, if that costs less
  /// because most records are garbage. Called when the grey set is empty.
  ///
  /// - Parameter budget: The approximate number of records that may be visited. Removing a record
  ///   with its table costs about a quarter of visiting it.
  /// - Returns: Whether the table was replaced and the run is done.
  private mutating func replaceTable(of source: inout LayeredSource, within budget: Int) -> Bool {
    guard case .sweep(0) = phase, source.overlay.isEmpty else { return false }
    let bound = source.base.indexBound
    guard bound / 4 + marked.count <= budget, marked.count <= bound / 2 else { return false }
    let result = source.removeAll(except: .init(marked: marked, linked: linked))
    collected += result.collected
    retained += result.retained
    return true
  }

  private mutating func sweep(_ index: RecordIndex, in source: inout LayeredSource) {
    let isKept = index.position == 0 || marked.contains(index)
    guard let record = source.base.unretained(index) else { return }
    // Unretained: the base owns the record until `source.sweep`, and `record` is not used after it.
    if isKept {
      record._withUnsafeGuaranteedRef { typeSweep.keep($0) }
    } else if record._withUnsafeGuaranteedRef({ $0.isTypeSchema }) {
      return typeSweep.add(index)
    }
    switch source.sweep(index, isKept: isKept) {
    case true?: retained += 1
    case false?: collected += 1
    case nil: break
    }
  }
}
