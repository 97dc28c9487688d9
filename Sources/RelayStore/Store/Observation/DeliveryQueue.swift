import Foundation

/// The deliveries of one thread that wait for the end of its running callback.
///
/// A commit made inside a callback appends its deliveries here and returns. The thread's outermost
/// commit, of whichever store, delivers them once the callback has returned. The stack is therefore
/// one callback deep, however many commits trigger each other. Each thread has its own queue, so no
/// thread waits for another's callback. The queue is not `Sendable` and needs no lock because only
/// its thread can reach it.
package final class DeliveryQueue {
  /// The remaining deliveries, in reverse order.
  private var waiting: [Delivery] = []
  /// The maximum number of waiting deliveries before superseded ones are removed.
  private var limit = 1024

  /// The queue of the current thread while it delivers; `nil` otherwise.
  ///
  /// The thread-specific value is an unretained reference. It is valid because ``deliver(_:)``
  /// retains the queue until it has cleared the value.
  private static var current: DeliveryQueue? {
    pthread_getspecific(key).map { Unmanaged<DeliveryQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "The process has no thread-specific key left.")
    return key
  }()

  /// Delivers now, or after the running callback of this thread has returned.
  package static func deliver(_ deliveries: [Delivery]) {
    if deliveries.isEmpty { return }
    if let running = current { return running.insert(deliveries) }
    let queue = DeliveryQueue()
    pthread_setspecific(key, Unmanaged.passUnretained(queue).toOpaque())
    defer { pthread_setspecific(key, nil) }
    queue.insert(deliveries)
    while let next = queue.waiting.popLast() { next() }
  }

  /// Inserts deliveries before the waiting ones. A receiver then receives the newest snapshot first
  /// and ignores older ones.
  private func insert(_ deliveries: [Delivery]) {
    waiting.append(contentsOf: deliveries.reversed())
    guard waiting.count > limit else { return }
    removeSuperseded()
    limit = max(1024, waiting.count * 2)
  }

  /// Removes each snapshot that follows a newer one for the same receiver, so that a chain of
  /// commits does not accumulate snapshots that would be ignored.
  private func removeSuperseded() {
    var newest: Set<ObjectIdentifier> = []
    let kept = waiting.reversed().filter { delivery in
      delivery.replaceableReceiver.map { newest.insert($0).inserted } ?? true
    }
    waiting = kept.reversed()
  }
}
