/// An index, by type, of the fields that a store's plans select: the part of the schema that
/// generated code refers to.
final class PlannedFields: FieldTypes {
  private struct State {
    var plans: [ObjectIdentifier: SelectionPlan] = [:]
    /// Plans whose fields are not indexed yet. Only updaters need the index, so it is built on
    /// demand.
    var pending: [SelectionPlan] = []
    /// The fields by type and name.
    var fields: [ByteString: [ByteString: PlanField]] = [:]
    /// The interfaces and unions that plans select from, with the compiled schema's possible types.
    var abstract: [(name: String, types: AbstractTypes)] = []
    /// The root operation types: query, mutation and subscription.
    var roots: [ByteString] = []

    mutating func addAbstract(_ name: String, types: AbstractTypes?) {
      guard let types, !abstract.contains(where: { $0.name.hasSameBytes(as: name) }) else { return }
      abstract.append((name, types))
    }

    /// Returns a field of an object type, or of an abstract type that it satisfies; `nil` if no
    /// plan selects the field.
    func field(_ name: ByteString, of type: ByteString) -> PlanField? {
      if let field = fields[type]?[name] { return field }
      for (abstract, types) in abstract {
        if let field = fields[ByteString(abstract)]?[name],
          types.satisfies(type.text, abstract) == true
        {
          return field
        }
      }
      return nil
    }

    /// Indexes the fields of the pending plans.
    mutating func addPending() {
      if pending.isEmpty { return }
      for plan in pending { add(plan) }
      pending = []
      abstract = abstract.sorted(byBytes: \.name)
    }

    private mutating func add(_ plan: SelectionPlan) {
      if plan.isAbstract { addAbstract(plan.typeName, types: plan.types) }
      for slot in plan.slots {
        var typeName = plan.typeName
        if let enclosing = slot.enclosing,
          case .condition(let condition) = plan.slots[enclosing].content
        {
          typeName = condition.typeName
          if condition.isAbstract { addAbstract(typeName, types: plan.types) }
        }
        switch slot.content {
        case .field(let field): add(field, of: ByteString(typeName))
        case .spread(let spread): if let inlined = spread.inlined { add(inlined) }
        case .condition: break
        }
      }
    }

    private mutating func add(_ field: PlanField, of type: ByteString) {
      if field.isTypename || field.isRecordID || field.derived != nil { return }
      let name = ByteString(field.name)
      let existing = fields[type]?[name]
      if existing == nil || existing?.scalar == nil && field.scalar != nil {
        fields[type, default: [:]][name] = field
      }
      if let child = field.child { add(child) }
    }
  }

  private let state = Locked(State(), rank: .plannedFields)

  package init() {}

  /// Registers a plan. Its fields are indexed on first use.
  package func register(_ plan: SelectionPlan, isRoot: Bool) {
    state.withLock { state in
      if state.plans.updateValue(plan, forKey: ObjectIdentifier(plan)) == nil {
        state.pending.append(plan)
      }
      let type = ByteString(plan.typeName)
      if isRoot, !state.roots.contains(type) { state.roots.append(type) }
    }
  }

  package func check(
    _ value: FieldValue, writtenTo field: String, of typeName: String
  ) -> WriteCheck {
    if typeName == "__Root" { return check(value, writtenToRoot: ByteString(field)) }
    let (isPlannedType, planned) = state.withLock { state in
      state.addPending()
      let type = ByteString(typeName)
      return (state.fields[type] != nil, state.field(ByteString(field), of: type))
    }
    return planned?.check(value) ?? (isPlannedType ? .unknownField : .accepted)
  }

  /// Checks whether a value can be written to a field of the root. One root type that accepts the
  /// value is enough.
  private func check(_ value: FieldValue, writtenToRoot field: ByteString) -> WriteCheck {
    let (isPlannedType, planned) = state.withLock { state in
      state.addPending()
      return (!state.roots.isEmpty, state.roots.compactMap { state.field(field, of: $0) })
    }
    let checks = planned.map { $0.check(value) }
    if checks.contains(where: { if case .accepted = $0 { true } else { false } }) {
      return .accepted
    }
    return checks.first ?? (isPlannedType ? .unknownField : .accepted)
  }
}
