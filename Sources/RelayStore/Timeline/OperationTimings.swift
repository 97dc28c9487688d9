/// The durations of an operation's phases, in seconds. Durations of several responses are added up.
public struct OperationTimings: Codable, Sendable, Hashable {
  /// The time from the call until the request was sent.
  public var queued = 0.0
  /// The time in the transport: sending, waiting and receiving.
  public var network = 0.0
  /// The time spent parsing and normalizing responses.
  public var parsing = 0.0
  /// The time spent merging, publishing and delivering responses.
  public var publishing = 0.0
  /// The time from the call until the end.
  public var total = 0.0

  /// Creates durations of zero.
  public init() {}
}
