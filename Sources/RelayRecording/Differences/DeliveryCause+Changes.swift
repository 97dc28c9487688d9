import RelayStore

extension DeliveryCause {
  /// The publishes that have changed a record that the data depends on, before or after.
  ///
  /// - Complexity: O(*n*) in the records that the publishes of a batch have changed, and in those that
  ///   the data depends on; O(1) for a single publish.
  var publishes: [StoreTimeline.PublishReference] {
    group.references { seen }
  }

  /// The largest number of changes that are listed.
  static let changeLimit = 100

  /// Returns the differences, at most ``changeLimit``.
  ///
  /// - Complexity: O(*n*) in the fields of the rows that are not shared by both snapshots.
  func changes() -> [StoreTimeline.FieldChange] {
    var difference = SnapshotDifference(limit: Self.changeLimit, values: .none)
    for part in parts {
      difference.compare(part.old, part.new, under: part.position.map { [.index($0)] } ?? [])
    }
    return difference.changes
  }
}
