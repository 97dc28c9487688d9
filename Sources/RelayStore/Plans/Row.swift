/// The values of one object in a response or a snapshot, in the order of a ``Plan``'s slots.
///
/// Generated structs store one row and compute their properties from it. What a row is made of is
/// the runtime's own business; copying one costs one retain.
public struct Row: Sendable {
  package let storage: RowStorage

  package init(_ storage: RowStorage) { self.storage = storage }

  /// A row built by hand, for previews, tests and optimistic responses.
  ///
  /// Slots that are left out at the end are absent.
  public init(_ plan: Plan, _ slots: [Slot]) {
    let missing = max(0, plan.slots.count - slots.count)
    let padding = repeatElement(Slot.absent, count: missing)
    storage = RowStorage(plan: plan, slots: slots.prefix(plan.slots.count) + padding)
  }

  /// The value in a slot.
  ///
  /// - Complexity: O(1).
  @_semantics("optimize.sil.specialize.generic.never")
  public subscript<Value: RowValue>(slot: Int) -> Value {
    value(slot)
  }

  /// The row of the object in a slot.
  @usableFromInline func row(_ slot: Int) -> Row {
    guard case .row(let row) = storage.slots[slot].value else { mismatch(slot, Row.self) }
    return Row(row)
  }

  /// The row of the object in a slot; `nil` where there is none.
  @usableFromInline func optionalRow(_ slot: Int) -> Row? {
    storage.slots[slot].isNil ? nil : row(slot)
  }

  /// This row where the type condition in a slot holds.
  @usableFromInline func condition(_ slot: Int) -> Row? {
    if case .here = storage.slots[slot].value { self } else { nil }
  }

  /// The object in a slot.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View {
    unsafeBitCast(row(slot), to: View.self)
  }

  /// The object in a slot; `nil` where there is none.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View? {
    unsafeBitCast(optionalRow(slot), to: View?.self)
  }

  /// This row as its type condition in a slot sees it; `nil` when the condition does not hold.
  @_transparent public func view<View: GraphQLView>(_ slot: Int) -> View? {
    unsafeBitCast(condition(slot), to: View?.self)
  }

  /// The fragment spread in a slot.
  @_semantics("optimize.sil.specialize.generic.never")
  public subscript<Fragment>(slot: Int) -> FragmentRef<Fragment> {
    guard let reference: FragmentRef<Fragment> = self[slot] else {
      mismatch(slot, FragmentRef<Fragment>.self)
    }
    return reference
  }

  /// The fragment spread in a slot; `nil` where its condition does not hold.
  @_semantics("optimize.sil.specialize.generic.never")
  public subscript<Fragment>(slot: Int) -> FragmentRef<Fragment>? {
    switch storage.slots[slot].value {
    case .spread(let spread): FragmentRef(spread)
    case .here: FragmentRef(storage.reference(toSpreadIn: slot))
    default: nil
    }
  }

  public subscript(slot: Int) -> String { value(slot) }
  public subscript(slot: Int) -> String? { value(slot) }
  public subscript(slot: Int) -> Int { value(slot) }
  public subscript(slot: Int) -> Int? { value(slot) }
  public subscript(slot: Int) -> Double { value(slot) }
  public subscript(slot: Int) -> Double? { value(slot) }
  public subscript(slot: Int) -> Bool { value(slot) }
  public subscript(slot: Int) -> Bool? { value(slot) }

  @inline(__always) private func value<Value: RowValue>(_ slot: Int) -> Value {
    guard let value = Value(__slot: storage.slots[slot]) else { mismatch(slot, Value.self) }
    return value
  }

  /// Generated code and its plan disagree: it was edited by hand, or is of another version.
  private func mismatch(_ slot: Int, _ type: Any.Type) -> Never {
    preconditionFailure(
      "Slot \(slot) of \(storage.plan.typeName) is no \(type); run relay-compiler again.")
  }
}

/// The shared storage of rows.
package final class RowStorage: Sendable {
  package let plan: Plan
  package let slots: ContiguousArray<Slot>
  /// The record it was read from; `nil` when it was built by hand.
  package let id: DataID?
  /// What it was read with; `nil` when it was built by hand.
  package let bound: BoundPlan?

  package init(
    plan: Plan, slots: some Sequence<Slot>, id: DataID? = nil, bound: BoundPlan? = nil
  ) {
    self.plan = plan
    self.slots = ContiguousArray(slots)
    self.id = id
    self.bound = bound
  }

  /// Whether it has a spread that refers to its own record.
  fileprivate var refersToItself: Bool {
    zip(plan.slots, slots).contains { slot, value in
      if case .spread = slot.content { value.isReference } else { false }
    }
  }

  /// The object's concrete type: what `__typename` says, else that of the plan.
  var typename: String {
    if let slot = plan.typenameSlot, case .string(let name) = slots[slot].value { return name }
    return plan.typeName
  }

  /// What a spread refers to in this row.
  func reference(toSpreadIn slot: Int) -> SpreadReference {
    guard let id, let bound, case .spread(let spread) = plan.slots[slot].content
    else { return .nothing }
    return .record(id, spread.scope(in: bound.scope, bound.variables))
  }
}

extension Row: Hashable {
  /// Rows are equal when they have the same plan and the same values; rows with spreads also need
  /// the same record.
  public static func == (left: Row, right: Row) -> Bool {
    let (a, b) = (left.storage, right.storage)
    if a === b { return true }
    guard a.plan === b.plan, a.slots == b.slots else { return false }
    return !a.refersToItself || (a.id == b.id && a.bound?.scope == b.bound?.scope)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.slots) }
}
