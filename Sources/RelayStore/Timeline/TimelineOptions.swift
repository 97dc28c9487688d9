/// The limits of a store's timeline. When either limit is reached, the oldest events are dropped.
public struct TimelineOptions: Sendable, Hashable {
  /// The maximum number of events; at least 1.
  public var eventLimit: Int { didSet { eventLimit = max(1, eventLimit) } }
  /// The maximum size of the events in bytes, including records and rows that only they keep alive.
  /// An estimate.
  public var byteLimit: Int { didSet { byteLimit = max(0, byteLimit) } }

  /// Creates limits; 10,000 events and 32 MiB by default.
  public init(eventLimit: Int = 10_000, byteLimit: Int = 32 << 20) {
    self.eventLimit = max(1, eventLimit)
    self.byteLimit = max(0, byteLimit)
  }
}
