public import RelayStore

extension StoreTimeline {
  /// A change in the number of an operation's retentions.
  public struct RetentionChange: Codable, Sendable, Hashable {
    /// The operation's name.
    public var operation: String
    /// The variables as JSON; `nil` if values are redacted.
    public var variables: String?
    /// Whether it was retained; otherwise it was released.
    public var isRetained: Bool
    /// The number of its retentions afterwards.
    public var count: Int
  }

  /// A garbage collection that has ended.
  public struct GarbageCollection: Codable, Sendable, Hashable {
    /// The number of records that were removed.
    public var collected: Int
    /// The number of records that were retained.
    public var retained: Int
    /// The number of slices of the collection.
    public var slices: Int
    /// The time spent in the slices, in seconds.
    public var duration: Double
    /// The time from the first slice to the last, in seconds.
    public var span: Double
    /// The ids of removed records, at most the first 1,000. Excludes records that list the abstract
    /// types of a type.
    public var collectedIDs: [DataID]
  }

  /// A store event that consists only of a line of text.
  public struct Note: Codable, Sendable, Hashable {
    /// The text; see ``/RelayStore/StoreEvent``.
    public var text: String
    /// Whether it reports a failure or a probable mistake.
    public var isProblem: Bool
  }
}
