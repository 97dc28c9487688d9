/// The number of values in flight: delivered, but not yet received by the consumer's code. Such a
/// value belongs to an iterator that is about to resume or to a recorder that is still processing
/// it, or is being sent to the main actor.
///
/// Tests wait for the count to be zero. The lock guards the count alone; it is a leaf of the lock
/// order.
package final class PendingDeliveries: Sendable {
  /// Whether the current task is a recorder: it receives values in a loop that always calls for the
  /// next one.
  @TaskLocal package static var isRecording = false

  private let count = Locked(0, rank: .leaf)

  /// Whether no value is in flight.
  package var isEmpty: Bool { count.withLock { $0 == 0 } }

  /// Counts a value until the returned object is released.
  func begin() -> PendingDelivery { PendingDelivery(in: self) }

  fileprivate func add(_ number: Int) { count.withLock { $0 += number } }
}

/// A value in flight. It travels with the value, and counts until it is released.
final class PendingDelivery: Sendable {
  private let deliveries: PendingDeliveries

  fileprivate init(in deliveries: PendingDeliveries) {
    self.deliveries = deliveries
    deliveries.add(1)
  }

  deinit { deliveries.add(-1) }
}

/// The delivery of a future outcome: in flight from ``begin()`` until ``end()``, or until it is
/// released.
package final class OutcomeDelivery: Sendable {
  private let deliveries: PendingDeliveries
  private let current: Locked<PendingDelivery?>

  init(in deliveries: PendingDeliveries, isInFlight: Bool = false) {
    self.deliveries = deliveries
    current = Locked(isInFlight ? deliveries.begin() : nil, rank: .leaf)
  }

  func begin() { replace(by: deliveries.begin()) }

  func end() { replace(by: nil) }

  /// Replaces the current delivery and releases the old one after unlocking.
  private func replace(by new: PendingDelivery?) {
    var other = new
    current.withLock { swap(&$0, &other) }
  }
}
