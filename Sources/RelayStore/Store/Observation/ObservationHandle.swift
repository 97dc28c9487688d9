/// The lifetime of an observation by a closure; see
/// ``RelayEnvironment/observe(_:onChange:)-(FragmentRef<Fragment>,_)``.
///
/// Dropping the handle cancels the observation, as ``cancel()`` does.
public final class ObservationHandle: Sendable {
  private let receiver: any CancellableReceiver
  private let end: @Sendable () -> Void

  init(receiver: any CancellableReceiver, end: @escaping @Sendable () -> Void) {
    self.receiver = receiver
    self.end = end
  }

  deinit { cancel() }

  /// Cancels the observation. No call begins after this has returned, except one that another
  /// thread is about to make. Calling it again does nothing.
  public func cancel() {
    if receiver.cancel() { end() }
  }
}

/// A receiver that can be cancelled.
protocol CancellableReceiver: Sendable {
  /// Ends the calls.
  ///
  /// - Returns: Whether this call cancelled it, rather than an earlier one.
  func cancel() -> Bool
}
