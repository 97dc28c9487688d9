/// The fields that the plans of a store select, by type: what generated code knows of the schema.
package final class PlannedFields: FieldTypes {
  private struct State {
    var plans: [ObjectIdentifier: SelectionPlan] = [:]
    /// Plans whose fields are not indexed yet; only updaters need them.
    var pending: [SelectionPlan] = []
    /// By type and name.
    var fields: [ByteString: [ByteString: PlanField]] = [:]
    /// The interfaces and unions among the types, with the object types that the compiled schema knew of them, by name.
    var abstract: [(name: String, types: AbstractTypes)] = []
    /// The types of the root: the query's, the mutation's and the subscription's.
    var roots: [ByteString] = []

    mutating func noteAbstract(_ name: String, _ types: AbstractTypes?) {
      guard let types, !abstract.contains(where: { $0.name.hasSameBytes(as: name) }) else { return }
      abstract.append((name, types))
    }

    /// The field of an object type, else of an interface or a union that the type satisfies; `nil` where no plan
    /// selects it.
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

    /// Adds the fields of plans that are not there yet.
    mutating func addPending() {
      if pending.isEmpty { return }
      for plan in pending { add(plan) }
      pending = []
      abstract.sort { $0.name.precedesByBytes($1.name) }
    }

    private mutating func add(_ plan: SelectionPlan) {
      if plan.isAbstract { noteAbstract(plan.typeName, plan.types) }
      for slot in plan.slots {
        var typeName = plan.typeName
        if let enclosing = slot.enclosing,
          case .condition(let condition) = plan.slots[enclosing].content
        {
          typeName = condition.typeName
          if condition.isAbstract { noteAbstract(typeName, plan.types) }
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
      let known = fields[type]?[name]
      if known == nil || known?.scalar == nil && field.scalar != nil {
        fields[type, default: [:]][name] = field
      }
      if let child = field.child { add(child) }
    }
  }

  private let state = Locked(State(), rank: .plannedFields)

  package init() {}

  /// Adds the fields of a plan.
  ///
  /// - Parameter isRoot: Whether it selects from the root of operations.
  package func note(_ plan: SelectionPlan, isRoot: Bool) {
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
    let (isKnown, planned) = state.withLock { state in
      state.addPending()
      let type = ByteString(typeName)
      return (state.fields[type] != nil, state.field(ByteString(field), of: type))
    }
    return planned?.check(value) ?? (isKnown ? .unknownField : .accepted)
  }

  /// Whether a value can be written to a field of the root: it is enough that one of its types takes it.
  private func check(_ value: FieldValue, writtenToRoot field: ByteString) -> WriteCheck {
    let (isKnown, planned) = state.withLock { state in
      state.addPending()
      return (!state.roots.isEmpty, state.roots.compactMap { state.field(field, of: $0) })
    }
    let checks = planned.map { $0.check(value) }
    if checks.contains(where: { if case .accepted = $0 { true } else { false } }) {
      return .accepted
    }
    return checks.first ?? (isKnown ? .unknownField : .accepted)
  }
}
