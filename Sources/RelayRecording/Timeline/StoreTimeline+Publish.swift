public import RelayStore

extension StoreTimeline {
  /// Changes that became visible together.
  public struct Publish: Codable, Sendable, Hashable {
    /// The cause of the changes.
    public var cause: Cause
    /// The revision of the store afterwards; see ``/RelayStore/Snapshot/revision``.
    public var revision: Int
    /// The number of records that have changed.
    public var changedRecords: Int
    /// The changed records; the first 1,000 if there are more.
    public var records: [RecordChange]
    /// The optimistic updates that were applied; see ``Layer/id``.
    public var addedLayers: [Int]
    /// The optimistic updates that have ended.
    public var removedLayers: [Int]
  }

  /// A record that a publish has changed, as readers see it.
  public struct RecordChange: Codable, Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: String, Codable, Sendable {
      /// The record was created.
      case created
      /// Fields of the record have changed.
      case changed
      /// The record was deleted, or all data of it is gone.
      case deleted
      /// The record was written with equal fields, or something about it that is no field has
      /// changed.
      case written
    }

    /// The record.
    public var record: DataID
    /// Its type, if it is known.
    public var typeName: String?
    /// The kind of change.
    public var kind: Kind
    /// The fields that have changed, in the order of their names.
    public var fields: [FieldChange]
  }

  /// A publish by its event, and what it means for an observer.
  public struct PublishReference: Codable, Sendable, Hashable {
    /// The number of the event; see ``Event/id``.
    public let event: Int
    /// The cause of the publish.
    public let cause: Cause
    /// The optimistic updates that have ended with a response, and had written a record that the
    /// observer depends on; see ``Layer/id``.
    public let endedLayers: [Int]
    /// Whether the publish has written a record that the observer depends on. Otherwise its data has
    /// changed only because ``endedLayers`` have ended, as after a mutation that the server refused.
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
