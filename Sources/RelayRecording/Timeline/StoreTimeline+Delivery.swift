public import RelayStore

extension StoreTimeline {
  /// A repeated read of an observer, because a record that it depends on has changed.
  public struct Delivery: Codable, Sendable, Hashable {
    /// The observer; see ``Observer/id``.
    public var observer: Int
    /// The observed fragment or operation.
    public var owner: String
    /// The record that the data is read from.
    public var record: DataID
    /// The publishes that changed a record that the data depends on: more than one after a batch.
    public var publishes: [PublishReference]
    /// The first changed record that the data depends on.
    public var trigger: DataID?
    /// Whether a snapshot was delivered. If not, the value is equal to the previous one.
    public var isDelivered: Bool
    /// The fields that differ from the previous snapshot.
    public var changes: [FieldChange]
    /// The paths of fields missing from the new snapshot.
    public var missing: [ResponsePath]
  }

  /// A read that found missing data.
  public struct Missing: Codable, Sendable, Hashable {
    /// The fragment or operation that was read.
    public var owner: String
    /// The record that it was read from.
    public var record: DataID
    /// The paths of the missing fields.
    public var paths: [ResponsePath]
  }
}
