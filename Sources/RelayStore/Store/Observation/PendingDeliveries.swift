/// The number of values that were handed over and that no consumer's code has seen yet: those of iterators that are
/// about to resume, of recorders that have not come back for more, and those on their way to the main actor.
///
/// Tests wait for it to be zero. The lock guards the count alone; it is a leaf of the lock order.
package final class PendingDeliveries: Sendable {
  /// Whether the task takes values in a loop that always comes back for the next one.
  @TaskLocal package static var isRecording = false

  private let count = Locked(0, rank: .leaf)

  package init() {}

  /// Whether every value that was handed over was seen.
  package var isEmpty: Bool { count.withLock { $0 == 0 } }

  func begin() { count.withLock { $0 += 1 } }

  func end() { count.withLock { $0 -= 1 } }
}
