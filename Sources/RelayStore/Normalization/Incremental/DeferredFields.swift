/// The fields of one selection that arrive with each deferred part, and its streamed lists.
struct DeferredFields {
  /// The deferred parts, each with the slots of its own fields. Fields that identify an object or
  /// name its type arrive with the object.
  let deferred: [(part: DeferredPart, slots: [Int])]
  /// The streamed lists.
  let streamed: [(label: String, slot: Int)]

  init(_ plan: BoundPlan) {
    func isOwn(_ slot: Int) -> Bool {
      guard let field = plan.plan.slots[slot].field else { return false }
      return !field.isTypename && !field.isID
    }
    deferred = plan.deferrals.innermost.map { ($0.part, $0.slots.filter(isOwn)) }
      .filter { !$0.slots.isEmpty }
    streamed = plan.plan.slots.indices.compactMap { slot in
      plan.plan.slots[slot].field?.streamLabel.map { ($0, slot) }
    }
  }
}
