/// The memoized results of merging rows of the same object.
struct RowMerging {
  fileprivate struct Key: Hashable {
    let plan: ObjectIdentifier
    let rows: [ObjectIdentifier]
  }

  /// The results, each with the rows it was merged from. Retaining those rows keeps the identities
  /// in the keys unique.
  fileprivate var merged: [Key: (rows: [RowBox], result: RowBox?)] = [:]
  private struct BindingKey: Hashable {
    let plan: ObjectIdentifier
    let binding: ObjectIdentifier
  }

  /// The bindings of merged rows, each with the binding it was made from.
  private var bindings: [BindingKey: (source: RowBinding, result: RowBinding)] = [:]

  /// Returns the binding of a row of `plan` that was merged from rows of other plans.
  fileprivate mutating func binding(of plan: SelectionPlan, from source: RowBinding) -> RowBinding {
    let key = BindingKey(plan: ObjectIdentifier(plan), binding: ObjectIdentifier(source))
    if let memoized = bindings[key] { return memoized.result }
    let result = RowBinding(plan, scope: source.scope, variables: source.variables)
    bindings[key] = (source, result)
    return result
  }
}

extension SelectionPlan {
  /// Fills the slots of each group from the group's other slots.
  func mergeGroups(
    _ groups: [[Int]], in slots: inout ContiguousArray<RowSlot>, merging: inout RowMerging
  ) {
    for group in groups {
      let present = group.filter { slots[$0].isPresent }
      if present.isEmpty { continue }
      let values = Dictionary(uniqueKeysWithValues: present.map { ($0, slots[$0]) })
      for target in group where isConditionMet(around: target, in: slots) {
        let otherSlots = present.filter { $0 != target }
        if otherSlots.isEmpty { continue }
        // The target's own value comes first because it decides whether there is a value at all.
        let same = [values[target]].compactMap(\.self) + otherSlots.compactMap { values[$0] }
        slots[target] = self.slots[target].merged(from: same, merging: &merging) ?? .absent
      }
    }
  }

  /// Returns whether the type condition around a slot holds.
  private func isConditionMet(around slot: Int, in slots: ContiguousArray<RowSlot>) -> Bool {
    self.slots[slot].enclosing.map { slots[$0].isSelfReference } ?? true
  }

  /// Returns whether the rows have every needed field of a type condition and at least one of its
  /// fields.
  private func hasNeeded(
    inside condition: Int, in rows: [RowBox], typename: String
  ) -> Bool {
    var hasAny = false
    for slot in slots where slot.enclosing == condition {
      if case .condition = slot.content { continue }
      let isPresent = rows.contains { !$0.values(of: slot, typename: typename).isEmpty }
      if !isPresent, slot.isNeeded { return false }
      if isPresent, slot.field?.isTypename != true { hasAny = true }
    }
    return hasAny
  }

  /// Returns the row of this plan for an object.
  ///
  /// - Parameter rows: Rows of the object, read with other plans. They agree on the fields they
  ///   share.
  /// - Returns: `nil` if a needed field is missing.
  fileprivate func row(of rows: [RowBox], merging: inout RowMerging) -> RowBox? {
    guard let first = rows.first else { return nil }
    if rows.allSatisfy({ $0.plan === self }) { return first }
    let key = RowMerging.Key(plan: ObjectIdentifier(self), rows: rows.map(\.identity))
    if let memoized = merging.merged[key] { return memoized.result }
    let result = merged(rows, first: first, merging: &merging)
    merging.merged[key] = (rows, result)
    return result
  }

  private func merged(
    _ rows: [RowBox], first: RowBox, merging: inout RowMerging
  ) -> RowBox? {
    var result: ContiguousArray<RowSlot> = []
    for (position, slot) in slots.enumerated() {
      guard isConditionMet(around: position, in: result) else {
        result.append(.absent)
        continue
      }
      if case .condition(let condition) = slot.content {
        let results = rows.compactMap { $0.satisfies(condition, typename: first.typename) }
        // If no row decides the condition, it holds when the fields inside are present.
        let holds = results.first ?? hasNeeded(inside: position, in: rows, typename: first.typename)
        result.append(holds ? .matches : .absent)
        continue
      }
      let values = rows.flatMap { $0.values(of: slot, typename: first.typename) }
      guard let value = slot.merged(from: values, merging: &merging) else {
        if slot.isNeeded || !values.isEmpty && slot.guards.isEmpty { return nil }
        result.append(.absent)
        continue
      }
      result.append(value)
    }
    mergeGroups(slotGroups.all, in: &result, merging: &merging)
    if let own = rows.first(where: { $0.plan === self }) {
      return RowBox(plan: self, slots: result, record: own.record, binding: own.binding)
    }
    let binding = first.binding.map { merging.binding(of: self, from: $0) }
    return RowBox(plan: self, slots: result, record: first.record, binding: binding)
  }
}

extension PlanSlot {
  /// Returns the slot's value merged from `values`; `nil` if there are none or a needed field is
  /// missing.
  fileprivate func merged(from values: [RowSlot], merging: inout RowMerging) -> RowSlot? {
    guard let first = values.first, let child = field?.child else { return values.first }
    return first.merged(with: values, as: child, merging: &merging)
  }
}

extension RowSlot {
  /// Whether the slot has a value, null included.
  fileprivate var isPresent: Bool { if case .absent = value { false } else { true } }

  /// Returns an object, or a list of objects, as another plan selects it.
  ///
  /// - Parameter values: The values to merge, this one included.
  fileprivate func merged(
    with values: [RowSlot], as plan: SelectionPlan, merging: inout RowMerging
  ) -> RowSlot? {
    switch value {
    case .row:
      return plan.row(of: values.compactMap(\.row), merging: &merging).map { RowSlot(.row($0)) }
    case .list(let list):
      let lists = values.compactMap { $0.list }.filter { $0.count == list.count }
      var items: [RowSlot] = []
      for position in 0..<list.count {
        let same = lists.map { $0[position] }
        guard let item = same.first?.merged(with: same, as: plan, merging: &merging) else {
          return nil
        }
        items.append(item)
      }
      return RowSlot(.list(ListBuffer(items)))
    default: return self
    }
  }

  private var list: ListBuffer? { if case .list(let list) = value { list } else { nil } }
}

extension RowBox {
  /// Returns the present values of the slots that share `other`'s response key or spread.
  fileprivate func values(of other: PlanSlot, typename: String) -> [RowSlot] {
    if other.field?.isTypename ?? false { return [RowSlot(.string(typename))] }
    return plan.slots.indices.filter { plan.slots[$0].isSame(as: other) }
      .map { slot(at: $0) }.filter(\.isPresent)
  }

  /// Returns whether the object is of a condition's type; `nil` if unknown. The reader's decision,
  /// made when it filled the row, takes precedence over the compiled schema.
  fileprivate func satisfies(_ condition: TypeCondition, typename: String) -> Bool? {
    if !condition.isAbstract || plan.typeName == condition.typeName {
      return [typename, plan.typeName].contains(condition.typeName)
    }
    var isRejected = false
    for (position, slot) in plan.slots.enumerated() {
      guard case .condition(let own) = slot.content, own.typeName == condition.typeName else {
        continue
      }
      if self.slot(at: position).isSelfReference { return true }
      if slot.enclosing == nil, slot.guards.isEmpty { isRejected = true }
    }
    let isSatisfied = plan.types?.satisfies(typename, condition.typeName)
    return isRejected && isSatisfied != nil ? false : isSatisfied
  }
}
