public import RelayStore

extension StoreTimeline {
  /// A change of the number of an operation's retentions.
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
    /// The number of records that were kept.
    public var kept: Int
    /// The number of slices in which it was done.
    public var slices: Int
    /// The time that the slices took, in seconds.
    public var duration: Double
    /// The time from the first slice to the last, in seconds.
    public var span: Double
    /// The ids of removed records: the first 1,000. Those that list the abstract types of a type
    /// are not among them.
    public var collectedIDs: [DataID]
  }

  /// An event of the store that has a line of text only.
  public struct Note: Codable, Sendable, Hashable {
    /// The text; see ``/RelayStore/StoreEvent``.
    public var text: String
    /// Whether it reports a failure or a probable mistake.
    public var isProblem: Bool
  }
}
