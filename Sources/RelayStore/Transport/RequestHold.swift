/// A counter of one request's waits that only a test can end: in a mock transport, at a closed
/// gate, or on a virtual clock.
///
/// A transport runs with its request's hold as a task-local value; ``begin()`` and ``end()``
/// bracket each wait.
package final class RequestHold: Sendable {
  /// The hold of the request that this task sends.
  @TaskLocal package static var current: RequestHold?

  private let count = Locked(0, rank: .leaf)

  package init() {}

  /// Whether the request is waiting for the test.
  package var isHeld: Bool { count.withLock { $0 > 0 } }

  /// Starts a wait.
  package func begin() { count.withLock { $0 += 1 } }

  /// Ends a wait; called before the waiting task is resumed.
  package func end() { count.withLock { $0 -= 1 } }
}
