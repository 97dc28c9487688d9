/// The fields that the plans of a store select, by type: what generated code knows of the schema.
package final class PlannedFields: FieldTypes {
  private struct State {
    var plans: [ObjectIdentifier: Plan] = [:]
    /// Those whose fields are not there yet: they are wanted by updaters only.
    var pending: [Plan] = []
    /// By type and name.
    var fields: [ByteString: [ByteString: PlanField]] = [:]
    /// The interfaces and unions among the types, with the object types that the compiled schema knew of them, by name.
    var abstract: [(name: String, types: AbstractTypes)] = []
    /// The types of the root: the query's, the mutation's and the subscription's.
    var roots: Set<ByteString> = []

    mutating func noteAbstract(_ name: String, _ types: AbstractTypes?) {
      guard let types, !abstract.contains(where: { $0.name.hasSameBytes(as: name) }) else { return }
      abstract.append((name, types))
    }

    /// The field of each of these object types, else of an interface or a union that one of them satisfies; none where
    /// no plan selects it.
    func fields(_ name: ByteString, of types: [ByteString]) -> [PlanField] {
      let found = types.compactMap { fields[$0]?[name] }
      if !found.isEmpty { return found }
      let general = abstract.lazy.compactMap { abstract -> PlanField? in
        guard let field = fields[ByteString(abstract.name)]?[name] else { return nil }
        return types.contains { abstract.types.satisfies($0.text, abstract.name) == true }
          ? field : nil
      }
      return general.prefix(1).map { $0 }
    }
  }

  private let state = Locked(State())

  package init() {}

  /// Adds the fields of a plan.
  ///
  /// - Parameter isRoot: Whether it selects from the root of operations.
  package func note(_ plan: Plan, isRoot: Bool) {
    state.withLock { state in
      if state.plans.updateValue(plan, forKey: ObjectIdentifier(plan)) == nil {
        state.pending.append(plan)
      }
      if isRoot { state.roots.insert(ByteString(plan.typeName)) }
    }
  }

  package func check(
    _ value: FieldValue, writtenTo field: String, of typeName: String
  ) -> WriteCheck {
    let (isKnown, planned) = state.withLock { state in
      for plan in state.pending { Self.add(plan, to: &state) }
      if !state.pending.isEmpty { state.abstract.sort { $0.name.precedesByBytes($1.name) } }
      state.pending = []
      let types = typeName == "__Root" ? Array(state.roots) : [ByteString(typeName)]
      return (
        types.contains { state.fields[$0] != nil }, state.fields(ByteString(field), of: types)
      )
    }
    // The root has the fields of several types: it is enough that one of them takes the value.
    var first: WriteCheck?
    for field in planned {
      let check = field.check(value)
      if case .accepted = check { return check }
      first = first ?? check
    }
    return first ?? (isKnown ? .unknownField : .accepted)
  }

  private static func add(_ plan: Plan, to state: inout State) {
    if plan.isAbstract { state.noteAbstract(plan.typeName, plan.types) }
    for slot in plan.slots {
      var typeName = plan.typeName
      if let enclosing = slot.enclosing,
        case .condition(let condition) = plan.slots[enclosing].content
      {
        typeName = condition.typeName
        if condition.isAbstract { state.noteAbstract(typeName, plan.types) }
      }
      switch slot.content {
      case .field(let field):
        if field.isTypename || field.isRecordID || field.derived != nil { continue }
        let known = state.fields[ByteString(typeName)]?[ByteString(field.name)]
        if known == nil || known?.scalar == nil && field.scalar != nil {
          state.fields[ByteString(typeName), default: [:]][ByteString(field.name)] = field
        }
        if let child = field.child { add(child, to: &state) }
      case .spread(let spread): if let inlined = spread.inlined { add(inlined, to: &state) }
      case .condition: break
      }
    }
  }
}
