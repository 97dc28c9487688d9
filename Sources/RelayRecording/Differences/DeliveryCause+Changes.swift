import RelayStore

extension DeliveryCause {
  /// The publishes that changed a record that the data depends on, before or after the change.
  ///
  /// - Complexity: O(*n*) in the records that the publishes of a batch changed, and in the records
  ///   that the data depends on; O(1) for a single publish.
  var publishes: [StoreTimeline.PublishReference] {
    group.references { seen }
  }

  /// The maximum number of listed changes.
  static let changeLimit = 100

  /// Returns the differences, at most ``changeLimit``.
  ///
  /// - Complexity: O(*n*) in the fields of rows that the snapshots do not share.
  func changes() -> [StoreTimeline.FieldChange] {
    var difference = SnapshotDifference(limit: Self.changeLimit, values: .none)
    for part in parts {
      difference.compare(part.old, part.new, under: part.position.map { [.index($0)] } ?? [])
    }
    return difference.changes
  }
}
