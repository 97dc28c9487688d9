import RelayStore

/// The changes that a writer has not saved: the newest for each id.
package struct PendingFragments<Fragment: GraphQLFragment & Identifiable>: Sendable
where Fragment.ID: CustomScalar {
  /// An object to write with its stamp; `nil` for one to delete.
  package typealias Change = (fragment: Fragment, stamp: FragmentStamp)?

  package private(set) var changes: [DataID: Change] = [:]

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }

  /// Adds the changes of a commit, in place of older ones.
  package mutating func add(_ new: FragmentChanges<Fragment>) {
    for (position, fragment) in new.updated.enumerated() {
      // A value without a stamp is written again by the next mirror.
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

  /// Adds changes again that could not be saved. Newer changes of the same objects stay.
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

  /// Removes the changes of the objects that have newer ones.
  mutating func remove(_ newer: Self) {
    if !isEmpty { changes = changes.filter { newer.changes.index(forKey: $0.key) == nil } }
  }

  /// The ids: first those of deleted objects, so that others can have their unique values.
  package var ids: [DataID] {
    changes.sorted { left, right in
      (left.value == nil) != (right.value == nil)
        ? left.value == nil : left.key.rawValue.precedesByBytes(right.key.rawValue)
    }.map(\.key)
  }

  /// The changes as those of one commit, in the order of their ids.
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
  /// The id of the fragment's object or row, which is that of the record.
  var recordID: DataID { (id as? String).map { DataID($0) } ?? DataID(id) ?? DataID("") }
}
