/// The limits of what a store records for a timeline. Whichever is reached first drops the oldest
/// events.
public struct TimelineOptions: Sendable, Hashable {
  /// The maximum number of events; at least 1.
  public var eventLimit: Int
  /// The maximum size of the recorded events in bytes, with the records and rows that only they
  /// keep alive. It is estimated.
  public var byteLimit: Int

  /// Creates limits; 10,000 events and 32 MiB by default.
  public init(eventLimit: Int = 10_000, byteLimit: Int = 32 << 20) {
    self.eventLimit = max(1, eventLimit)
    self.byteLimit = max(0, byteLimit)
  }
}
