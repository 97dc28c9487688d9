/// The bound plans that no variables make different, in which most of an operation is the same for all its variables.
struct ConstantPlans {
  private var bound: [ObjectIdentifier: BoundPlan] = [:]

  /// The plan bound to what its definition sees.
  mutating func bind(
    _ plan: SelectionPlan, _ scope: VariableScope, _ names: inout KeyTable
  )
    -> BoundPlan
  {
    bind(plan, scope, scope.values(for: plan), &names)
  }

  /// The plan, or a part of one, bound to the variables that it sees.
  mutating func bind(
    _ plan: SelectionPlan, _ scope: VariableScope, _ variables: JSONObject, _ names: inout KeyTable
  ) -> BoundPlan {
    guard plan.isConstant else {
      return BoundPlan(
        plan, scope: scope, variables: variables, names: &names, constants: &self)
    }
    if let known = bound[ObjectIdentifier(plan)] { return known }
    let made = BoundPlan(
      plan, scope: VariableScope(operation: [:]), variables: [:], names: &names, constants: &self)
    bound[ObjectIdentifier(plan)] = made
    return made
  }
}

/// The bound plans of a store, made once for each plan and the values of the variables it uses.
package struct PlanBindings {
  private struct Key: Hashable {
    var plan: ObjectIdentifier
    var scope: Hashed<VariableScope>
  }

  private var bound: [Key: BoundPlan] = [:]
  private var constants = ConstantPlans()
  /// How many are kept before the cache starts anew: searches as one types make one each.
  private static let limit = 4096

  /// The index of planned fields, which updaters check values against.
  private let fields: PlannedFields

  package init(_ fields: PlannedFields = PlannedFields()) { self.fields = fields }

  /// The plan bound to these variables.
  ///
  /// - Parameter isRoot: Whether it selects from the root of operations.
  package mutating func bind(
    _ plan: SelectionPlan, scope: VariableScope, isRoot: Bool = false, names: inout KeyTable
  ) -> BoundPlan {
    // Spreads hand all of the operation's variables on, so all are part of the key.
    let key = Key(plan: ObjectIdentifier(plan), scope: Hashed(scope))
    if let found = bound[key] { return found }
    if bound.count >= Self.limit { bound.removeAll() }
    fields.note(plan, isRoot: isRoot)
    let made = constants.bind(plan, scope, &names)
    bound[key] = made
    return made
  }
}
