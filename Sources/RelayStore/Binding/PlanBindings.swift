/// The bound plans that do not depend on variables: most of an operation. One instance serves all
/// variable values.
struct ConstantPlans {
  private var bound: [ObjectIdentifier: BoundPlan] = [:]

  /// Binds a plan, or the plan of a nested object.
  ///
  /// - Parameter variables: The variable values; by default, the values that the definition sees in
  ///   `scope`.
  mutating func bind(
    _ plan: SelectionPlan, scope: VariableScope, variables: JSONObject? = nil, names: KeyTable
  ) -> BoundPlan {
    guard plan.isConstant else {
      let values = variables ?? scope.values(forOwn: plan.fragmentVariables)
      return BoundPlan(plan, scope: scope, variables: values, names: names, constants: &self)
    }
    if let cached = bound[ObjectIdentifier(plan)] { return cached }
    let made = BoundPlan(
      plan, scope: VariableScope(operation: [:]), variables: [:], names: names, constants: &self)
    bound[ObjectIdentifier(plan)] = made
    return made
  }
}

/// The bound plans of a store, memoized by plan and variables.
///
/// A read may bind a plan while the store changes.
final class PlanBindings: Sendable {
  private struct Key: Hashable {
    var plan: ObjectIdentifier
    var scope: VariableScope
  }

  private struct State {
    var bound: [Key: BoundPlan] = [:]
    /// The last binding of each plan. The fragments of a row share their variables, so most
    /// bindings of a screen are found here without hashing the variables.
    var latest: [ObjectIdentifier: (scope: VariableScope, plan: BoundPlan)] = [:]
    var constants = ConstantPlans()
  }

  private let state = Locked(State(), rank: .bindings)
  /// The number of bound plans at which the cache is cleared: a search field adds one for every
  /// string typed.
  private static let limit = 4096

  /// The index of planned fields, which updaters check values against.
  let fields = PlannedFields()

  /// Removes the bound plans, but not the index of planned fields.
  func removeAll() { state.withLock { $0 = State() } }

  /// Returns the plan bound to these variables.
  ///
  /// - Parameter isRoot: Whether the plan selects from the root of operations.
  package func bind(
    _ plan: SelectionPlan, scope: VariableScope, isRoot: Bool = false, names: KeyTable
  ) -> BoundPlan {
    let identity = ObjectIdentifier(plan)
    return state.withLock { state in
      if let last = state.latest[identity], last.scope.isIdentical(to: scope) { return last.plan }
      // A spread passes the operation's variables on, so all of them are part of the key.
      let key = Key(plan: identity, scope: scope)
      let bound = state.bound[key] ?? make(plan, scope: scope, isRoot: isRoot, names: names, &state)
      state.bound[key] = bound
      state.latest[identity] = (scope, bound)
      return bound
    }
  }

  private func make(
    _ plan: SelectionPlan, scope: VariableScope, isRoot: Bool, names: KeyTable,
    _ state: inout State
  ) -> BoundPlan {
    if state.bound.count >= Self.limit { (state.bound, state.latest) = ([:], [:]) }
    fields.register(plan, isRoot: isRoot)
    return state.constants.bind(plan, scope: scope, names: names)
  }
}
