/// The target of a read or an observation that yields one value.
package enum ReadTarget: Sendable {
  /// A fragment, or the data of an operation.
  case one(SpreadReference, SelectionPlan)
  /// Several fragments of one type.
  case list([SpreadReference], SelectionPlan)
  /// A record read with two plans. The row of `companion` is the snapshot's companion row.
  case pair(DataID, SelectionPlan, companion: SelectionPlan, in: VariableScope)

  /// Returns a target with one record.
  package static func record(
    _ id: DataID, _ plan: SelectionPlan, in scope: VariableScope
  ) -> ReadTarget {
    .one(.record(id, scope), plan)
  }

  /// Reads the target's components. The fragments of a list share a budget.
  func read(
    within limits: ReadLimits,
    _ read: (SpreadReference, SelectionPlan, inout ReadBudget) -> RowSnapshot
  ) -> PluralSnapshot {
    var isPair = false
    if case .pair = self { isPair = true }
    var budget = ReadBudget(limits)
    let snapshots = parts.map { part in
      if isPair { budget = ReadBudget(limits) }
      return read(part.reference, part.plan, &budget)
    }
    return PluralSnapshot(snapshots, pathLimit: limits.paths, isPair: isPair)
  }

  /// The reads that make up the value.
  var parts: [(reference: SpreadReference, plan: SelectionPlan)] {
    switch self {
    case .one(let reference, let plan): [(reference, plan)]
    case .list(let references, let plan): references.map { ($0, plan) }
    case .pair(let id, let plan, let companion, let scope):
      [(.record(id, scope), plan), (.record(id, scope), companion)]
    }
  }
}
