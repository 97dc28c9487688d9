import RelayStore

/// Why a snapshot was delivered: which publish has changed which field of which record.
public struct SnapshotCause: Sendable, Hashable, Codable {
  /// The publishes that have changed a record that the data depends on: more than one after a batch, and
  /// for a consumer that has skipped snapshots; of those that it has skipped, the last 100.
  public let publishes: [StoreTimeline.PublishReference]
  /// The fields in which the data differs from the snapshot before, at most 100, without values.
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
