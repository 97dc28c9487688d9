/// One garbage collection, done a slice at a time while the store goes on being written.
///
/// It marks what the roots reach, finds the numbers that kept records link to, then sweeps the rest: first
/// the records, of which the ids stay, then the ids that nothing links to. What is written meanwhile is
/// looked at again before anything more is swept, so that nothing reachable is taken; what becomes garbage
/// meanwhile is left to the next one.
struct GarbageCollectionRun {
  /// One selection of a root: where its links are, and the selections they lead to.
  struct Selection {
    let plan: BoundPlan
    var links: [(key: FieldKey, slot: Int, selection: Int)] = []
    /// Selections of the same record.
    var inlined: [Int] = []
    var isLeaf: Bool { links.isEmpty && inlined.isEmpty }
    var entered = RecordSet()
    /// The fields with arguments that it has.
    var fields: Int?
  }

  var selections: [Selection] = []
  var numbers: [ObjectIdentifier: Int] = [:]
  var open: [(index: RecordIndex, selection: Int)] = []
  /// Long lists of links, and how far each was gone through: to open them for a selection, or without
  /// one to note them.
  var lists: [(links: [RecordIndex], next: Int, selection: Int?)] = []
  /// From how many links on a list is long: it is opened in as many at a time.
  private static let longList = 512
  /// Records with many fields whose links are to be noted, and from which key on.
  private var trees: [(fields: FieldTree, next: FieldKey)] = []
  /// The fields of such records as they were when their links were noted.
  private var noted: [RecordIndex: FieldTree] = [:]
  /// The same of those that optimistic updates show.
  private var overlaid: [RecordIndex: FieldTree] = [:]
  /// Records that have changed since they were looked at.
  var changed: [RecordIndex] = []
  var marked = RecordSet()
  var linked = RecordSet()
  var phase = Phase.mark
  private var fields = FieldSweep()
  private var types = TypeRecordSweep()
  /// The work that has come since the last slice, which the next does beside its own, so that writing
  /// cannot keep the end away.
  private var owed = 0
  private(set) var collected = 0
  private(set) var kept = 0

  // MARK: Roots

  /// Adds a root; also while the run goes on.
  mutating func add(_ index: RecordIndex, _ plan: BoundPlan) {
    open.append((index, number(of: plan)))
    owed += 1
  }

  /// Keeps the fields that a selection has, on whatever record.
  mutating func keepFields(of plan: BoundPlan) { fields.keepAll(of: plan) }

  /// Keeps the records that optimistic updates have written, and those they link to.
  mutating func addOverlay(of source: LayeredSource) {
    for (index, record) in source.overlaid {
      mark(index, in: source)
      types.keep(record.storage)
      func keep(_ link: RecordIndex) {
        mark(link, in: source)
        linked.insert(link)
      }
      guard let fields = record.storage.fields else {
        record.storage.forEachLink(keep)
        continue
      }
      let known = overlaid.updateValue(fields, forKey: index) ?? FieldTree()
      fields.forEachDifference(from: known) { $0.value.forEachLink(keep) }
    }
  }

  /// Notes that records were written.
  mutating func note(_ indexes: some Sequence<RecordIndex>, in source: LayeredSource) {
    for index in indexes {
      changed.append(index)
      owed += 1
      let record = source[base: index].storage
      if let fields = record.fields {
        noteChange(of: index, fields)
      } else {
        record.forEachLink { linked.insert($0) }
      }
    }
    addOverlay(of: source)
  }

  /// Notes the links that a record with many fields has since it was looked at.
  private mutating func noteChange(of index: RecordIndex, _ fields: FieldTree) {
    if let known = noted[index] {
      noted[index] = fields
      fields.forEachDifference(from: known) { $0.value.forEachLink { linked.insert($0) } }
      return
    }
    switch phase {
    // All that is kept is looked at later.
    case .mark, .link: break
    default: noteLinks(of: index, fields)
    }
  }

  private mutating func noteLinks(of index: RecordIndex, _ fields: FieldTree) {
    noted[index] = fields
    trees.append((fields, FieldKey(rawValue: 0)))
  }

  private mutating func number(of plan: BoundPlan) -> Int {
    if let known = numbers[ObjectIdentifier(plan)] { return known }
    let number = selections.count
    selections.append(Selection(plan: plan))
    numbers[ObjectIdentifier(plan)] = number
    var selection = Selection(plan: plan, fields: fields.group(of: plan))
    if let clientPlan = plan.clientPlan { selection.inlined.append(self.number(of: clientPlan)) }
    for (slot, child) in plan.children.enumerated() {
      guard let child else { continue }
      let below = self.number(of: child)
      if plan.plan.slots[slot].isOfSameRecord {
        selection.inlined.append(below)
        continue
      }
      selection.links.append((plan.keys[slot], slot, below))
      for handle in plan.handles where handle.slot == slot {
        selection.links.append((handle.handle.key, slot, below))
      }
    }
    selections[number] = selection
    return number
  }

