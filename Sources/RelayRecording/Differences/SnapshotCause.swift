import RelayStore

/// The reason why a snapshot was delivered: which publish changed which field of which record.
public struct SnapshotCause: Sendable, Hashable, Codable {
  /// The publishes that changed a record that the data depends on: several after a batch or after
  /// skipped snapshots. Includes at most the last 100 skipped ones.
  public let publishes: [StoreTimeline.PublishReference]
  /// The fields that differ from the previous snapshot, at most 100, without values.
  public let changes: [StoreTimeline.FieldChange]

  init(_ cause: DeliveryCause) {
    publishes = cause.publishes
    changes = cause.changes()
  }
}

extension SnapshotCause: CustomStringConvertible {
  /// The cause on one line: `response to FeedQuery (event 7): feed[0].text: text of Todo "1"`.
  public var description: String {
    publishes.map(\.description).joined(separator: ", ") + ": "
      + changes.map(\.description).joined(separator: ", ")
  }
}
