/// The retention of an operation and its records.
///
/// Dropping it, or calling ``release()``, moves the operation to the store's release buffer.
public final class Retention: Sendable {
  private let isReleased = Locked(false, rank: .consumer)
  private let end: @Sendable () -> Void

  package init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { release() }

  /// Ends the retention; later calls are no-ops.
  public func release() {
    let isFirst = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return !isReleased
    }
    if isFirst { end() }
  }
}
