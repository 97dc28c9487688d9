#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A thread, while it runs.
struct ThreadIdentity: Equatable {
  private let thread: pthread_t

  /// The thread that asks.
  static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

  static func == (left: ThreadIdentity, right: ThreadIdentity) -> Bool {
    pthread_equal(left.thread, right.thread) != 0
  }
}

/// One value behind one lock.
///
/// Nothing may be awaited and no user code but store updaters may run while it is held; callers
/// collect what is to be delivered, unlock, then deliver.
///
/// `@unchecked Sendable`: the value is reachable only through `withLock`, which holds the mutex.
package final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // Error checking tells a lock within itself from one that has to wait.
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs the closure while no other thread can.
  ///
  /// - Precondition: This thread does not hold the lock already.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let status = pthread_mutex_lock(mutex)
    precondition(status == 0, "The store was used by one of its own updaters; use the proxy.")
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Whether this thread is inside `withLock`.
  package var isHeldByThisThread: Bool {
    let status = pthread_mutex_trylock(mutex)
    if status == 0 {
      pthread_mutex_unlock(mutex)
      return false
    }
    // Busy either way: only locking for good tells whose it is, and answers at once when it is ours.
    guard pthread_mutex_lock(mutex) == 0 else { return true }
    pthread_mutex_unlock(mutex)
    return false
  }
}
