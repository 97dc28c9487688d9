/// A retention of an operation, whose records it keeps.
///
/// Dropping it, or calling ``release()``, moves the operation to the store's release buffer.
public final class Retention: Sendable {
  private let isReleased = Locked(false, rank: .consumer)
  private let end: @Sendable () -> Void

  package init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { release() }

  /// Ends the retention; calling it again does nothing.
  public func release() {
    let isFirst = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return !isReleased
    }
    if isFirst { end() }
  }
}
