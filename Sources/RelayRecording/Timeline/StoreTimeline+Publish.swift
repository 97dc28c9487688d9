public import RelayStore

extension StoreTimeline {
  /// Changes that became visible together.
  public struct Publish: Codable, Sendable, Hashable {
    /// The cause of the changes.
    public var cause: Cause
    /// The store's revision after the publish; see ``/RelayStore/Snapshot/revision``.
    public var revision: Int
    /// The number of changed records.
    public var changedRecords: Int
    /// The changed records, at most the first 1,000.
    public var records: [RecordChange]
    /// The optimistic updates that were applied; see ``Layer/id``.
    public var addedLayers: [Int]
    /// The optimistic updates that have ended.
    public var removedLayers: [Int]
  }

  /// A record changed by a publish, as readers see it.
  public struct RecordChange: Codable, Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: String, Codable, Sendable {
      /// The record was created.
      case created
      /// Fields of the record have changed.
      case changed
      /// The record was deleted, or all of its data was removed.
      case deleted
      /// The record was written with equal fields, or a property other than its fields changed.
      case written
    }

    /// The record.
    public var record: DataID
    /// The record's type, if it is known.
    public var typeName: String?
    /// The kind of change.
    public var kind: Kind
    /// The changed fields, sorted by name.
    public var fields: [FieldChange]
  }

  /// A reference to a publish, and its effect on an observer.
  public struct PublishReference: Codable, Sendable, Hashable {
    /// The number of the event; see ``Event/id``.
    public let event: Int
    /// The cause of the publish.
    public let cause: Cause
    /// The optimistic updates that a response ended and that had written a record that the observer
    /// depends on; see ``Layer/id``.
    public let endedLayers: [Int]
    /// Whether the publish has written a record that the observer depends on. If not, the
    /// observer's data changed only because ``endedLayers`` ended, as after a mutation that the
    /// server rejected.
    public let isWritten: Bool

  }
}

extension StoreTimeline.PublishReference: CustomStringConvertible {
  /// The cause with the event, as in `response to FeedQuery (event 7)`.
  public var description: String {
    let update = "optimistic update" + (cause.operation.map { " of \($0)" } ?? "")
    if !isWritten { return "end of the \(update) (event \(event))" }
    return
      "\(cause)\(endedLayers.isEmpty ? "" : ", and end of its optimistic update") (event \(event))"
  }
}
