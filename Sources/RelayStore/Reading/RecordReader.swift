/// A reader of a selection's data from records: it reads one row (``RowBox``) for each object.
/// Relay's equivalent is RelayReader.
///
/// The recursion is as deep as the plan, regardless of the records' links. Below a list an object
/// is read at most twice (see ``ObjectMemo``), and the number of list elements is limited (see
/// ``ReadLimits``).
///
/// A scalar passes through ``fullRow(of:at:plan:old:)`` (with `@required`), `value(of:)`, `field`
/// (with `@catch`), `shownValue`, `storedValue` and `value(_:of:level:)`.
///
/// A store uses one reader for all its reads. Only caches survive from one read to the next;
/// everything else is the state of one read.
package struct RecordReader {
  /// The records, moved here from the store for the duration of a read. A copy would retain each of
  /// the source's many components.
  var source = LayeredSource.blank
  var fastPath = FastPath()
  /// The number of the published version that is read; `nil` for records that may be written.
  var version: UInt64?
  /// The records seen by a read on the fast path; empty between two reads.
  var fastPathSeen: ContiguousArray<RecordIndex> = []
  /// Whether an observer will depend on the result. Such a read starts the runs of live fields.
  var isForObserver = false
  /// The live fields that an observer would depend on if they had an index.
  var unindexed: [(field: LiveDerivations.Field, owner: String)] = []
  /// The ids of records that an observer would depend on if they had an index.
  var unknownIDs: [DataID] = []
  /// The last bindings, so that a read does not take the lock of the bindings. Each is at a position
  /// that its plan's address determines.
  var recentPlans: ContiguousArray<(scope: VariableScope, plan: BoundPlan)?> = []
  /// The state of the current read, replaced after it.
  var pass = Pass()
  var isStopped: Bool { pass.stop != nil }

  struct Pass {
    var result = RowSnapshot()
    /// The details of the result.
    var details = RowSnapshot.Details()
    var path: [ResponsePath.Component] = []
    /// The definition being read.
    var definition = RecordReader.idle
    /// The first error that leaves the definition without data.
    var failure: FieldError?
    /// The missing fields not caught by a `@catch`.
    var uncaught: [ResponsePath] = []
    /// The null that is propagating to the nearest nullable position: the first null with the
    /// greatest ``PropagatingNull/Reason``.
    var propagatingNull: PropagatingNull?
    var budget = ReadBudget(ReadLimits())
    /// The error of a read that exceeded the row limit. Once it is set, every value reads as `nil`.
    var stop: FieldError?
    /// The current number of fields that are not in the store.
    var holeCount = 0
    /// The number of those fields whose null has not yet ended at a nullable position or at a row
    /// of the previous snapshot that is shown instead.
    var openHoles = 0
    /// The state before the value just read, if that value is null because of a hole inside it.
    var closedHole: Mark?
    /// The rows that the observer has shown last; `nil` for a read without an observer.
    var history: RowHistory?
    /// Whether the path limit was reported for the definition being read.
    var didReportPathLimit = false
    /// The errors of values for which previous ones are shown, each with its position among
    /// ``RowSnapshot/Details/errors``.
    var keptErrors: [(position: Int, errors: [FieldError])] = []
    /// The number of paths omitted in the entire read.
    var skippedPaths = 0
    /// The number of fields whose errors were caught.
    var caughtCount = 0
    /// The records that have changed since the old row was read; `nil` if unknown.
    var changed: RecordList?
    /// The records that optimistic updates have written.
    var overlaidRecords: RecordSet?
    /// The records that only the elements of the current chunk depend on; `nil` outside lists.
    var seenInChunk: ContiguousArray<RecordIndex>?
    /// Whether ``seenInChunk`` is incomplete because a memoized object depends on more records than
    /// are copied.
    var hasUnseen = false
    var objectMemo = ObjectMemo()
    /// The remaining number of objects to read again instead of memoizing, so that their caught
    /// errors have the paths of each position. Afterwards the errors have the paths of an earlier
    /// position. The limit bounds the work for objects with many incoming links.
    var rereads = RecordReader.rereadLimit
    var merging = RowMerging()
  }

  fileprivate static let rereadLimit = 256
  /// The definition of a reader before its first read.
  fileprivate static let idle = SelectionPlan("Idle{id ID}")

  package init() {}

  /// Reads a record with a plan. The source is moved into the reader and back, unchanged.
  ///
  /// - Parameters:
  ///   - old: The previous row of the same record and plan; its unchanged objects and lists are
  ///     shared.
  ///   - changed: The records that have changed since `old` was read.
  ///   - previous: The observer's previous snapshot. Its rows replace rows with holes.
  ///   - budget: The remaining budget of a larger read.
  /// - Complexity: O(*n*) in the values read.
  mutating func read(
    _ created: RecordIndex, _ plan: BoundPlan, from source: inout LayeredSource,
    old: RowBox? = nil, changed: RecordList? = nil, keeping previous: RowSnapshot? = nil,
    within budget: inout ReadBudget
  ) -> RowSnapshot {
    let index = source.resolved(created)
    fastPath.startRead()
    let (isMatch, schema) = canMatch(index, plan, in: &source)
    if old == nil, isMatch, index == created,
      let snapshot = fastPathSnapshot(index, plan, from: &source, schema: schema)
    {
      return snapshot
    }
    swap(&source, &self.source)
    if index != created { markSeen(created) }
    pass.definition = plan.plan
    pass.changed = changed
    pass.budget = budget
    pass.history = previous.map(RowHistory.init)
    if !self.source.overlay.isEmpty { pass.overlaidRecords = RecordSet(self.source.overlay.keys) }
    if let schema { markSeen(schema) }
    pass.result.isDeleted = self.source[index].state == .deleted
    if isMatch, !pass.result.isDeleted {
      let mark = mark
      let row = object(at: index, plan: plan, old: old)
      pass.result.row = shownRow(row, at: index, plan: plan, since: mark)
      pass.details.cause = cause()
      finish()
    } else {
      // A record of another type has no data for this definition, and no error.
      markSeen(index)
    }
    if !pass.details.isEmpty { pass.result.details = pass.details }
    budget = pass.budget
    // Moved out because a copy would retain each of its components.
    var result = RowSnapshot()
    swap(&result, &pass.result)
    var next = Pass()
    // Empty after a read; its capacity is reused.
    swap(&next.path, &pass.path)
    (pass, fastPath.memo) = (next, RowMemo())
    swap(&source, &self.source)
    return result
  }

  /// Adds a record to the records that the result depends on.
  mutating func markSeen(_ index: RecordIndex) {
    if pass.seenInChunk != nil {
      pass.seenInChunk?.append(index)
    } else {
      pass.result.seen.insert(index)
    }
    markOptimistic(ifOverlaid: index)
  }

  /// Adds the records of a chunk to the records that the result depends on.
  ///
  /// - Parameter isNew: Whether the chunk was just read, so its overlaid records are already
  ///   marked.
  mutating func markSeen(_ chunk: ListChunk, isNew: Bool) {
    pass.result.seen.insert(chunk)
    if !isNew, pass.overlaidRecords != nil {
      for index in chunk.seen { markOptimistic(ifOverlaid: index) }
    }
  }

  /// Marks the result as optimistic if an optimistic update has written the record.
  private mutating func markOptimistic(ifOverlaid index: RecordIndex) {
    if let overlaid = pass.overlaidRecords, overlaid.contains(index) {
      pass.result.isOptimistic = true
    }
  }

  // MARK: Objects

  /// Reads the record's row.
  ///
  /// - Parameter old: The previous row of the same record and plan; its unchanged objects and lists
  ///   are shared.
  /// - Returns: `nil` if a non-null value is null, or the record is not present.
  mutating func object(at index: RecordIndex, plan: BoundPlan, old: RowBox?) -> RowBox? {
    object(source[index], at: index, plan: plan, old: old)
  }

  /// Reads the row of a record that was already looked up in the source.
  private mutating func object(
    _ record: Record, at index: RecordIndex, plan: BoundPlan, old: RowBox?
  ) -> RowBox? {
    markSeen(index)
    guard record.state == .present else {
      let hole = record.state == .unknown ? Hole(record: index, field: nil) : nil
      reportMissing(hole)
      propagateNull(hole == nil ? .null : .absence)
      return nil
    }
    guard let layout = layout(of: record, plan: plan) else {
      return memoized(index, plan: plan) { $0.fullRow(of: record, at: index, plan: plan, old: old) }
    }
    guard plan.plan.hasLists else {
      return recordBackedOrFullRow(of: record, at: index, plan: plan, layout: layout, old: old)
    }
    return memoized(index, plan: plan) {
      $0.recordBackedOrFullRow(of: record, at: index, plan: plan, layout: layout, old: old)
    }
  }

  /// Returns a record-backed row, or a full row if scalars need conversion or checks.
  private mutating func recordBackedOrFullRow(
    of record: Record, at index: RecordIndex, plan: BoundPlan, layout: RowLayout,
    old: RowBox?
  ) -> RowBox? {
    let result = recordBackedRow(of: record, at: index, plan: plan, layout: layout, old: old)
    if case .read(let row) = result { return row }
    if plan.plan.hasLists { return fullRow(of: record, at: index, plan: plan, old: old) }
    return memoized(index, plan: plan) { $0.fullRow(of: record, at: index, plan: plan, old: old) }
  }

  /// Returns a full row, which stores all its values itself.
  private mutating func fullRow(
    of record: Record, at index: RecordIndex, plan: BoundPlan, old: RowBox?
  ) -> RowBox? {
    // Only a row of the same binding has its lists and objects in the same slots.
    let old = old.flatMap { $0.binding === plan.binding ? $0 : nil }
    var slots: ContiguousArray<RowSlot> = []
    slots.reserveCapacity(plan.plan.slots.count)
    var isWhole = true
    for (position, slot) in plan.plan.slots.enumerated() {
      guard isPresent(slot, at: position, plan: plan, slots: slots) else {
        slots.append(.absent)
        continue
      }
      let holes = pass.holeCount
      let value = value(
        of: slot, at: position, in: record, index: index, plan: plan, old: old)
      if let action = slot.field?.required, value?.isNil ?? true {
        // A null `@required` field ends the row. After any other null in a non-null position, the
        // row continues so that all errors are collected.
        require(slot, action: action, isAbsent: pass.holeCount > holes)
        return nil
      }
      if value == nil { isWhole = false }
      slots.append(value ?? RowSlot(.null))
    }
    guard isWhole else { return nil }
    plan.plan.mergeGroups(plan.plan.slotGroups.conditional, in: &slots, merging: &pass.merging)
    return RowBox(plan.fullLayout, record: record, slots: slots)
  }

  /// Reads the value of a slot; returns `nil` if it is null although its type is non-null.
  private mutating func value(
    of slot: PlanSlot, at position: Int, in record: Record, index: RecordIndex,
    plan: BoundPlan, old: RowBox?
  ) -> RowSlot? {
    switch slot.content {
    case .spread:
      guard let inlined = plan.children[position] else { return .matches }
      return self.inlined(at: index, plan: inlined, old: old?.slot(at: position).row)
    case .condition(let condition):
      return satisfies(condition, record: record, at: index, plan: plan, slot: position)
        ? .matches : .absent
    case .field(let field) where field.isRecordID:
      return source.id(of: index).map { RowSlot(.string($0.rawValue)) }
    case .field(let field):
      return self.field(
        field, slot: position, of: record, at: index, plan: plan, old: old)
    }
  }

  /// Reads the row of an `@inline` fragment. The fragment's own error handling applies.
  mutating func inlined(
    at index: RecordIndex, plan: BoundPlan, old: RowBox?
  ) -> RowSlot? {
    let (outer, uncaughtCount) = (pass.definition, pass.uncaught.count)
    pass.definition = plan.plan
    let row = object(at: index, plan: plan, old: old)
    if pass.definition.handling == .throw, pass.failure == nil, pass.uncaught.count > uncaughtCount
    {
      pass.failure = missingError(pass.uncaught[uncaughtCount])
    }
    pass.definition = outer
    return row.map { RowSlot(.row($0)) }
  }

  /// Returns whether a slot is included and its enclosing condition holds. The slot of a condition
  /// that holds is a self reference.
  private func isPresent(
    _ slot: PlanSlot, at position: Int, plan: BoundPlan, slots: ContiguousArray<RowSlot>
  ) -> Bool {
    guard plan.isIncluded[position] else { return false }
    guard let enclosing = slot.enclosing else { return true }
    return slots[enclosing].isSelfReference
  }

  // MARK: Fields

  /// Reads the value of a field; returns `nil` if it is null although its type is non-null.
  private mutating func field(
    _ field: PlanField, slot: Int, of record: Record, at index: RecordIndex, plan: BoundPlan,
    old: RowBox?
  ) -> RowSlot? {
    if field.isTypename { return typename(of: record, at: index, plan: plan) }
    pass.path.append(.field(field.responseKey))
    defer { pass.path.removeLast() }
    guard let target = field.catches else {
      return shownValue(of: field, slot: slot, in: record, at: index, plan: plan, old: old)
    }
    return caught(target) {
      $0.shownValue(of: field, slot: slot, in: record, at: index, plan: plan, old: old)
    }
  }

  /// Reads the value of a field, or uses the previous value if it is null because of a hole.
  private mutating func shownValue(
    of field: PlanField, slot: Int, in record: Record, at index: RecordIndex, plan: BoundPlan,
    old: RowBox?
  ) -> RowSlot? {
    let value = storedValue(of: field, slot: slot, in: record, at: index, plan: plan, old: old)
    return shownValue(value, in: slot, at: index, plan: plan)
  }

  /// Reads the stored value of a field, or the value supplied by a missing field handler, and
  /// reports the field's errors.
  private mutating func storedValue(
    of field: PlanField, slot: Int, in record: Record, at index: RecordIndex, plan: BoundPlan,
    old: RowBox?
  ) -> RowSlot? {
    if field.derived != nil {
      return derived(field, slot: slot, of: record, at: index, plan: plan)
    }
    let key = plan.keys[slot]
    for error in record.errors(of: key) {
      report(.server, message: error.message, below: error.path.components)
    }
    guard let value = record[key] ?? handledValue(of: field, slot: slot, plan: plan, at: index)
    else { return absent(field, Hole(record: index, field: key)) }
    // `fullRow` has checked that the previous row has the same slots.
    let oldValue = old.map { OldValue($0.slot(at: slot), of: $0.record, key: key) }
    return self.value(value, of: field, level: 0, child: plan.children[slot], old: oldValue)
  }

  /// Returns the value of a field that is not in the store: null for a nullable client field,
  /// otherwise a missing value.
  private mutating func absent(_ field: PlanField, _ hole: Hole) -> RowSlot? {
    if field.isClient, field.type.isNullable[0] { return RowSlot(.null) }
    return missingValue(isNullable: field.type.isNullable[0], hole: field.isClient ? nil : hole)
  }

  mutating func value(
    _ value: FieldValue, of field: PlanField, level: Int, child: BoundPlan?, old: OldValue?
  ) -> RowSlot? {
    if level < field.type.listDepth {
      return list(value, of: field, level: level, child: child, old: old)
    }
    let isNullable = field.type.isNullable[level]
    switch (field.type.namedType, value) {
    case (_, .null): return null(of: field, level: level)
    case (.object, .link(let index)):
      return linked(at: index, plan: child, isNullable: isNullable, old: old?.slot.row)
    case (.string, .string), (.id, .string), (.enumeration, .string), (.boolean, .bool),
      (.int, .int), (.float, .int):
      return RowSlot(scalar: value)
    case (.custom(let name), _):
      return customScalar(value, named: name, of: field, level: level)
    case (.int, .number(let number)) where number.int != nil: return RowSlot(scalar: value)
    case (.float, .number(let number)) where number.double != nil: return RowSlot(scalar: value)
    case (.id, .int(let int)): return RowSlot(.string(String(int)))
    case (.id, .number(let number)): return RowSlot(.string(number.digits))
    default: return mismatch(value, of: field, level: level)
    }
  }

  /// Reads a linked object; returns `nil` if it is null although its type is non-null.
  mutating func linked(
    at index: RecordIndex, plan: BoundPlan?, isNullable: Bool, old: RowBox?
  ) -> RowSlot? {
    guard let plan else { return missingValue(isNullable: isNullable) }
    let record = source[index]
    if record.state != .present {
      if record.state == .deleted { return deleted(index, isNullable: isNullable) }
      let resolved = source.resolved(index)
      if resolved != index {
        markSeen(index)
        return linked(at: resolved, plan: plan, isNullable: isNullable, old: old)
      }
    }
    let (mark, outerNull) = (mark, pass.propagatingNull)
    pass.propagatingNull = nil
    let read = object(record, at: index, plan: plan, old: old)
    let row = shownRow(read, at: index, plan: plan, since: mark)
    let innerNull = pass.propagatingNull
    pass.propagatingNull = outerNull
    if let row { return RowSlot(.row(row)) }
    if isNullable { return close(innerNull, since: mark) }
    if let innerNull { propagateNull(innerNull) }
    return nil
  }
}
