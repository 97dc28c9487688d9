/// The number of values in flight: delivered, but not yet received by the consumer's code. These
/// are values of iterators that are about to resume, of recorders that are still processing them,
/// and values being sent to the main actor.
///
/// Tests wait for the count to be zero. The lock guards the count alone; it is a leaf of the lock
/// order.
package final class PendingDeliveries: Sendable {
  /// Whether the current task is a recorder: it receives values in a loop that always calls for the
  /// next one.
  @TaskLocal package static var isRecording = false

  private let count = Locked(0, rank: .leaf)

  package init() {}

  /// Whether no value is in flight.
  package var isEmpty: Bool { count.withLock { $0 == 0 } }

  func begin() { count.withLock { $0 += 1 } }

  func end() { count.withLock { $0 -= 1 } }
}
