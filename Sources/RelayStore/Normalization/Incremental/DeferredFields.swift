/// The fields of one selection that arrive with each deferred part, and its streamed lists.
struct DeferredFields {
  /// The deferred parts, each with the index of its label and the slots of its own fields. Fields
  /// that identify an object or name its type arrive with the object.
  let deferred: [(label: Int, slots: [Int])]
  /// The streamed lists, each with the index of its label.
  let streamed: [(label: Int, slot: Int)]

  init(_ plan: BoundPlan, _ expected: ExpectedParts) {
    func isOwn(_ slot: Int) -> Bool {
      guard let field = plan.plan.slots[slot].field else { return false }
      return !field.isTypename && !field.isID
    }
    deferred = plan.deferrals.innermost.compactMap { part, slots in
      let own = slots.filter(isOwn)
      return own.isEmpty ? nil : expected.index(of: part.label).map { ($0, own) }
    }
    streamed = plan.plan.slots.indices.compactMap { slot in
      plan.plan.slots[slot].field?.streamLabel.flatMap(expected.index(of:)).map { ($0, slot) }
    }
  }
}