  // MARK: Slices

  /// Does some of what is left.
  ///
  /// - Parameter budget: About how many records to look at, beside what has come since the last slice.
  /// - Returns: Whether all is done.
  mutating func step(_ budget: Int, on source: inout LayeredSource) -> Bool {
    if source.recentTypes == nil { source.recentTypes = [] }
    var left = max(1, budget) + owed
    owed = 0
    while left > 0 {
      if let index = changed.popLast() {
        // What it links to now is done in this slice too.
        left += lookAgain(index, in: source)
      } else if let step = open.popLast() {
        left -= enter(step.index, step.selection, in: source)
      } else if openMore(in: source) {
        left -= Self.longList / 8
      } else if let some = fields.step(on: &source) {
        left -= some.count
        if let index = some.finished { noteLinks(of: index, in: source) }
      } else if let done = advance(left, on: &source) {
        left -= done
      } else {
        source.recentTypes = nil
        return true
      }
    }
    return false
  }

  /// Follows a changed record's links again.
  ///
  /// - Returns: How many of them were not followed before.
  private mutating func lookAgain(_ index: RecordIndex, in source: LayeredSource) -> Int {
    let (before, known) = (open.count, lists.count)
    for number in selections.indices where selections[number].entered.contains(index) {
      _ = follow(index, number, in: source)
    }
    while lists.count > known { _ = openMore(in: source) }
    return open.count - before
  }

  private mutating func enter(_ index: RecordIndex, _ number: Int, in source: LayeredSource)
    -> Int
  {
    mark(index, in: source)
    guard selections[number].entered.insert(index) else { return 1 }
    if let group = selections[number].fields { fields.select(group, of: index) }
    return 1 + follow(index, number, in: source)
  }

  /// Opens what a record's links in a selection lead to.
  private mutating func follow(_ index: RecordIndex, _ number: Int, in source: LayeredSource)
    -> Int
  {
    let before = open.count
    for inlined in selections[number].inlined { open.append((index, inlined)) }
    let isOverlaid = source.overlaid[index] != nil
    for position in selections[number].links.indices {
      let link = selections[number].links[position]
      openLinks(of: index, link.key, link.selection, in: source)
      if isOverlaid { open(source[index][link.key], link.selection, in: source) }
      if !source.missingFieldHandlers.isEmpty {
        open(
          handledValue(index, number, link.slot, link.key, in: source), link.selection,
          in: source)
      }
    }
    // To follow a link costs less than to look at a record.
    return (open.count - before) / 8
  }

  /// Opens what one field of a record in the base leads to.
  private mutating func openLinks(
    of index: RecordIndex, _ key: FieldKey, _ selection: Int, in source: LayeredSource
  ) {
    guard let record = source.base.unretained(index) else { return }
    if let fields = record._withUnsafeGuaranteedRef({ $0.fields }) {
      return open(fields[key]?.value, selection, in: source)
    }
    let found = record._withUnsafeGuaranteedRef { record in
      record.shape.position(of: key).map { (cell: record.cell(at: $0), record.extras) }
    }
    guard let found else { return }
    switch found.cell.kind {
    case .link: open(found.cell.link, selection, in: source)
    case .boxed: open(found.1?.boxedValues[found.cell.boxedIndex], selection, in: source)
    default: break
    }
  }

  private mutating func open(_ value: FieldValue?, _ selection: Int, in source: LayeredSource) {
    if case .links(let links) = value, links.count > Self.longList {
      lists.append((links, 0, selection))
    } else {
      value?.forEachLink { open($0, selection, in: source) }
    }
  }

  private mutating func open(_ index: RecordIndex, _ selection: Int, in source: LayeredSource) {
    if selections[selection].isLeaf {
      // Nothing is linked from there.
      mark(index, in: source)
      if let group = selections[selection].fields { fields.select(group, of: index) }
    } else if !selections[selection].entered.contains(index) {
      // One that was entered is looked at again by itself when it changes.
      open.append((index, selection))
    }
  }

  /// Goes through the next part of a long list.
  ///
  /// - Returns: Whether there was one.
  private mutating func openMore(in source: LayeredSource) -> Bool {
    guard var list = lists.popLast() else { return noteMore() }
    let end = min(list.links.count, list.next + Self.longList)
    for index in list.links[list.next..<end] where index != .none {
      if let selection = list.selection {
        open(index, selection, in: source)
      } else {
        linked.insert(index)
      }
    }
    list.next = end
    if end < list.links.count { lists.append(list) }
    return true
  }

