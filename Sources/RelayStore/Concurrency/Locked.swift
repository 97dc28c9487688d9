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

/// An error-checking mutex at an address of its own: locking within itself is told from waiting.
private struct Mutex {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  func destroy() {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// - Precondition: This thread does not hold it already.
  func lock() {
    let status = pthread_mutex_lock(mutex)
    precondition(status == 0, "The store was used by one of its own updaters; use the proxy.")
  }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Whether this thread holds it.
  var isHeldByThisThread: Bool {
    let status = pthread_mutex_trylock(mutex)
    if status == 0 {
      unlock()
      return false
    }
    // Busy either way: only locking for good tells whose it is, and answers at once when it is ours.
    guard pthread_mutex_lock(mutex) == 0 else { return true }
    unlock()
    return false
  }
}

/// A lock that guards no value of its own, but the order of critical sections.
///
/// `Locked<Void>` would not do: an empty stored property has the address of the property behind it, so that the thread
/// sanitizer takes each access for a modification of that one.
///
/// `@unchecked Sendable`: the mutex is made for several threads.
package final class Lock: @unchecked Sendable {
  private let mutex = Mutex()

  package init() {}

  deinit { mutex.destroy() }

  /// Runs the closure while no other thread can.
  ///
  /// - Precondition: This thread does not hold the lock already.
  package func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body()
  }

  /// Whether this thread is inside `withLock`.
  package var isHeldByThisThread: Bool { mutex.isHeldByThisThread }
}

/// One value behind one lock.
///
/// Nothing may be awaited and no user code but store updaters may run while it is held; callers
/// collect what is to be delivered, unlock, then deliver.
///
/// `@unchecked Sendable`: the value is reachable only through `withLock`, which holds the mutex.
package final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = Mutex()

  /// - Precondition: `Value` is not empty; see ``Lock``.
  package init(_ value: sending Value) {
    assert(MemoryLayout<Value>.size > 0, "A lock without a value is a Lock.")
    self.value = value
  }

  deinit { mutex.destroy() }

  /// Runs the closure while no other thread can.
  ///
  /// - Precondition: This thread does not hold the lock already.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }

  /// Whether this thread is inside `withLock`.
  package var isHeldByThisThread: Bool { mutex.isHeldByThisThread }
}
