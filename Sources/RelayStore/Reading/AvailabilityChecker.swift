/// A check of whether the store has all the data of an operation, without reading it.
///
/// Source of the rules: relay-runtime, DataChecker.
package struct AvailabilityChecker {
  /// The result of a check.
  package struct Result {
    /// The latest epoch in which a record that the operation reaches was invalidated.
    var invalidatedAt: UInt64?
    package var isMissing = false
    /// The missing data, if the caller asked for it.
    package var missing: [MissingData] = []
    /// The values supplied by missing field handlers.
    package var handled: [(index: RecordIndex, key: FieldKey, value: FieldValue)] = []
  }

  private let source: LayeredSource
  /// The maximum number of elements in ``Result/missing``.
  private let limit: Int
  private var result = Result()
  private var visited: Set<Step> = []
  private var worklist: [Step] = []
  /// The path of each element of the worklist; empty if the limit is zero.
  private var paths: [[ResponsePath.Component]] = []
  /// The path of the record being visited.
  private var path: [ResponsePath.Component] = []

  private struct Step: Hashable {
    let index: RecordIndex
    let plan: BoundPlan

    static func == (left: Step, right: Step) -> Bool {
      left.index == right.index && left.plan === right.plan
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(index)
      hasher.combine(ObjectIdentifier(plan))
    }
  }

  /// Checks the data that a plan reaches from a record. A deleted record has no missing data.
  ///
  /// - Parameter limit: The maximum number of elements in ``Result/missing``.
  /// - Complexity: O(*n*) in the fields and links reached. If the store was never invalidated and
  ///   has no handlers, the check ends once data is missing and the list is full.
  package static func check(
    _ index: RecordIndex, _ plan: BoundPlan, in source: LayeredSource, listing limit: Int = 0
  ) -> Result {
    var checker = AvailabilityChecker(source: source, limit: limit)
    checker.enqueue(Step(index: index, plan: plan), [])
    let mayStop = !source.observers.invalidations.isInUse && source.missingFieldHandlers.isEmpty
    while let step = checker.worklist.popLast() {
      if limit > 0 { checker.path = checker.paths.popLast() ?? [] }
      if checker.visited.insert(step).inserted { checker.visit(step) }
      if mayStop, checker.result.isMissing, checker.result.missing.count >= limit { break }
    }
    return checker.result
  }

  /// Adds a record to the worklist.
  ///
  /// - Parameter path: The record's path below the record being visited.
  private mutating func enqueue(_ step: Step, _ path: [ResponsePath.Component]) {
    worklist.append(step)
    if limit > 0 { paths.append(self.path + path) }
  }

  /// Adds the records that a field links to.
  private mutating func enqueueLinks(
    of value: FieldValue, _ plan: BoundPlan, under path: @autoclosure () -> [ResponsePath.Component]
  ) {
    if limit == 0 {
      return value.forEachLink { worklist.append(Step(index: $0, plan: plan)) }
    }
    switch value {
    case .link(let index): enqueue(Step(index: index, plan: plan), path())
    case .links(let indexes):
      for (position, index) in indexes.enumerated() where index != .none {
        enqueue(Step(index: index, plan: plan), path() + [.index(position)])
      }
    case .list(let values):
      for (position, value) in values.enumerated() {
        enqueueLinks(of: value, plan, under: path() + [.index(position)])
      }
    default: break
    }
  }

  /// Adds an entry to the missing data.
  ///
  /// - Parameter slot: The slot of the missing field; `nil` if the record is missing or its type is
  ///   unknown.
  private mutating func reportMissing(_ step: Step, slot: Int? = nil) {
    result.isMissing = true
    guard result.missing.count < limit else { return }
    let field = slot.map { step.plan.plan.slots[$0].responsePath } ?? []
    result.missing.append(
      MissingData(
        path: ResponsePath(path + field), recordID: source.id(of: step.index) ?? .root,
        typeName: source[step.index].typeName, storageKey: slot.map { step.plan.storageKeys[$0] }))
  }

  private mutating func visit(_ step: Step) {
    let record = source[step.index]
    switch record.state {
    case .unknown:
      let index = source.resolved(step.index)
      if index == step.index { return reportMissing(step) }
      enqueue(Step(index: index, plan: step.plan), [])
    case .deleted: break
    case .present:
      if let epoch = source.observers.invalidations[step.index] {
        result.invalidatedAt = max(epoch, result.invalidatedAt ?? 0)
      }
      check(record, in: step)
    }
  }

  private mutating func check(_ record: Record, in step: Step) {
    let plan = step.plan
    // Whether each type condition holds, by slot. Enclosed slots come after their condition.
    var holds: [Int: Bool] = [:]
    for (slot, content) in plan.plan.slots.enumerated() where plan.isIncluded[slot] {
      if let enclosing = content.enclosing, holds[enclosing] != true { continue }
      switch content.content {
      case .condition(let condition):
        holds[slot] = satisfies(condition, record: record, in: step, slot: slot)
      case .field(let field) where !field.isTypename && !field.isRecordID:
        check(field, slot: slot, of: record, in: step)
      case .field(let field):
        if field.isTypename, plan.plan.isAbstract, record.typeName == nil {
          reportMissing(step, slot: slot)
        }
      case .spread:
        if let inlined = plan.children[slot] {
          enqueue(Step(index: step.index, plan: inlined), [])
        }
      }
    }
    for (slot, handle) in plan.handles
    where plan.isIncluded[slot] && plan.plan.slots[slot].enclosing.map({ holds[$0] }) != false {
      check(handle, slot: slot, of: record, in: step)
    }
  }

  /// Checks the field that stores a handler's own links, for example a connection's list.
  private mutating func check(
    _ handle: FieldHandle, slot: Int, of record: Record, in step: Step
  ) {
    guard handle.key != step.plan.keys[slot], let child = step.plan.children[slot] else { return }
    guard let value = record[handle.key] else { return reportMissing(step, slot: slot) }
    enqueueLinks(of: value, child, under: step.plan.plan.slots[slot].responsePath)
  }

  private mutating func check(
    _ field: PlanField, slot: Int, of record: Record, in step: Step
  ) {
    let key = step.plan.keys[slot]
    guard
      let value = record[key]
        ?? handledValue(
          of: field, slot: slot, plan: step.plan, at: step.index)
    else {
      // Derived fields exist only in readers' plans and are never stored.
      if field.derived != nil, let derived = step.plan.children[slot] {
        return enqueue(Step(index: step.index, plan: derived), [])
      }
      return reportMissing(step, slot: slot)
    }
    if let child = step.plan.children[slot] {
      enqueueLinks(of: value, child, under: step.plan.plan.slots[slot].responsePath)
    }
  }

  private mutating func handledValue(
    of field: PlanField, slot: Int, plan: BoundPlan, at index: RecordIndex
  ) -> FieldValue? {
    let value = source.handled(field, slot: slot, plan: plan, at: index).value
    if let value { result.handled.append((index, plan.keys[slot], value)) }
    return value
  }

  /// Returns whether the record satisfies a type condition. If that is unknown, data is missing.
  private mutating func satisfies(
    _ condition: TypeCondition, record: Record, in step: Step, slot: Int
  ) -> Bool {
    let plan = step.plan
    guard let typeName = plan.plan.isAbstract ? record.typeName : plan.plan.typeName else {
      reportMissing(step)
      return false
    }
    if !condition.isAbstract { return typeName == condition.typeName }
    let (isSatisfied, _) = source.satisfies(
      typeName, condition.typeName, discriminator: plan.keys[slot], types: plan.plan.types)
    if let isSatisfied { return isSatisfied }
    reportMissing(step)
    return false
  }
}

extension PlanSlot {
  /// The slot's field as a path.
  fileprivate var responsePath: [ResponsePath.Component] {
    field.map { [.field($0.responseKey)] } ?? []
  }
}
