import RelayStore

/// A comparison of two snapshots that lists the fields that differ.
///
/// Shared rows are skipped. A pair of rows with lists is compared once, at the first of its
/// positions.
struct SnapshotDifference {
  private struct Pair: Hashable {
    let left: ObjectIdentifier
    let right: ObjectIdentifier
  }

  /// How changes include the values before and after.
  enum Values {
    case none, redacted, all
  }

  private(set) var changes: [StoreTimeline.FieldChange] = []
  private let limit: Int
  private let values: Values
  private var compared: Set<Pair> = []
  /// The paths of fields that have arrived or gone missing and are not yet part of a listed change.
  private var presence: [Path: StoreTimeline.FieldChange.Aspect] = [:]
  /// The ids of records that the new snapshot found deleted.
  private var deleted: Set<DataID> = []

  /// - Parameters:
  ///   - limit: The maximum number of listed changes.
  ///   - values: How changes include the values before and after.
  init(limit: Int, values: Values) {
    self.limit = limit
    self.values = values
  }

  private typealias Path = [ResponsePath.Component]

  private mutating func append(_ change: StoreTimeline.FieldChange) {
    // Several selections of one field are one change.
    if changes.count < limit, !changes.contains(change) { changes.append(change) }
  }

  /// Compares two snapshots of one definition.
  mutating func compare(
    _ old: RowSnapshot, _ new: RowSnapshot, under path: [ResponsePath.Component] = []
  ) {
    let presence = FieldPresence(old, new)
    self.presence = .init(
      uniqueKeysWithValues: presence.changes.map { (path + $0.path, $0.aspect) })
    deleted = Set(new.hidden.filter { $0.state == .deleted }.map(\.box.id))
    compareRows(old, new, at: path)
    let isChanged = old.isDeleted != new.isDeleted || old.isNotLoaded != new.isNotLoaded
    if isChanged, (old.row == nil) == (new.row == nil) {
      append(
        .init(
          record: new.row?.id, path: ResponsePath(path),
          aspect: new.isDeleted ? .deleted : .record))
    }
    for change in presence.changes {
      let changed = path + change.path
      guard let aspect = self.presence.removeValue(forKey: changed) else { continue }
      append(.init(path: ResponsePath(changed), aspect: aspect))
    }
    compare(old.errors.map(\.path), new.errors.map(\.path), as: .error, under: path)
    if old.errors != new.errors, old.errors.map(\.path) == new.errors.map(\.path) {
      for error in new.errors where !old.errors.contains(error) {
        append(.init(path: ResponsePath(path + error.path.components), aspect: .error))
      }
    }
    if old.pending != new.pending { append(.init(path: ResponsePath(path), aspect: .pending)) }
  }

  private mutating func compareRows(_ old: RowSnapshot, _ new: RowSnapshot, at path: Path) {
    if let before = old.row, let after = new.row { return compare(before, after, at: path) }
    guard let row = old.row ?? new.row else { return }
    // The change of the entire row implies this one.
    presence[path] = nil
    let aspect: StoreTimeline.FieldChange.Aspect =
      if new.row != nil {
        .arrived
      } else if new.isDeleted {
        .deleted
      } else {
        new.missing.isEmpty ? .record : .missing
      }
    append(
      .init(
        record: row.id, typeName: row.record?.typeName, path: ResponsePath(path), aspect: aspect))
  }

  /// Lists the paths that only one of the snapshots has.
  private mutating func compare(
    _ old: [ResponsePath], _ new: [ResponsePath], as aspect: StoreTimeline.FieldChange.Aspect,
    under path: [ResponsePath.Component]
  ) {
    if old == new { return }
    for found in Set(old).symmetricDifference(new).sorted(by: { "\($0)" < "\($1)" }) {
      append(.init(path: ResponsePath(path + found.components), aspect: aspect))
    }
  }

