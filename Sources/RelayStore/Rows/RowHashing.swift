/// The hashing of rows and lists. A row with lists is hashed once, however often it occurs.
///
/// Equal values have equal hashes because the plan alone decides which rows are hashed separately.
struct RowHashing {
  /// The memoized hashes by identity. Identities are unique because the hashed value keeps its rows
  /// alive.
  private var hashes: [ObjectIdentifier: Int] = [:]

  mutating func combine(_ row: RowBox, into hasher: inout Hasher) {
    let slots = row.slots
    hasher.combine(slots.count)
    for slot in slots { combine(slot, into: &hasher) }
  }

  mutating func combine(_ list: ListBuffer, into hasher: inout Hasher) {
    hasher.combine(list.count)
    for chunk in list.chunks { for slot in chunk.slots { combine(slot, into: &hasher) } }
  }

  mutating func combine(_ slot: RowSlot, into hasher: inout Hasher) {
    switch slot.value {
    case .absent, .null: hasher.combine(0 as UInt8)
    // The spread of a row that was read may equal an explicit reference in a handmade row.
    case .selfReference, .spread: hasher.combine(2 as UInt8)
    case .bool(let value): hasher.combine(value)
    // Equal numbers may have different digits.
    case .int(let value): hasher.combine(Double(value))
    case .number(let value): hasher.combine(value.double ?? 0)
    case .string(let value): value.hashBytes(into: &hasher)
    case .object(let value): hasher.combine(value)
    case .array(let values): hasher.combine(JSONValue.array(values))
    case .scalar(let value): hasher.combine(value)
    case .row(let row) where row.plan.hasLists: hasher.combine(hash(of: row))
    case .row(let row): combine(row, into: &hasher)
    case .list(let list): combine(list, into: &hasher)
    case .failure(let errors): hasher.combine(errors)
    }
  }

  private mutating func hash(of row: RowBox) -> Int {
    if let hash = hashes[row.identity] { return hash }
    var hasher = Hasher()
    combine(row, into: &hasher)
    let hash = hasher.finalize()
    hashes[row.identity] = hash
    return hash
  }
}