  /// Notes the next links of a record with many fields.
  ///
  /// - Returns: Whether there was one.
  private mutating func noteMore() -> Bool {
    guard let tree = trees.popLast() else { return false }
    let fields = tree.fields.fields(from: tree.next, limit: Self.longList)
    for field in fields { note(field.value) }
    if fields.count == Self.longList, let last = fields.last {
      trees.append((tree.fields, FieldKey(rawValue: last.key.rawValue + 1)))
    }
    return true
  }

  private mutating func note(_ value: FieldValue) {
    if case .links(let links) = value, links.count > Self.longList {
      lists.append((links, 0, nil))
    } else {
      value.forEachLink { linked.insert($0) }
    }
  }

  /// What readers are told by handlers where a field is missing.
  private func handledValue(
    _ index: RecordIndex, _ number: Int, _ slot: Int, _ key: FieldKey, in source: LayeredSource
  ) -> FieldValue? {
    let plan = selections[number].plan
    guard source[index].state == .present, source[index][key] == nil,
      let field = plan.plan.slots[slot].field
    else { return nil }
    return source.handledValue(of: field, slot: slot, plan, of: index)
  }

  private mutating func mark(_ index: RecordIndex, in source: LayeredSource) {
    guard marked.insert(index) else { return }
    if case .mark = phase { return }
    noteLinks(of: index, in: source)
  }

  /// Notes that the numbers which a record links to must go on meaning what they mean.
  private mutating func noteLinks(of index: RecordIndex, in source: LayeredSource) {
    source.base.unretained(index)?._withUnsafeGuaranteedRef { record in
      if let fields = record.fields {
        if noted[index] == nil { noteLinks(of: index, fields) }
      } else {
        record.forEachLinkValue { note($0) }
      }
    }
  }

  /// Does more once all that is reachable is marked.
  ///
  /// - Returns: About how many records were looked at, at most the budget; `nil` where all is done.
  private mutating func advance(_ budget: Int, on source: inout LayeredSource) -> Int? {
    let count = source.base.numberCount
    switch phase {
    case .mark: phase.advance(to: .link(0))
    case .link(let first):
      let end = min(count, first + min(budget, count))
      // The root stays, marked or not.
      for position in first..<max(first, end)
      where position == 0 || marked.contains(RecordIndex(position)) {
        let index = RecordIndex(position)
        if fields.collect(index, on: &source) { noteLinks(of: index, in: source) }
      }
      phase.advance(to: end < count ? .link(end) : .sweep(0))
      return max(1, end - first)
    case .sweep(let first):
      let end = min(count, first + min(budget, count))
      for position in first..<max(first, end) { sweep(RecordIndex(position), &source) }
      phase.advance(to: end < count ? .sweep(end) : .types)
      return max(1, end - first)
    case .types:
      if let swept = types.step(min(budget, count), on: &source) {
        collected += swept.count { !$0 }
        kept += swept.count { $0 }
        return max(1, swept.count)
      }
      phase.advance(to: .drop(0))
    case .drop(let first):
      let end = min(count, first + min(budget, count))
      // A type may have been met again since its record was swept.
      for typeName in source.recentTypes ?? [] {
        if let index = source.index(of: .typeSchema(typeName.text)) { linked.insert(index) }
      }
      for index in (first..<max(first, end)).lazy.map({ RecordIndex($0) })
      where !marked.contains(index) && !linked.contains(index) {
        source.drop(index)
      }
      phase.advance(to: end < count ? .drop(end) : .settle(0))
      return max(1, end - first)
    case .settle(let first):
      let more = source.base.settle(from: first, 64)
      phase.advance(to: more.map { .settle($0) } ?? .shrinkBuckets)
      return 8
    // Each of these is work for a slice of its own.
    case .shrinkBuckets:
      source.base.shrinkBuckets()
      phase.advance(to: .shrinkNumbers)
      return budget
    case .shrinkNumbers:
      source.base.shrinkNumbers()
      return nil
    }
    return 1
  }

  private mutating func sweep(_ index: RecordIndex, _ source: inout LayeredSource) {
    let isKept = index.position == 0 || marked.contains(index)
    guard let record = source.base.unretained(index) else { return }
    if isKept {
      record._withUnsafeGuaranteedRef { types.keep($0) }
    } else if record._withUnsafeGuaranteedRef({ $0.isTypeSchema }) {
      return types.add(index)
    }
    switch source.sweep(index, isKept: isKept) {
    case true?: kept += 1
    case false?: collected += 1
    case nil: break
    }
  }

}
