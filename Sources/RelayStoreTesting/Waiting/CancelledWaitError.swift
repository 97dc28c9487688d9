/// The error of a test's wait when its task was cancelled, for example by a suite's time limit.
///
///     Cancelled while waiting for a request of "FeedQuery". So far: "ViewerQuery" (ended).
///
/// Thrown by `next`, `delivered` and `cancelled` of a ``MockTransport`` and its requests, and by
/// the waits of ``Gate``, ``VirtualClock`` and ``SubscriptionSource``. If its condition already
/// holds, a wait returns even in a cancelled task.
public struct CancelledWaitError: Error, Hashable, CustomStringConvertible {
  /// The condition: `a request of "FeedQuery"`, `2 sleeping tasks`.
  public let awaited: String
  /// The arrivals at the time of the cancellation: `1 sleeping task, until 5.0 seconds`.
  public let arrived: String

  /// The condition and the arrivals.
  public var description: String {
    "Cancelled while waiting for \(awaited). So far: \(arrived)."
  }
}
