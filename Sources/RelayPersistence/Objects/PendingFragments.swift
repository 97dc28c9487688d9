import RelayStore

/// The changes that a writer has not saved: the latest for each id.
package struct PendingFragments<Fragment: GraphQLFragment & Identifiable>: Sendable
where Fragment.ID: CustomScalar {
  /// An object to write, with its stamp; `nil` to delete the object.
  package typealias Change = (fragment: Fragment, stamp: FragmentStamp)?

  package private(set) var changes: [DataID: Change] = [:]

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }

  /// Adds the changes of a commit, replacing older changes of the same objects.
  package mutating func add(_ new: FragmentChanges<Fragment>) {
    for (position, fragment) in new.updated.enumerated() {
      // The next mirror rewrites a value without a stamp.
      let stamp = position < new.stamps.count ? new.stamps[position] : .outdated
      changes.updateValue((fragment, stamp), forKey: fragment.recordID)
    }
    for id in new.deletedIDs { changes.updateValue(nil, forKey: DataID(id)) }
  }

  /// Removes and returns all changes.
  package mutating func take() -> Self {
    defer { self = Self() }
    return self
  }

  /// Restores changes that could not be saved. Newer changes of the same objects take precedence.
  package mutating func restore(_ older: Self) {
    changes.merge(older.changes) { newer, _ in newer }
  }

  /// Removes and returns the change of one object.
  mutating func take(_ id: DataID) -> Self {
    var taken = Self()
    if let change = changes.removeValue(forKey: id) {
      taken.changes.updateValue(change, forKey: id)
    }
    return taken
  }

  /// Removes the changes of objects that have newer changes.
  mutating func remove(_ newer: Self) {
    if !isEmpty { changes = changes.filter { newer.changes.index(forKey: $0.key) == nil } }
  }

  /// The ids, starting with deleted objects to free their unique values for others.
  package var ids: [DataID] {
    changes.sorted { left, right in
      (left.value == nil) != (right.value == nil)
        ? left.value == nil : left.key.rawValue.precedesByBytes(right.key.rawValue)
    }.map(\.key)
  }

  /// The changes combined into one commit, in the order of ``ids``.
  var merged: FragmentChanges<Fragment> {
    var merged = FragmentChanges<Fragment>()
    for id in ids {
      if let (fragment, stamp) = changes[id] ?? nil {
        merged.updated.append(fragment)
        merged.stamps.append(stamp)
      } else {
        merged.deletedIDs.append(id.rawValue)
      }
    }
    return merged
  }
}

extension GraphQLFragment where Self: Identifiable, Self.ID: CustomScalar {
  /// The id of the fragment's object or row, equal to the record's id.
  var recordID: DataID { (id as? String).map { DataID($0) } ?? DataID(id) ?? DataID("") }
}
