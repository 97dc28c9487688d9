/// A check of whether the store has all the data of an operation, without reading it.
///
/// Source of the rules: relay-runtime, DataChecker.
package struct AvailabilityChecker {
  /// The result of a check.
  package struct Result {
    /// The latest epoch in which a record that the operation reaches was invalidated.
    package var invalidatedAt: UInt64?
    package var isMissing = false
    /// The values that missing field handlers have supplied.
    package var handled: [(index: RecordIndex, key: FieldKey, value: FieldValue)] = []
  }

  private let source: LayeredSource
  private var result = Result()
  private var visited: Set<Step> = []
  private var worklist: [Step] = []

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

  private init(source: LayeredSource) { self.source = source }

  /// Checks the data that a plan reaches from a record. Nothing is missing from a deleted record.
  ///
  /// - Complexity: O(*n*) in the fields and links reached. If nothing was ever invalidated and
  ///   there are no handlers, the check ends at the first missing field.
  package static func check(_ index: RecordIndex, _ plan: BoundPlan, in source: LayeredSource)
    -> Result
  {
    var checker = AvailabilityChecker(source: source)
    checker.worklist = [Step(index: index, plan: plan)]
    let mayStop = !source.invalidations.isInUse && source.missingFieldHandlers.isEmpty
    while let step = checker.worklist.popLast() {
      if checker.visited.insert(step).inserted { checker.visit(step) }
      if mayStop, checker.result.isMissing { break }
    }
    return checker.result
  }

  private mutating func visit(_ step: Step) {
    let record = source[step.index]
    switch record.state {
    case .unknown: result.isMissing = true
    case .deleted: break
    case .present:
      if let epoch = source.invalidations[step.index] {
        result.invalidatedAt = max(epoch, result.invalidatedAt ?? 0)
      }
      check(record, in: step)
    }
  }

  private mutating func check(_ record: Record, in step: Step) {
    let plan = step.plan
    // The type conditions by slot, and whether they hold. Enclosed slots come after their
    // condition.
    var holds: [Int: Bool] = [:]
    for (slot, content) in plan.plan.slots.enumerated() where plan.isIncluded[slot] {
      if let enclosing = content.enclosing, holds[enclosing] != true { continue }
      switch content.content {
      case .condition(let condition):
        holds[slot] = satisfies(condition, record: record, plan: plan, slot: slot)
      case .field(let field) where !field.isTypename && !field.isRecordID:
        check(field, slot: slot, of: record, in: step)
      case .field(let field):
        if field.isTypename, plan.plan.isAbstract, record.typeName == nil {
          result.isMissing = true
        }
      case .spread:
        if let inlined = plan.children[slot] {
          worklist.append(Step(index: step.index, plan: inlined))
        }
      }
    }
    for (slot, handle) in plan.handles
    where plan.isIncluded[slot] && plan.plan.slots[slot].enclosing.map({ holds[$0] }) != false {
      check(handle, field: plan.keys[slot], child: plan.children[slot], of: record)
    }
  }

  /// Checks the field in which a handler stores links of its own, as that of a connection does.
  private mutating func check(
    _ handle: FieldHandle, field: FieldKey, child: BoundPlan?, of record: Record
  ) {
    guard handle.key != field, let child else { return }
    guard let value = record[handle.key] else {
      result.isMissing = true
      return
    }
    value.forEachLink { worklist.append(Step(index: $0, plan: child)) }
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
      result.isMissing = true
      return
    }
    if let child = step.plan.children[slot] {
      value.forEachLink { worklist.append(Step(index: $0, plan: child)) }
    }
  }

  private mutating func handledValue(
    of field: PlanField, slot: Int, plan: BoundPlan, at index: RecordIndex
  ) -> FieldValue? {
    let value = source.handledValue(of: field, slot: slot, plan: plan, at: index)
    if let value { result.handled.append((index, plan.keys[slot], value)) }
    return value
  }

  /// Whether the record satisfies a type condition. If the answer is unknown, data is missing.
  private mutating func satisfies(
    _ condition: TypeCondition, record: Record, plan: BoundPlan, slot: Int
  ) -> Bool {
    guard let typeName = plan.plan.isAbstract ? record.typeName : plan.plan.typeName else {
      result.isMissing = true
      return false
    }
    if !condition.isAbstract { return typeName == condition.typeName }
    let (answer, _) = source.satisfies(
      typeName, condition.typeName, discriminator: plan.keys[slot], types: plan.plan.types)
    if let answer { return answer }
    result.isMissing = true
    return false
  }
}
