extension RowBox {
  /// Returns whether a row of the same plan has equal values. Rows with spreads must also be of the
  /// same record, or have equal references.
  func hasValues(of other: RowBox, _ comparison: inout RowComparison) -> Bool {
    if (record == nil) != (other.record == nil) { return hasSameValues(as: other, &comparison) }
    if let record, other.isRead(from: record, layout: layout) {
      for position in 0..<layout.storedCount
      where !comparison.areEqual(stored(position), other.stored(position)) {
        return false
      }
      return true
    }
    for position in plan.slots.indices
    where !comparison.areEqual(slot(at: position), other.slot(at: position)) {
      return false
    }
    return !refersToItself || (id == other.id && hasSameReferences(as: other))
  }

  /// Whether the row has a spread that refers to its own record.
  private var refersToItself: Bool {
    for (position, slot) in plan.slots.enumerated() {
      if case .spread = slot.content, self.slot(at: position).isSelfReference { return true }
    }
    return false
  }

  /// Returns whether the spreads of both rows see the same variables.
  private func hasSameReferences(as other: RowBox) -> Bool {
    if binding?.scope == other.binding?.scope { return true }
    return plan.slots.indices.allSatisfy { position in
      guard case .spread = plan.slots[position].content, slot(at: position).isSelfReference else {
        return true
      }
      return reference(toSpreadIn: position) == other.reference(toSpreadIn: position)
    }
  }

  /// Returns whether a row that was read equals a handmade row. The handmade row holds explicit
  /// references, and its numbers have Swift's digits.
  private func hasSameValues(as other: RowBox, _ comparison: inout RowComparison) -> Bool {
    for position in plan.slots.indices {
      let (left, right) = (slot(at: position), other.slot(at: position))
      let isSame =
        switch plan.slots[position].content {
        case .spread(let spread) where spread.inlined == nil:
          reference(in: position) == other.reference(in: position)
        case .field(let field) where field.type.namedType == .float || field.type.namedType == .int:
          left.isSameNumber(as: right)
        default: comparison.areEqual(left, right)
        }
      if !isSame { return false }
    }
    return true
  }

  /// Returns the reference of the spread in a slot; `nil` if its condition does not hold.
  private func reference(in position: Int) -> SpreadReference? {
    switch slot(at: position).value {
    case .selfReference: reference(toSpreadIn: position)
    case .spread(let reference): reference
    default: nil
    }
  }
}

extension RowSlot {
  /// Returns whether both are equal numbers, or lists of equal numbers.
  fileprivate func isSameNumber(as other: RowSlot) -> Bool {
    if case .list(let left) = value, case .list(let right) = other.value {
      return left.count == right.count
        && (0..<left.count).allSatisfy { left[$0].isSameNumber(as: right[$0]) }
    }
    if let left = Double(__slot: self), let right = Double(__slot: other) { return left == right }
    return self == other
  }
}
