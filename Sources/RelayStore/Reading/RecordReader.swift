/// Makes rows from records.
///
/// Its recursion is as deep as the plan, whatever the records link to.
package struct RecordReader {
  let source: LayeredSource
  var result = RowSnapshot()
  var path: [ResponsePath.Component] = []
  /// The definition that is read.
  private var definition: Plan
  /// The first error that leaves the definition without data.
  var failure: FieldError?
  /// Those of the missing fields that no `@catch` has seen.
  var uncaught: [ResponsePath] = []
  /// The hole that goes up from where the reader is: the first, or the first that is not for a record deleted on the
  /// client. What may be null ends it.
  var rising: RisingHole?
  /// The records that have changed since an old row was read; `nil` where none is known.
  let changed: RecordList?
  /// The records that optimistic updates have written.
  private let overlaid: RecordSet?
  /// What was looked at for the elements of the list being read, which is in no other; `nil` outside
  /// of lists.
  var seenInChunk: ContiguousArray<RecordIndex>?
  var memo = RowMemo()
  /// The layouts in use.
  var layouts: ContiguousArray<KnownLayout> = []
  var plainLayouts = PlainLayouts()

  private init(source: LayeredSource, definition: Plan, changed: RecordList?) {
    self.source = source
    self.definition = definition
    self.changed = changed
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
    var reader = RecordReader(source: source, definition: plan.plan, changed: changed)
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
  private mutating func canMatch(_ index: RecordIndex, _ plan: Plan) -> Bool {
    // The root's record has a type of Relay's own.
    guard index.position != 0, let typeName = source[index].typeName else { return true }
    let (answer, schema) = source.satisfies(typeName, plan)
    if let schema { saw(schema) }
    return answer ?? true
  }

  /// Does what the definition says of errors in it.
  private mutating func finish() {
    switch definition.handling {
    case .throw where failure == nil: failure = uncaught.first.map(missingError)
    case .null, .result:
      let isWhole = result.errors.isEmpty && uncaught.isEmpty
      if !isWhole { result.row = nil }
      result.cause = cause()
      if definition.handling == .null { result.errors = [] }
      failure = nil
    case .throw, nil: break
    }
    result.failure = failure
    if failure != nil { result.row = nil }
  }

  /// Why there is no row; `nil` where there is one.
  private func cause() -> FieldError? {
    if result.row != nil { return nil }
    if let path = rising?.path {
      return result.errors.first { $0.path == path } ?? missingError(path)
    }
    return result.errors.first ?? uncaught.first.map(missingError)
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

  /// How much is missing and wrong so far.
  var problemCount: Int { result.missing.count + result.errors.count + (failure == nil ? 0 : 1) }

  // MARK: Errors

  ///
  /// - Parameter isAbsent: Whether a server may have it: it is not in the store, neither null nor deleted.
  mutating func miss(isAbsent: Bool) {
    let path = ResponsePath(path)
    if isAbsent { result.lacksData = true }
    // Several type conditions of one object may not be known to hold.
    if result.missing.last != path { result.missing.append(path) }
    if uncaught.last != path { uncaught.append(path) }
  }

  private func missingError(_ path: ResponsePath) -> FieldError {
    FieldError(missing: path, owner: definition.owner)
  }

  mutating func report(
    _ kind: FieldError.Kind, _ message: String, at path: ResponsePath,
    underlying: (any Error)? = nil
  ) {
    let error = FieldError(
      kind: kind, message: message, path: path, owner: definition.owner, underlying: underlying)
    result.errors.append(error)
    if definition.handling == .throw, failure == nil { failure = error }
  }

  /// Does what `@required` says of a field that is null.
  private mutating func require(_ slot: PlanSlot, _ action: RequiredAction) {
    guard let key = slot.field?.responseKey else { return }
    path.append(.field(key))
    defer { path.removeLast() }
    rise()
    if action == .none { return }
    let error = FieldError(
      kind: .required, message: "Field \"\(key)\" is @required and null.",
      path: ResponsePath(path), owner: definition.owner)
    result.errors.append(error)
    if action == .throw, failure == nil { failure = error }
  }

  /// Reads something whose errors stay inside.
  private mutating func caught(
    _ target: CatchTarget, _ read: (inout RecordReader) -> Slot?
  ) -> Slot {
    let outer = (errors: result.errors, failure: failure, uncaught: uncaught, rising: rising)
    (result.errors, failure, uncaught) = ([], nil, [])
    let value = read(&self)
    var problems = FieldErrors(result.errors, missing: uncaught.map(missingError))
    (result.errors, failure, uncaught, rising) = outer
    if problems.isEmpty {
      if let value { return value }
      problems = [missingError(ResponsePath(path))]
    }
    return target == .null ? Slot(.null) : Slot(.failure(problems))
  }

  // MARK: Objects

  /// The record's row; `nil` where a value that may not be null is, or the record is unknown.
  ///
  /// - Parameter old: The row that was there before.
  mutating func object(_ index: RecordIndex, _ plan: BoundPlan, old: RowStorage?) -> RowStorage? {
    saw(index)
    let record = source[index]
    guard record.state == .present else {
      miss(isAbsent: record.state == .unknown)
      rise()
      return nil
    }
    if let layout = layout(of: record, plan),
      case .read(let row) = shared(record, index, plan, layout, old: old)
    {
      return row
    }
    return full(record, index, plan, old: old)
  }

  /// A row that holds all its values.
  private mutating func full(
    _ record: Record, _ index: RecordIndex, _ plan: BoundPlan, old: RowStorage?
  ) -> RowStorage? {
    // Lists and objects in an old row are looked for where this one has them.
    let old = old.flatMap { $0.binding === plan.binding ? $0 : nil }
    var slots: ContiguousArray<Slot> = []
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
      slots.append(value ?? Slot(.null))
    }
    guard isWhole else { return nil }
    plan.plan.share(plan.plan.slotGroups.conditional, in: &slots)
    return RowStorage(plan.fullLayout, record: record, slots: slots)
  }

  /// What stands in a slot; `nil` where it may not be null and is.
  private mutating func value(
    of slot: PlanSlot, at position: Int, _ record: Record, _ index: RecordIndex,
    _ plan: BoundPlan, old: RowStorage?
  ) -> Slot? {
    switch slot.content {
    case .spread:
      guard let inlined = plan.children[position] else { return .matches }
      return self.inlined(index, inlined, old: old?.slot(at: position).row)
    case .condition(let condition):
      return satisfies(record, condition, plan, position) ? .matches : .absent
    case .field(let field) where field.isRecordID:
      return source.id(of: index).map { Slot(.string($0.rawValue)) }
    case .field(let field):
      return self.field(field, position, of: record, index, plan, old: old)
    }
  }

  /// The row of an `@inline` fragment, which has errors of its own.
  mutating func inlined(
    _ index: RecordIndex, _ plan: BoundPlan, old: RowStorage?
  ) -> Slot? {
    let (outer, known) = (definition, uncaught.count)
    definition = plan.plan
    let row = object(index, plan, old: old)
    if definition.handling == .throw, failure == nil, uncaught.count > known {
      failure = missingError(uncaught[known])
    }
    definition = outer
    return row.map { Slot(.row($0)) }
  }

  private func isPresent(
    _ slot: PlanSlot, at position: Int, _ plan: BoundPlan, _ slots: ContiguousArray<Slot>
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
  ) -> Slot? {
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
  ) -> Slot? {
    if field.derived != nil { return derived(field, slot, of: record, index, plan) }
    let key = plan.keys[slot]
    for error in record.errors(of: key) {
      let place = ResponsePath(path + error.path.components)
      report(.server, error.message, at: place)
    }
    guard
      let value = record[key] ?? source.handledValue(of: field, slot: slot, plan, of: index)
    else { return absent(field) }
    let oldPart = old.map { OldPart($0.slot(at: slot), of: $0.record, key) }
    return self.value(value, field, level: 0, child: plan.children[slot], old: oldPart)
  }

  /// A field that no response and no updater has written. What only the client knows is null until then.
  private mutating func absent(_ field: PlanField) -> Slot? {
    if field.isClient, field.type.isNullable[0] { return Slot(.null) }
    return hole(isNullable: field.type.isNullable[0], isAbsent: !field.isClient)
  }

  private mutating func typename(of record: Record, _ plan: BoundPlan) -> Slot? {
    if !plan.plan.isAbstract { return Slot(.string(plan.plan.typeName)) }
    if let typeName = record.typeName { return Slot(.string(typeName)) }
    path.append(.field("__typename"))
    defer { path.removeLast() }
    return hole(isNullable: false, isAbsent: true)
  }

  mutating func value(
    _ value: FieldValue, _ field: PlanField, level: Int, child: BoundPlan?, old: OldPart?
  ) -> Slot? {
    if level < field.type.listDepth {
      return list(value, field, level: level, child: child, old: old)
    }
    let isNullable = field.type.isNullable[level]
    switch (field.type.leaf, value) {
    case (_, .null): return null(field, level: level)
    case (.object, .link(let index)):
      guard let child else { return hole(isNullable: isNullable) }
      if source[index].state == .deleted { return deleted(index, isNullable: isNullable) }
      let outer = rising
      if let row = object(index, child, old: old?.slot.row) { return Slot(.row(row)) }
      guard isNullable else { return nil }
      rising = outer
      return Slot(.null)
    case (.string, .string), (.id, .string), (.enumeration, .string), (.boolean, .bool),
      (.int, .int), (.float, .int):
      return Slot(scalar: value)
    case (.custom(let name), _):
      return custom(value, name, field.scalar, isNullable: isNullable)
    case (.int, .number(let number)) where number.int != nil: return Slot(scalar: value)
    case (.float, .number(let number)) where number.double != nil: return Slot(scalar: value)
    case (.id, .int(let int)): return Slot(.string(String(int)))
    case (.id, .number(let number)): return Slot(.string(number.digits))
    default: return hole(isNullable: isNullable)
    }
  }

  /// A custom scalar, converted where it has a Swift type.
  private mutating func custom(
    _ value: FieldValue, _ name: String, _ type: (any CustomScalar.Type)?, isNullable: Bool
  ) -> Slot? {
    guard let json = value.json else { return hole(isNullable: isNullable) }
    guard let type else { return Slot(scalar: value) }
    do {
      return try type.init(json: json).__slot
    } catch {
      let message = "The value of scalar \"\(name)\" does not convert to \(type): \(error.text)"
      report(.scalar, message, at: ResponsePath(path), underlying: error)
      return hole(isNullable: isNullable)
    }
  }
}
