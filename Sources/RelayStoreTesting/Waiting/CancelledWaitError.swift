/// The error of a test's wait whose task was cancelled, for example by the time limit of a suite.
///
///     Cancelled while waiting for a request of "FeedQuery". So far: "ViewerQuery" (ended).
///
/// `next`, `delivered` and `cancelled` of a ``MockTransport`` and its requests throw it, as do the
/// waits of ``Gate``, ``VirtualClock`` and ``SubscriptionSource``. A wait whose condition holds
/// already returns, even in a cancelled task.
public struct CancelledWaitError: Error, Hashable, CustomStringConvertible {
  /// The condition: `a request of "FeedQuery"`, `2 sleeping tasks`.
  public let awaited: String
  /// What had arrived when the task was cancelled: `1 sleeping task, until 5.0 seconds`.
  public let arrived: String

  /// The condition, and what had arrived.
  public var description: String {
    "Cancelled while waiting for \(awaited). So far: \(arrived)."
  }
}
