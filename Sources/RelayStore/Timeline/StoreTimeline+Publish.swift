extension StoreTimeline {
  /// Changes that became visible together.
  public struct Publish: Codable, Sendable, Hashable {
    /// The cause of the changes.
    public var cause: Cause
    /// The revision of the store afterwards; see ``Snapshot/revision``.
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

  /// A publish by its event, and its cause.
  public struct PublishReference: Codable, Sendable, Hashable {
    /// The number of the event; see ``Event/id``.
    public let event: Int
    /// The cause of the changes.
    public let cause: Cause

    package init(event: Int, cause: Cause) { (self.event, self.cause) = (event, cause) }
  }
}
