/// The limits of a store's timeline. When either limit is reached, the oldest events are dropped.
public struct TimelineOptions: Sendable, Hashable {
  /// The maximum number of events; at least 1.
  public var eventLimit: Int { didSet { eventLimit = max(1, eventLimit) } }
  /// The maximum size of the events in bytes, including responses, and records and rows that only
  /// they keep alive. An estimate.
  public var byteLimit: Int { didSet { byteLimit = max(0, byteLimit) } }
  /// The number of bytes recorded of each response; the rest is cut off. They count towards
  /// ``byteLimit``.
  public var responseByteLimit: Int { didSet { responseByteLimit = max(0, responseByteLimit) } }

  /// Creates limits; 10,000 events, 32 MiB, and 64 KiB of each response by default.
  public init(
    eventLimit: Int = 10_000, byteLimit: Int = 32 << 20, responseByteLimit: Int = 64 << 10
  ) {
    self.eventLimit = max(1, eventLimit)
    self.byteLimit = max(0, byteLimit)
    self.responseByteLimit = max(0, responseByteLimit)
  }
}
