/// The values of one object in a response or a snapshot, in the order of a ``SelectionPlan``'s slots.
///
/// Generated structs store one row and compute their properties from it. What a row is made of is
/// the runtime's own business; copying one costs one retain.
public struct Row: Sendable {
  @usableFromInline package let storage: RowStorage

  @inlinable
  package init(_ storage: RowStorage) { self.storage = storage }

  /// A row built by hand, for previews, tests and optimistic responses.
  ///
  /// Slots that are left out at the end are absent. Of slots that stand for the same one needs a value,
  /// the one that selects most.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<each Value: RowValue>(_ plan: SelectionPlan, _ values: repeat each Value) {
    var slots: ContiguousArray<RowSlot> = []
    repeat slots.append(RowSlot(of: each values))
    self.init(plan, slots: slots)
  }

  package init(_ plan: SelectionPlan, slots: ContiguousArray<RowSlot>) {
    var all = ContiguousArray(slots.prefix(plan.slots.count))
    all.append(contentsOf: repeatElement(.absent, count: plan.slots.count - all.count))
    var merging = RowMerging()
    plan.share(plan.slotGroups.all, in: &all, &merging)
    storage = RowStorage(plan: plan, slots: all)
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
    guard let row = storage.row(at: slot) else { mismatch(slot, Row.self) }
    return Row(row)
  }

  /// The row of the object in a slot; `nil` where there is none.
  @usableFromInline func optionalRow(_ slot: Int) -> Row? {
    if let row = storage.row(at: slot) { return Row(row) }
    return storage.slot(at: slot).isNil ? nil : row(slot)
  }

  /// This row where the type condition in a slot holds.
  @usableFromInline func condition(_ slot: Int) -> Row? {
    if case .here = storage.slot(at: slot).value { self } else { nil }
  }

  // Scalars are taken from the record as they are, without a slot between.

  public subscript(slot: Int) -> String { storage.text(at: slot) ?? value(slot) }
  public subscript(slot: Int) -> String? { storage.text(at: slot) ?? value(slot) }
  public subscript(slot: Int) -> Int { storage.int(at: slot) ?? value(slot) }
  public subscript(slot: Int) -> Int? { storage.int(at: slot) ?? value(slot) }
  public subscript(slot: Int) -> Double { value(slot) }
  public subscript(slot: Int) -> Double? { value(slot) }
  public subscript(slot: Int) -> Bool { storage.bool(at: slot) ?? value(slot) }
  public subscript(slot: Int) -> Bool? { storage.bool(at: slot) ?? value(slot) }

  @inline(__always) private func value<Value: RowValue>(_ slot: Int) -> Value {
    guard let value = Value(__slot: storage.slot(at: slot)) else { mismatch(slot, Value.self) }
    return value
  }

  /// Generated code and its plan disagree: it was edited by hand, or is of another version.
  func mismatch(_ slot: Int, _ type: Any.Type) -> Never {
    preconditionFailure(
      "RowSlot \(slot) of \(storage.plan.typeName) is no \(type); run relay-compiler again.")
  }
}

/// How every struct over a row is shown by `print`, `dump`, the debugger and failing tests: with the
/// fields and their values.
extension Row: CustomReflectable, CustomDebugStringConvertible {
  public var customMirror: Mirror { storage.mirror(of: self) }

  /// The object's type and its fields, as in `Droid(name: "R2-D2")`.
  public var debugDescription: String { storage.description(of: storage.plan.typeName) }
}

extension Row: Hashable {
  /// Rows are equal when they have the same plan and the same values; rows with spreads also need
  /// the same record.
  public static func == (left: Row, right: Row) -> Bool {
    var comparison = RowComparison()
    return comparison.areEqual(left.storage, right.storage)
  }

  public func hash(into hasher: inout Hasher) {
    var hashing = RowHashing()
    hashing.combine(storage, into: &hasher)
  }
}
