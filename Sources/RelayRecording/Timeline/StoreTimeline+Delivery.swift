public import RelayStore

extension StoreTimeline {
  /// An observer that was read again because a record that it depends on has changed.
  public struct Delivery: Codable, Sendable, Hashable {
    /// The observer; see ``Observer/id``.
    public var observer: Int
    /// The fragment or operation that is observed.
    public var owner: String
    /// The record that it is read from.
    public var record: DataID
    /// The publishes that have changed a record that it depends on: more than one after a batch.
    public var publishes: [PublishReference]
    /// The first changed record that it depends on.
    public var trigger: DataID?
    /// Whether a snapshot was delivered. If not, the value is equal to the one before.
    public var isDelivered: Bool
    /// The fields in which the new snapshot differs from the one before.
    public var changes: [FieldChange]
    /// The paths of the fields that the new snapshot lacks.
    public var missing: [ResponsePath]
  }

  /// A read that has found that data is missing.
  public struct Missing: Codable, Sendable, Hashable {
    /// The fragment or operation that was read.
    public var owner: String
    /// The record that it was read from.
    public var record: DataID
    /// The paths of the fields that are missing.
    public var paths: [ResponsePath]
  }
}
