#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The identity of a thread while it runs.
struct ThreadIdentity: Equatable {
  private let thread: pthread_t

  /// The calling thread.
  static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

  static func == (left: ThreadIdentity, right: ThreadIdentity) -> Bool {
    pthread_equal(left.thread, right.thread) != 0
  }
}

/// An error-checking mutex at an address of its own: locking it recursively fails instead of waiting forever.
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
    // The mutex is busy: locking it returns an error at once when this thread is its owner.
    guard pthread_mutex_lock(mutex) == 0 else { return true }
    unlock()
    return false
  }
}

/// One value behind one lock.
///
/// No `await` and no user code but store updaters, missing field handlers and derived functions may run
/// while it is held; callers collect what is to be delivered, unlock, then deliver.
///
/// `@unchecked Sendable`: `value` is reachable only through `withLock`, which holds the mutex.
package final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = Mutex()
  #if DEBUG
    private let rank: LockRank?
  #endif

  /// - Parameter rank: The place in the lock order, which debug builds assert; `nil` for a lock outside
  ///   of it.
  /// - Precondition: `Value` is not empty: an empty stored property has the address of the next one, and
  ///   the thread sanitizer takes each access for a modification of that.
  package init(_ value: sending Value, rank: LockRank? = nil) {
    assert(MemoryLayout<Value>.size > 0, "A lock needs a value.")
    self.value = value
    #if DEBUG
      self.rank = rank
    #endif
  }

  deinit { mutex.destroy() }

  /// Runs the closure while no other thread can.
  ///
  /// - Precondition: This thread does not hold the lock already, nor one of the same or a higher rank.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if DEBUG
      if let rank {
        let violation = HeldLocks.current.violation(taking: rank)
        assert(violation == nil, violation ?? "")
        HeldLocks.current.push(rank)
      }
      defer { if rank != nil { HeldLocks.current.pop() } }
    #endif
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }

  /// A Boolean value that indicates whether this thread is inside `withLock`.
  package var isHeldByThisThread: Bool { mutex.isHeldByThisThread }
}
