/// The fields of one selection that arrive with each deferred part, and its streamed lists.
struct DeferredFields {
  /// The slots of a deferred part's own fields: those of the object itself that are under its guard
  /// and under no deferred guard inside it.
  private(set) var deferred: [(label: String, slots: [Int])] = []
  /// The streamed lists.
  private(set) var streamed: [(label: String, slot: Int)] = []

  init(_ plan: BoundPlan) {
    for (position, slot) in plan.plan.slots.enumerated() {
      guard let field = slot.field, !field.isTypename else { continue }
      for handle in field.handles where handle.isStream {
        if case .constant(.string(let label))? = handle.arguments.first?.value {
          streamed.append((label, position))
        }
      }
      guard !field.isID,
        let guardTerms = slot.guards.last(where: { $0.contains(where: \.isDeferred) }),
        !guardTerms.contains(where: {
          !$0.isDeferred && plan.variables[$0.variable]?.bool == $0.passes
        })
      else { continue }
      for term in guardTerms where term.isDeferred {
        if let index = deferred.firstIndex(where: { $0.label == term.variable }) {
          deferred[index].slots.append(position)
        } else {
          deferred.append((term.variable, [position]))
        }
      }
    }
  }
}
