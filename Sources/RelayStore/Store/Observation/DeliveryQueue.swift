#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The deliveries of one thread that wait for the callback it is running.
///
/// A commit made inside a callback appends its deliveries here and returns; the outermost commit of the thread, of
/// whichever store, delivers them once the callback has returned. So the stack is as deep as one callback, however many
/// commits follow from one another. Each thread has a queue of its own, so no thread waits for the callback of another.
final class DeliveryQueue {
  /// What is left to deliver, the next one last.
  private var waiting: [Delivery] = []
  /// From how many waiting deliveries on those that were overtaken are removed.
  private var limit = 1024

  /// The queue of the thread that asks, while it delivers.
  private static var current: DeliveryQueue? {
    pthread_getspecific(key).map { Unmanaged<DeliveryQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "The process has no thread-specific key left.")
    return key
  }()

  /// Delivers now; or, inside a callback of this thread, once that has returned.
  static func deliver(_ deliveries: [Delivery]) {
    if deliveries.isEmpty { return }
    if let running = current { return running.insert(deliveries) }
    let queue = DeliveryQueue()
    pthread_setspecific(key, Unmanaged.passUnretained(queue).toOpaque())
    defer { pthread_setspecific(key, nil) }
    queue.insert(deliveries)
    while let next = queue.waiting.popLast() { next() }
  }

  /// Puts deliveries in front of those that wait: a receiver gets the newest snapshot first, and ignores what that has
  /// overtaken.
  private func insert(_ deliveries: [Delivery]) {
    waiting.append(contentsOf: deliveries.reversed())
    guard waiting.count > limit else { return }
    removeOvertaken()
    limit = max(1024, waiting.count * 2)
  }

  /// Removes the snapshots that a newer one for the same receiver precedes, so that a chain of commits does not pile up
  /// what nobody will be given.
  private func removeOvertaken() {
    var newest: Set<ObjectIdentifier> = []
    let kept = waiting.reversed().filter { delivery in
      delivery.replaceableReceiver.map { newest.insert($0).inserted } ?? true
    }
    waiting = kept.reversed()
  }
}
