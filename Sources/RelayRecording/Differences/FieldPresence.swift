import RelayStore

/// The fields that are missing from one of two snapshots of a definition, but not from the other.
///
/// Missing fields are identified by their records. So a list element that has moved, and whose
/// field is still missing, is not a difference.
struct FieldPresence {
  /// A path, and whether its data has arrived or is now missing.
  typealias Change = (path: [ResponsePath.Component], aspect: StoreTimeline.FieldChange.Aspect)

  /// The innermost object on the path to a field, and the rest of the path.
  private struct Location: Hashable {
    let record: DataID?
    let rest: [ResponsePath.Component]
  }

  /// The differences: arrived data first, then missing data, each in the order of the snapshots'
  /// paths.
  private(set) var changes: [Change] = []

  init(_ old: RowSnapshot, _ new: RowSnapshot) {
    // Data that may be on the disk does not count as missing.
    if old.missing == new.missing || old.isNotLoaded || new.isNotLoaded { return }
    func locations(_ snapshot: RowSnapshot, _ other: RowSnapshot) -> [Location] {
      snapshot.missing.map { Self.location(of: $0, in: snapshot.row ?? other.row) }
    }
    let (before, after) = (locations(old, new), locations(new, old))
    let (oldLocations, newLocations) = (Set(before), Set(after))
    for (path, location) in zip(old.missing, before) where !newLocations.contains(location) {
      // A removed object has no fields.
      let found = Self.location(of: path, in: new.row)
      if new.row != nil, found.record == location.record || found.rest.count < location.rest.count {
        changes.append((path.components, .arrived))
      }
    }
    for (path, location) in zip(new.missing, after) where !oldLocations.contains(location) {
      changes.append((path.components, .missing))
    }
  }

  private static func location(of path: ResponsePath, in row: RowBox?) -> Location {
    guard var current = row else { return Location(record: nil, rest: path.components) }
    var rest = path.components[...]
    while let (row, next) = current.object(on: rest) { (current, rest) = (row, next) }
    return Location(record: current.id, rest: Array(rest))
  }
}

extension RowBox {
  /// Returns the next object on a path and the rest of the path, or `nil`.
  fileprivate func object(
    on path: ArraySlice<ResponsePath.Component>
  ) -> (RowBox, ArraySlice<ResponsePath.Component>)? {
    guard case .field(let name)? = path.first else { return nil }
    for (position, slot) in plan.slots.enumerated() {
      let value = self.slot(at: position).value
      switch slot.content {
      case .field(let field) where field.responseKey == name:
        if let found = value.object(on: path.dropFirst()) { return found }
      case .spread:
        if case .row(let row) = value, let found = row.object(on: path) { return found }
      default: break
      }
    }
    return nil
  }
}

extension RowSlot.Value {
  /// Returns the object at the indices at the start of a path, and the rest of the path.
  fileprivate func object(
    on path: ArraySlice<ResponsePath.Component>
  ) -> (RowBox, ArraySlice<ResponsePath.Component>)? {
    switch (self, path.first) {
    case (.row(let row), _): return (row, path)
    case (.list(let list), .index(let index)?):
      guard list.slots.indices.contains(index) else { return nil }
      return list.slots[index].value.object(on: path.dropFirst())
    default: return nil
    }
  }
}
