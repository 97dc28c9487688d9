/// Makes rows from records.
///
/// Its recursion is as deep as the plan, whatever the records link to. Below a list an object is read twice at most, see
/// ``SharedRows``, and the elements of lists are counted, see ``ReadLimits``.
package struct RecordReader {
  let source: LayeredSource
  var result = RowSnapshot()
  var path: [ResponsePath.Component] = []
  /// The definition that is read.
  var definition: SelectionPlan
  /// The first error that leaves the definition without data.
  var failure: FieldError?
  /// Those of the missing fields that no `@catch` has seen.
  var uncaught: [ResponsePath] = []
  /// The hole that goes up from where the reader is: the first, or the first that is not for a record deleted on the
  /// client. What may be null ends it.
  var rising: RisingHole?
  var budget: ReadBudget
  /// Where the read was ended because there are too many rows; all that is left gives nothing.
  var stop: FieldError?
  var isStopped: Bool { stop != nil }
  /// Whether too many paths are an error of what is being read, and how many were left out in all.
  var isPathLimitNoted = false
  var skippedPaths = 0
  /// How many fields have caught errors.
  var caughtCount = 0
  /// The records that have changed since an old row was read; `nil` where none is known.
  let changed: RecordList?
  /// The records that optimistic updates have written.
  private let overlaid: RecordSet?
  /// What was looked at for the elements of the list being read, which is in no other; `nil` outside
  /// of lists.
  var seenInChunk: ContiguousArray<RecordIndex>?
  /// Whether that lacks records of shared rows.
  var hasUnseen = false
  var memo = RowMemo()
  var rows = SharedRows()
  /// How often a shared row is still read again for the paths of the errors that it has caught.
  var rereads = 256
  private var merging = RowMerging()
  /// The layouts in use.
  var layouts: ContiguousArray<KnownLayout> = []
  var fastPathLayouts = FastPathLayouts()

  private init(
    source: LayeredSource, definition: SelectionPlan, changed: RecordList?, budget: ReadBudget
  ) {
    self.source = source
    self.definition = definition
    self.changed = changed
    self.budget = budget
    overlaid = source.overlaid.isEmpty ? nil : RecordSet(source.overlaid.keys)
  }

  /// Reads a record as a plan says.
  ///
  /// - Parameters:
  ///   - old: What was read last of the same record and plan; what has not changed is taken from there.
  ///   - changed: The records that have changed since.
  /// - Complexity: O(*n*) in the values read.
  package static func read(
    _ index: RecordIndex, _ plan: BoundPlan, from source: LayeredSource,
    old: RowSnapshot? = nil, changed: RecordList? = nil
  ) -> RowSnapshot {
    var budget = ReadBudget(source.readLimits)
    return read(index, plan, from: source, old: old, changed: changed, within: &budget)
  }

  /// Reads a record as a plan says, with what others of the same read have left of its limits.
  package static func read(
    _ index: RecordIndex, _ plan: BoundPlan, from source: LayeredSource,
    old: RowSnapshot? = nil, changed: RecordList? = nil, within budget: inout ReadBudget
  ) -> RowSnapshot {
    var reader = RecordReader(
      source: source, definition: plan.plan, changed: changed, budget: budget)
    defer { budget = reader.budget }
    reader.result.isDeleted = source[index].state == .deleted
    if reader.result.isDeleted || !reader.canMatch(index, plan.plan) {
      reader.saw(index)
    } else {
      reader.result.row = reader.object(index, plan, old: old?.row)
      reader.result.cause = reader.cause()
      reader.finish()
    }
    return reader.result
  }

  /// Whether a record may be of the type that a definition selects from.
  private mutating func canMatch(_ index: RecordIndex, _ plan: SelectionPlan) -> Bool {
    // The root's record has a type of Relay's own.
    guard index.position != 0, let typeName = source[index].typeName else { return true }
    let (answer, schema) = source.satisfies(typeName, plan)
    if let schema { saw(schema) }
    return answer ?? true
  }

  mutating func saw(_ index: RecordIndex) {
    if seenInChunk != nil {
      seenInChunk?.append(index)
    } else {
      result.seen.insert(index)
    }
    noteOptimism(index)
  }

  /// Takes note of what was looked at for a chunk.
  mutating func saw(_ chunk: ListChunk, isNew: Bool) {
    result.seen.insert(chunk)
    if !isNew, overlaid != nil { for index in chunk.seen { noteOptimism(index) } }
  }

  private mutating func noteOptimism(_ index: RecordIndex) {
    if let overlaid, overlaid.contains(index) { result.isOptimistic = true }
  }

  // MARK: Objects

  /// The record's row; `nil` where a value that may not be null is, or the record is unknown.
  ///
  /// - Parameter old: The row that was there before.
  mutating func object(_ index: RecordIndex, _ plan: BoundPlan, old: RowStorage?) -> RowStorage? {
    object(source[index], index, plan, old: old)
  }

  /// The row of a record that was looked up.
  private mutating func object(
    _ record: Record, _ index: RecordIndex, _ plan: BoundPlan, old: RowStorage?
  ) -> RowStorage? {
    saw(index)
    guard record.state == .present else {
      miss(isAbsent: record.state == .unknown)
      rise()
      return nil
    }
    guard let layout = layout(of: record, plan) else {
      return shared(index, plan) { $0.full(record, index, plan, old: old) }
    }
    guard plan.plan.hasLists else { return placed(record, index, plan, layout, old: old) }
    return shared(index, plan) { $0.placed(record, index, plan, layout, old: old) }
  }

  /// A row that shares the scalars of its record, or one that holds all its values where they have to be looked at.
  private mutating func placed(
    _ record: Record, _ index: RecordIndex, _ plan: BoundPlan, _ layout: RowLayout,
    old: RowStorage?
  ) -> RowStorage? {
    if case .read(let row) = sharingScalars(record, index, plan, layout, old: old) { return row }
    if plan.plan.hasLists { return full(record, index, plan, old: old) }
    return shared(index, plan) { $0.full(record, index, plan, old: old) }
  }

  /// A row that holds all its values.
  private mutating func full(
    _ record: Record, _ index: RecordIndex, _ plan: BoundPlan, old: RowStorage?
  ) -> RowStorage? {
    // Lists and objects in an old row are looked for where this one has them.
    let old = old.flatMap { $0.binding === plan.binding ? $0 : nil }
    var slots: ContiguousArray<RowSlot> = []
    slots.reserveCapacity(plan.plan.slots.count)
    var isWhole = true
    for (position, slot) in plan.plan.slots.enumerated() {
      guard isPresent(slot, at: position, plan, slots) else {
        slots.append(.absent)
        continue
      }
      let value = value(of: slot, at: position, record, index, plan, old: old)
      if let action = slot.field?.required, value?.isNil ?? true {
        require(slot, action)
        return nil
      }
      if value == nil { isWhole = false }
      slots.append(value ?? RowSlot(.null))
    }
    guard isWhole else { return nil }
    plan.plan.share(plan.plan.slotGroups.conditional, in: &slots, &merging)
    return RowStorage(plan.fullLayout, record: record, slots: slots)
  }

  /// What stands in a slot; `nil` where it may not be null and is.
  private mutating func value(
    of slot: PlanSlot, at position: Int, _ record: Record, _ index: RecordIndex,
    _ plan: BoundPlan, old: RowStorage?
  ) -> RowSlot? {
    switch slot.content {
    case .spread:
      guard let inlined = plan.children[position] else { return .matches }
      return self.inlined(index, inlined, old: old?.slot(at: position).row)
    case .condition(let condition):
      return satisfies(record, condition, plan, position) ? .matches : .absent
    case .field(let field) where field.isRecordID:
      return source.id(of: index).map { RowSlot(.string($0.rawValue)) }
    case .field(let field):
      return self.field(field, position, of: record, index, plan, old: old)
    }
  }

  /// The row of an `@inline` fragment, which has errors of its own.
  mutating func inlined(
    _ index: RecordIndex, _ plan: BoundPlan, old: RowStorage?
  ) -> RowSlot? {
    let (outer, known) = (definition, uncaught.count)
    definition = plan.plan
    let row = object(index, plan, old: old)
    if definition.handling == .throw, failure == nil, uncaught.count > known {
      failure = missingError(uncaught[known])
    }
    definition = outer
    return row.map { RowSlot(.row($0)) }
  }

  private func isPresent(
    _ slot: PlanSlot, at position: Int, _ plan: BoundPlan, _ slots: ContiguousArray<RowSlot>
  ) -> Bool {
    guard plan.isIncluded[position] else { return false }
    guard let enclosing = slot.enclosing else { return true }
    return slots[enclosing].isReference
  }

  /// Whether the record's type is, or implements, that of a condition.
  private mutating func satisfies(
    _ record: Record, _ condition: TypeCondition, _ plan: BoundPlan, _ slot: Int
  ) -> Bool {
    // Where the plan knows the type it is right: the root's record has a type of Relay's own.
    guard let typeName = plan.plan.isAbstract ? record.typeName : plan.plan.typeName else {
      miss(isAbsent: true)
      return false
    }
    if !condition.isAbstract { return typeName == condition.typeName }
    let (answer, schema) = source.satisfies(
      typeName, condition.typeName, discriminator: plan.keys[slot], types: plan.plan.types)
    if let schema { saw(schema) }
    if let answer { return answer }
    miss(isAbsent: true)
    return false
  }

  // MARK: Fields

  /// The value of a field; `nil` where it may not be null and is.
  private mutating func field(
    _ field: PlanField, _ slot: Int, of record: Record, _ index: RecordIndex, _ plan: BoundPlan,
    old: RowStorage?
  ) -> RowSlot? {
    if field.isTypename { return typename(of: record, plan) }
    path.append(.field(field.responseKey))
    defer { path.removeLast() }
    guard let target = field.catches else {
      return stored(field, slot, of: record, index, plan, old: old)
    }
    return caught(target) { $0.stored(field, slot, of: record, index, plan, old: old) }
  }

  private mutating func stored(
    _ field: PlanField, _ slot: Int, of record: Record, _ index: RecordIndex, _ plan: BoundPlan,
    old: RowStorage?
  ) -> RowSlot? {
    if field.derived != nil { return derived(field, slot, of: record, index, plan) }
    let key = plan.keys[slot]
    for error in record.errors(of: key) {
      report(.server, error.message, below: error.path.components)
    }
    guard
      let value = record[key] ?? source.handledValue(of: field, slot: slot, plan, of: index)
    else { return absent(field) }
    let oldPart = old.map { OldPart($0.slot(at: slot), of: $0.record, key) }
    return self.value(value, field, level: 0, child: plan.children[slot], old: oldPart)
  }

  /// A field that no response and no updater has written. What only the client knows is null until then.
  private mutating func absent(_ field: PlanField) -> RowSlot? {
    if field.isClient, field.type.isNullable[0] { return RowSlot(.null) }
    return hole(isNullable: field.type.isNullable[0], isAbsent: !field.isClient)
  }

  private mutating func typename(of record: Record, _ plan: BoundPlan) -> RowSlot? {
    if !plan.plan.isAbstract { return RowSlot(.string(plan.plan.typeName)) }
    if let typeName = record.typeName { return RowSlot(.string(typeName)) }
    path.append(.field("__typename"))
    defer { path.removeLast() }
    return hole(isNullable: false, isAbsent: true)
  }

  mutating func value(
    _ value: FieldValue, _ field: PlanField, level: Int, child: BoundPlan?, old: OldPart?
  ) -> RowSlot? {
    if level < field.type.listDepth {
      return list(value, field, level: level, child: child, old: old)
    }
    let isNullable = field.type.isNullable[level]
    switch (field.type.leaf, value) {
    case (_, .null): return null(field, level: level)
    case (.object, .link(let index)):
      return linked(index, child, isNullable: isNullable, old: old?.slot.row)
    case (.string, .string), (.id, .string), (.enumeration, .string), (.boolean, .bool),
      (.int, .int), (.float, .int):
      return RowSlot(scalar: value)
    case (.custom(let name), _): return custom(value, name, field, level: level)
    case (.int, .number(let number)) where number.int != nil: return RowSlot(scalar: value)
    case (.float, .number(let number)) where number.double != nil: return RowSlot(scalar: value)
    case (.id, .int(let int)): return RowSlot(.string(String(int)))
    case (.id, .number(let number)): return RowSlot(.string(number.digits))
    default: return mismatch(value, field, level: level)
    }
  }

  /// A linked object; `nil` where it may not be null and is.
  mutating func linked(
    _ index: RecordIndex, _ plan: BoundPlan?, isNullable: Bool, old: RowStorage?
  ) -> RowSlot? {
    guard let plan else { return hole(isNullable: isNullable) }
    let record = source[index]
    if record.state == .deleted { return deleted(index, isNullable: isNullable) }
    let outer = rising
    if let row = object(record, index, plan, old: old) { return RowSlot(.row(row)) }
    guard isNullable else { return nil }
    rising = outer
    return RowSlot(.null)
  }

  /// A value that is not of the field's type.
  mutating func mismatch(_ value: FieldValue, _ field: PlanField, level: Int) -> RowSlot? {
    report(
      .type,
      "Field \"\(field.name)\" is \(field.typeText), and the store has \(value.kind) for it.")
    return hole(isNullable: field.type.isNullable[level])
  }

  /// A custom scalar, converted where it has a Swift type.
  private mutating func custom(
    _ value: FieldValue, _ name: String, _ field: PlanField, level: Int
  ) -> RowSlot? {
    guard let json = value.json else { return mismatch(value, field, level: level) }
    guard let type = field.scalar else { return RowSlot(scalar: value) }
    do {
      return RowSlot(converted: try type.init(json: json))
    } catch {
      let message = "The value of scalar \"\(name)\" does not convert to \(type): \(error.text)"
      report(.scalar, message, underlying: error)
      return hole(isNullable: field.type.isNullable[level])
    }
  }
}
