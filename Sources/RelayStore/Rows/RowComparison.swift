/// The comparison of rows and lists.
///
/// An object with many links to it is one row at all their positions, so a pair of rows with lists
/// is compared once.
package struct RowComparison {
  private struct Pair: Hashable {
    let left: ObjectIdentifier
    let right: ObjectIdentifier
  }

  /// The pairs that were compared or are being compared. A pair may be assumed equal because the
  /// first difference ends the entire comparison.
  private var compared: Set<Pair> = []

  package init() {}

  package mutating func areEqual(_ left: RowSlot, _ right: RowSlot) -> Bool {
    switch (left.value, right.value) {
    // Readers see `nil` for both, and a handmade value cannot distinguish them.
    case (.absent, .absent), (.null, .null), (.absent, .null), (.null, .absent): true
    case (.selfReference, .selfReference): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.object(let a), .object(let b)): a == b
    case (.array(let a), .array(let b)): JSONValue.array(a) == .array(b)
    case (.list, .array), (.array, .list): JSONValue(left) == JSONValue(right)
    case (.scalar(let a), .scalar(let b)): a.isEqual(to: b)
    case (.row(let a), .row(let b)): areEqual(a, b)
    case (.list(let a), .list(let b)): areEqual(a, b)
    case (.spread(let a), .spread(let b)): a == b
    case (.failure(let a), .failure(let b)): a == b
    default: false
    }
  }

  package mutating func areEqual(_ left: RowBox, _ right: RowBox) -> Bool {
    if left.isIdentical(to: right) { return true }
    guard left.plan === right.plan else { return false }
    if left.plan.hasLists,
      !compared.insert(Pair(left: left.identity, right: right.identity)).inserted
    {
      return true
    }
    return left.hasValues(of: right, &self)
  }

  package mutating func areEqual(_ left: ListBuffer, _ right: ListBuffer) -> Bool {
    if left === right { return true }
    guard left.count == right.count else { return false }
    for (chunk, other) in zip(left.chunks, right.chunks) where chunk !== other {
      for (slot, otherSlot) in zip(chunk.slots, other.slots) {
        guard areEqual(slot, otherSlot) else { return false }
      }
    }
    return true
  }
}
