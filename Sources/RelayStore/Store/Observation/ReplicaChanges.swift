/// The changes of a replica that its consumer has not received: the newest row of each record.
package struct ReplicaChanges: Sendable {
  /// The change of a record: its id; its row, `nil` if it has left the replica; the revision of the
  /// persisted store that will have the row; and the rules for the row's stamp.
  package typealias Change = (
    id: DataID, row: RowBox?, revision: PersistenceRevision?, hashing: FragmentHashing?
  )

  /// The changes in order.
  package private(set) var rows: [Change] = []
  /// The position of each record's change.
  private var positions: [DataID: Int] = [:]
  /// Whether the store was still loading its records at the time of the last change.
  package var isNotLoaded = false

  package init() {}

  var isEmpty: Bool { rows.isEmpty }

  /// Inserts the new row of a record, replacing its previous one.
  mutating func insert(_ change: Change) {
    if let position = positions[change.id] {
      rows[position] = change
    } else {
      positions[change.id] = rows.count
      rows.append(change)
    }
  }

  /// Inserts later changes.
  package mutating func formUnion(_ later: ReplicaChanges) {
    for change in later.rows { insert(change) }
    isNotLoaded = later.isNotLoaded
  }
}
