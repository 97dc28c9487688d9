/// What keeps a closure informed of changes; see ``RelayEnvironment/observe(_:onChange:)-(FragmentRef<Fragment>,_)``.
///
/// Dropping it ends the calls, as ``cancel()`` does.
public final class ObservationHandle: Sendable {
  private let receiver: any CancellableReceiver
  private let end: @Sendable () -> Void

  init(receiver: any CancellableReceiver, end: @escaping @Sendable () -> Void) {
    self.receiver = receiver
    self.end = end
  }

  deinit { cancel() }

  /// Ends the calls: none begins after this has returned, but for one that another thread is about to
  /// make. Calling it again does nothing.
  public func cancel() {
    if receiver.cancel() { end() }
  }
}

/// A receiver whose calls can be ended.
protocol CancellableReceiver: Sendable {
  /// Ends the calls; returns whether they were not ended before.
  func cancel() -> Bool
}
