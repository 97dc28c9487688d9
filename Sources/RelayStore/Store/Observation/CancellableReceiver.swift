/// A receiver that can be cancelled.
package protocol CancellableReceiver: Sendable {
  /// Ends the calls.
  ///
  /// - Returns: Whether this call cancelled the receiver, rather than an earlier one.
  func cancel() -> Bool
}
