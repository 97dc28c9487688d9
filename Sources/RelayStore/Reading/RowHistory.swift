/// The rows that an observer has shown last, by object and selection.
///
/// They come from the previous snapshot, whose rows are immutable and shared. They are indexed when
/// a read first requests one, so a read without holes has no indexing cost.
struct RowHistory {
  /// An object of a selection. The selection represents the path without the positions in lists.
  struct Key: Hashable, Sendable {
    let id: DataID
    let plan: ObjectIdentifier
  }

  private let previous: RowSnapshot
  /// The rows of the previous snapshot; `nil` until the first request.
  private var rows: [Key: RowBox]?

  init(_ previous: RowSnapshot) { self.previous = previous }

  /// Returns the row last shown for an object; `nil` if there was none or it had a hole.
  ///
  /// - Complexity: O(*n*) in the objects of the previous snapshot for the first call, then O(1).
  mutating func complete(_ key: Key) -> RowBox? {
    previous.partial.contains(key) ? nil : shown(key)
  }

  /// Returns the value last shown in a field of an object; `nil` if there was none, or an object
  /// with a hole.
  mutating func value(at slot: Int, of key: Key) -> RowSlot? {
    guard let value = shown(key)?.slot(at: slot) else { return nil }
    switch value.value {
    case .row(let row): return row.key.map(previous.partial.contains) == false ? value : nil
    case .null, .absent, .failure: return nil
    default: return value
    }
  }

  /// Returns the objects with holes in a value of the previous snapshot.
  func partial(in value: RowSlot) -> Set<Key> {
    if previous.partial.isEmpty { return [] }
    var rows: [Key: RowBox] = [:]
    value.collect(into: &rows)
    return previous.partial.intersection(rows.keys)
  }

  private mutating func shown(_ key: Key) -> RowBox? {
    if rows == nil {
      var found: [Key: RowBox] = [:]
      previous.row?.collect(into: &found)
      rows = found
    }
    return rows?[key]
  }
}

extension RowBox {
  /// The object and the selection; `nil` for a handmade row.
  fileprivate var key: RowHistory.Key? {
    id.map { RowHistory.Key(id: $0, plan: ObjectIdentifier(plan)) }
  }

  /// Adds this row and the rows inside it. Only the first row of each object is added.
  fileprivate func collect(into rows: inout [RowHistory.Key: RowBox]) {
    if let key {
      if rows[key] != nil { return }
      rows[key] = self
    }
    for slot in slots { slot.collect(into: &rows) }
  }
}

extension RowSlot {
  fileprivate func collect(into rows: inout [RowHistory.Key: RowBox]) {
    switch value {
    case .row(let row): row.collect(into: &rows)
    case .list(let list): for slot in list.slots { slot.collect(into: &rows) }
    default: break
    }
  }
}
