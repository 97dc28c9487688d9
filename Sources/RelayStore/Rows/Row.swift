/// The values of one object in a response or a snapshot, in the order of a ``SelectionPlan``'s
/// slots.
///
/// A generated struct stores one row and computes its properties from it. The contents of a row are
/// an implementation detail of the runtime. Copying a row costs one retain.
public struct Row: Sendable {
  @usableFromInline package let box: RowBox

  @inlinable
  package init(_ box: RowBox) { self.box = box }

  /// Creates a row from values, for previews, tests and optimistic responses.
  ///
  /// Slots omitted at the end are absent. If slots share a response key or a spread, only the slot
  /// with the most selections needs a value.
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
    plan.mergeGroups(plan.slotGroups.all, in: &all, merging: &merging)
    box = RowBox(plan: plan, slots: all)
  }

  /// The value in a slot.
  ///
  /// - Precondition: The plan's slot is of type `Value`.
  /// - Complexity: O(1).
  @_semantics("optimize.sil.specialize.generic.never")
  public subscript<Value: RowValue>(slot: Int) -> Value {
    value(slot)
  }

  /// Returns the row of the object in a slot.
  @usableFromInline func row(_ slot: Int) -> Row {
    guard let row = box.row(at: slot) else { mismatch(slot, Row.self) }
    return Row(row)
  }

  /// Returns the row of the object in a slot; `nil` if the slot is null or absent.
  @usableFromInline func optionalRow(_ slot: Int) -> Row? {
    if let row = box.row(at: slot) { return Row(row) }
    return box.slot(at: slot).isNil ? nil : row(slot)
  }

  /// Returns this row if the type condition in a slot holds.
  @usableFromInline func condition(_ slot: Int) -> Row? {
    if case .selfReference = box.slot(at: slot).value { self } else { nil }
  }

  // These overloads read scalars from the record without making a `RowSlot`.

  /// The value in a slot of type `String`.
  public subscript(slot: Int) -> String { box.text(at: slot) ?? value(slot) }
  /// The value in a slot of type `String?`; `nil` if the slot is null or absent.
  public subscript(slot: Int) -> String? { box.text(at: slot) ?? value(slot) }
  /// The value in a slot of type `Int`.
  public subscript(slot: Int) -> Int { box.int(at: slot) ?? value(slot) }
  /// The value in a slot of type `Int?`; `nil` if the slot is null or absent.
  public subscript(slot: Int) -> Int? { box.int(at: slot) ?? value(slot) }
  /// The value in a slot of type `Double`.
  public subscript(slot: Int) -> Double { value(slot) }
  /// The value in a slot of type `Double?`; `nil` if the slot is null or absent.
  public subscript(slot: Int) -> Double? { value(slot) }
  /// The value in a slot of type `Bool`.
  public subscript(slot: Int) -> Bool { box.bool(at: slot) ?? value(slot) }
  /// The value in a slot of type `Bool?`; `nil` if the slot is null or absent.
  public subscript(slot: Int) -> Bool? { box.bool(at: slot) ?? value(slot) }

  @inline(__always) private func value<Value: RowValue>(_ slot: Int) -> Value {
    guard let value = Value(__slot: box.slot(at: slot)) else { mismatch(slot, Value.self) }
    return value
  }

  /// Traps because generated code and its plan disagree: the code was edited by hand or belongs to
  /// another version.
  func mismatch(_ slot: Int, _ type: Any.Type) -> Never {
    preconditionFailure(
      "Slot \(slot) of \(box.plan.typeName) is not of type \(type); run relay-compiler again.")
  }
}

/// The fields and their values, for `print`, `dump`, the debugger and failing tests.
extension Row: CustomReflectable, CustomDebugStringConvertible {
  public var customMirror: Mirror { box.mirror(of: self) }

  /// The object's type and its fields, as in `Droid(name: "R2-D2")`.
  public var debugDescription: String { box.description(of: box.plan.typeName) }
}

extension Row: Hashable {
  /// Returns whether two rows have the same plan and equal values. Rows with spreads must also be
  /// of the same record.
  public static func == (left: Row, right: Row) -> Bool {
    var comparison = RowComparison()
    return comparison.areEqual(left.box, right.box)
  }

  public func hash(into hasher: inout Hasher) {
    var hashing = RowHashing()
    hashing.combine(box, into: &hasher)
  }
}
