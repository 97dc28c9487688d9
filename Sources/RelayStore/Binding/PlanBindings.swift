/// The bound plans that no variables change, which are most of an operation; one instance serves
/// all values of the variables.
struct ConstantPlans {
  private var bound: [ObjectIdentifier: BoundPlan] = [:]

  /// Binds a definition's plan to the variables that it sees in `scope`.
  mutating func bind(
    _ plan: SelectionPlan, scope: VariableScope, names: inout KeyTable
  ) -> BoundPlan {
    bind(plan, scope: scope, variables: scope.values(forOwn: plan.fragmentVariables), names: &names)
  }

  /// Binds a plan, or the plan of a nested object, to the given variables.
  mutating func bind(
    _ plan: SelectionPlan, scope: VariableScope, variables: JSONObject, names: inout KeyTable
  ) -> BoundPlan {
    guard plan.isConstant else {
      return BoundPlan(
        plan, scope: scope, variables: variables, names: &names, constants: &self)
    }
    if let cached = bound[ObjectIdentifier(plan)] { return cached }
    let made = BoundPlan(
      plan, scope: VariableScope(operation: [:]), variables: [:], names: &names, constants: &self)
    bound[ObjectIdentifier(plan)] = made
    return made
  }
}

/// The bound plans of a store, memoized by plan and variables.
struct PlanBindings {
  private struct Key: Hashable {
    var plan: ObjectIdentifier
    var scope: VariableScope
  }

  private var bound: [Key: BoundPlan] = [:]
  /// The last binding of each plan. The fragments of a row share their variables, so most bindings
  /// of a screen are found here without hashing them.
  private var latest: [ObjectIdentifier: (scope: VariableScope, plan: BoundPlan)] = [:]
  private var constants = ConstantPlans()
  /// The number of bound plans at which the cache is emptied: a search field adds one for every
  /// text typed.
  private static let limit = 4096

  /// The index of planned fields, which updaters check values against.
  let fields = PlannedFields()

  package init() {}

  /// Forgets the bound plans; the index of planned fields stays.
  mutating func removeAll() { (bound, latest, constants) = ([:], [:], ConstantPlans()) }

  /// Returns the plan bound to these variables.
  ///
  /// - Parameter isRoot: Whether it selects from the root of operations.
  package mutating func bind(
    _ plan: SelectionPlan, scope: VariableScope, isRoot: Bool = false, names: inout KeyTable
  ) -> BoundPlan {
    let identity = ObjectIdentifier(plan)
    if let last = latest[identity], last.scope.isIdentical(to: scope) { return last.plan }
    // A spread passes the operation's variables on, so all of them are part of the key.
    let key = Key(plan: identity, scope: scope)
    if let known = bound[key] {
      latest[identity] = (scope, known)
      return known
    }
    if bound.count >= Self.limit { (bound, latest) = ([:], [:]) }
    let made = make(plan, scope: scope, isRoot: isRoot, names: &names)
    bound[key] = made
    latest[identity] = (scope, made)
    return made
  }

  private mutating func make(
    _ plan: SelectionPlan, scope: VariableScope, isRoot: Bool, names: inout KeyTable
  ) -> BoundPlan {
    fields.register(plan, isRoot: isRoot)
    return constants.bind(plan, scope: scope, names: &names)
  }
}