  private mutating func compare(_ old: RowBox, _ new: RowBox, at path: Path) {
    if old.isIdentical(to: new) || changes.count >= limit { return }
    guard old.plan === new.plan, old.id == new.id else {
      return append(
        .init(
          record: new.id, typeName: new.record?.typeName, path: ResponsePath(path),
          aspect: .record))
    }
    if old.plan.hasLists,
      !compared.insert(Pair(left: old.identity, right: new.identity)).inserted
    {
      return
    }
    for (position, slot) in new.plan.slots.enumerated() {
      let (a, b) = (old.slot(at: position), new.slot(at: position))
      switch slot.content {
      case .field(let field):
        compare(a, b, of: field, in: new, at: path + [.field(field.responseKey)])
      case .spread:
        if case (.row(let left), .row(let right)) = (a.value, b.value) {
          compare(left, right, at: path)
        }
      case .condition: break
      }
    }
  }

  private mutating func compare(
    _ old: RowSlot, _ new: RowSlot, of field: PlanField, in row: RowBox, at path: Path
  ) {
    switch (old.value, new.value) {
    case (.row(let a), .row(let b)) where a.id == b.id: compare(a, b, at: path)
    case (.list(let a), .list(let b)) where a === b: break
    case (.list(let a), .list(let b)) where field.child != nil:
      compare(a, b, of: field, in: row, at: path)
    default:
      var comparison = RowComparison()
      if !comparison.areEqual(old, new) { append(field, of: row, at: path, old: old, new: new) }
    }
  }

  /// Compares two lists of objects: first the lists themselves, then the elements in both.
  private mutating func compare(
    _ old: ListBuffer, _ new: ListBuffer, of field: PlanField, in row: RowBox, at path: Path
  ) {
    let (left, right) = (old.slots, new.slots)
    if left.count != right.count || !zip(left, right).allSatisfy({ $0.hasSameRecord(as: $1) }) {
      append(
        field, of: row, at: path, old: RowSlot(.list(old)), new: RowSlot(.list(new)))
    }
    var byID: [DataID: RowBox] = [:]
    for case let element? in left.lazy.map(\.row) {
      if let id = element.id { byID[id] = element }
    }
    for (position, slot) in right.enumerated() {
      if position < left.count, left[position].hasSameRecord(as: slot) {
        compare(left[position], slot, of: field, in: row, at: path + [.index(position)])
      } else if let element = slot.row, let id = element.id, let other = byID[id] {
        compare(other, element, at: path + [.index(position)])
      }
    }
  }

  private mutating func append(
    _ field: PlanField, of row: RowBox, at path: Path, old: RowSlot, new: RowSlot
  ) {
    append(
      .init(
        record: row.id, typeName: row.record?.typeName,
        field: field.storageKey(row.binding?.variables ?? [:]), path: ResponsePath(path),
        aspect: presence.removeValue(forKey: path) ?? .value,
        before: text(of: old), after: text(of: new)))
    if !deleted.isEmpty { appendDeleted(old, at: path) }
  }

  private func text(of slot: RowSlot) -> String? {
    switch (values, slot.value) {
    case (.none, _), (_, .absent): nil
    case (.redacted, .null): StoreTimeline.FieldChange.redacted(true)
    case (.redacted, _): StoreTimeline.FieldChange.redacted(false)
    case (.all, _): slot.summary
    }
  }

  /// Lists the deleted records that a field links to; the links themselves have not changed.
  private mutating func appendDeleted(_ old: RowSlot, at path: Path) {
    switch old.value {
    case .row(let row):
      guard let id = row.id, deleted.contains(id) else { return }
      append(
        .init(
          record: id, typeName: row.record?.typeName, path: ResponsePath(path), aspect: .deleted))
    case .list(let list): for slot in list.slots { appendDeleted(slot, at: path) }
    default: break
    }
  }
}

extension RowSlot {
  /// Returns whether both are objects of one record, both are lists of equal length, or neither is
  /// an object or a list.
  fileprivate func hasSameRecord(as other: RowSlot) -> Bool {
    switch (value, other.value) {
    case (.row(let a), .row(let b)): a.id == b.id
    case (.list(let a), .list(let b)): a.count == b.count
    case (.row, _), (_, .row), (.list, _), (_, .list): false
    default: true
    }
  }

  /// The value as JSON, with ids instead of objects; `nil` for an absent value.
  fileprivate var summary: String? {
    switch value {
    case .absent: nil
    case .row(let row): row.id.map { JSONValue.string($0.rawValue).description } ?? "{…}"
    case .list(let list): "[" + list.slots.map { $0.summary ?? "null" }.joined(separator: ",") + "]"
    default: JSONValue(self).description
    }
  }
}
