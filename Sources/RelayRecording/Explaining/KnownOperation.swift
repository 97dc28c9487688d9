import RelayStore

/// An operation that may have fetched data.
struct KnownOperation: Sendable {
  let name: String
  let plan: BoundPlan
  let root: DataID
  /// Whether a response to it was written.
  let isFetched: Bool
  /// The operation's optimistic update, if it is in flight and has one.
  var optimisticUpdate: UInt64?
}

extension KnownOperation {
  init(_ execution: OperationExecution) {
    let written = execution.request.written
    self.init(
      name: execution.request.operation.name, plan: written.plan, root: written.root,
      isFetched: false, optimisticUpdate: execution.optimisticUpdate)
  }
}

extension BoundPlan {
  /// Returns whether both plans share a definition and read the same fields with the same
  /// arguments.
  func readsSameFields(as other: BoundPlan) -> Bool {
    if self === other { return true }
    return plan === other.plan && storageKeys == other.storageKeys
      && isIncluded == other.isIncluded
      && zip(children, other.children).allSatisfy { child, other in
        guard let child, let other else { return child == nil && other == nil }
        return child.readsSameFields(as: other)
      }
  }

  /// Returns whether the plan selects a field of a record.
  func selects(_ key: FieldKey, of record: Record, in source: LayeredSource) -> Bool {
    plan.slots.indices.contains { slot in
      let isField = keys[slot] == key && plan.slots[slot].field != nil
      let isHandle = handles.contains { $0.slot == slot && $0.handle.key == key }
      return (isField || isHandle) && applies(slot, to: record, in: source)
    }
  }

  /// Returns the storage keys of the record's fields that the plan selects.
  func selectedFields(of record: Record, in source: LayeredSource) -> [String] {
    plan.slots.indices.filter {
      plan.slots[$0].field != nil && applies($0, to: record, in: source)
    }.map { storageKeys[$0] }
  }

  /// Returns whether the variables and the type conditions include a slot for a record.
  private func applies(_ slot: Int, to record: Record, in source: LayeredSource) -> Bool {
    var next: Int? = slot
    while let position = next {
      if !isIncluded[position] { return false }
      if position != slot, case .condition(let condition) = plan.slots[position].content,
        let typeName = record.typeName
      {
        let holds =
          condition.isAbstract
          ? source.satisfies(
            typeName, condition.typeName, discriminator: keys[position], types: plan.types
          ).0 ?? true
          : typeName == condition.typeName
        if !holds { return false }
      }
      next = plan.slots[position].enclosing
    }
    return true
  }
}
