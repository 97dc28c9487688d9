#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The identity of a thread. Valid only while the thread runs; the system reuses it afterwards.
///
/// `@unchecked Sendable`: on Apple's systems `pthread_t` is a pointer, and it is only compared
/// here.
struct ThreadIdentity: Equatable, @unchecked Sendable {
  private let thread: pthread_t

  /// The calling thread.
  static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

  /// A number below a power of two, the same at each call on one thread.
  @inline(__always)
  static func number(bits: Int) -> Int {
    // An address or a number, of the size of an address on every platform.
    let thread = withUnsafeBytes(of: pthread_self()) { UInt64($0.load(as: UInt.self)) }
    // Fibonacci hashing: the addresses of threads differ by multiples of a page.
    return Int(truncatingIfNeeded: (thread &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
  }

  static func == (left: ThreadIdentity, right: ThreadIdentity) -> Bool {
    pthread_equal(left.thread, right.thread) != 0
  }
}

#if DEBUG
  /// A value of each thread: a pointer, or a number stored as one.
  struct ThreadValue {
    private let key: pthread_key_t

    init() {
      var key = pthread_key_t()
      let status = pthread_key_create(&key, nil)
      precondition(status == 0, "The process has no thread-specific key left.")
      self.key = key
    }

    /// The value of the calling thread.
    var current: UnsafeRawPointer? {
      get { UnsafeRawPointer(pthread_getspecific(key)) }
      nonmutating set { pthread_setspecific(key, newValue) }
    }
  }
#endif

/// An error-checking mutex at a stable address: locking it recursively fails instead of
/// deadlocking.
///
/// `mutex` is initialized from `init()` until `destroy()`. Copies of this struct share the pointer.
/// So ``Locked`` holds the only instance, never exposes it, and calls `destroy()` once, in its
/// `deinit`.
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

  /// Locks the mutex; blocks while another thread holds it.
  ///
  /// - Returns: Whether the mutex was locked; `false` if the calling thread already holds it.
  func lock() -> Bool { pthread_mutex_lock(mutex) == 0 }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Whether the calling thread holds the mutex. On Darwin, blocks while another thread holds it.
  var isHeldByThisThread: Bool {
    #if canImport(Darwin)
      // Darwin has no timed lock, and `pthread_mutex_trylock` does not report the owner.
      let status = pthread_mutex_lock(mutex)
    #else
      // A deadline in the past: fails at once with `ETIMEDOUT` if another thread holds the mutex.
      var deadline = timespec()
      let status = pthread_mutex_timedlock(mutex, &deadline)
    #endif
    if status == 0 { unlock() }
    return status == EDEADLK
  }
}

/// A value guarded by a lock.
///
/// No `await` may occur while the lock is held, and no user code may run except store updaters,
/// missing field handlers and derived functions. Callers collect deliveries, unlock, then deliver.
///
/// `@unchecked Sendable`: `value` and `mutex` are private, and `withLock` accesses `value` only
/// while it holds `mutex`, which no thread takes twice, so its accesses need no check for exclusivity.
/// The compiler rejects references that escape: the initial value and every result are `sending`.
package final class Locked<Value>: @unchecked Sendable {
  @exclusivity(unchecked) private var value: Value
  private let mutex = Mutex()
  #if DEBUG
    private let rank: LockRank?
  #endif

  /// Creates a lock around a value.
  ///
  /// - Parameter rank: The rank in the lock order, asserted by debug builds; `nil` for a lock
  ///   outside the order.
  /// - Precondition: `Value` has a size. A stored property without a size has the address of the
  ///   next property, so the thread sanitizer reports each access as a modification of that
  ///   property.
  package init(_ value: sending Value, rank: LockRank? = nil) {
    assert(MemoryLayout<Value>.size > 0, "A lock needs a value.")
    self.value = value
    #if DEBUG
      self.rank = rank
    #endif
  }

  deinit { mutex.destroy() }

  /// Runs a closure with exclusive access to the value.
  ///
  /// - Parameter body: The critical section; it may modify the value in place.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  /// - Precondition: The calling thread holds neither this lock nor a ranked lock of the same or a
  ///   higher rank, except as ``LockRank`` allows.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if DEBUG
      pushRank()
      defer { if rank != nil { HeldLocks.current.pop() } }
    #endif
    let isLocked = mutex.lock()
    precondition(isLocked, recursionMessage)
    defer { mutex.unlock() }
    return try body(&value)
  }

  /// Runs a closure with exclusive access to the value, unless the calling thread is already inside
  /// ``withLock(_:)``.
  ///
  /// - Returns: The result of `body`; `nil` if it was not called.
  func withLockUnlessHeld<Result>(_ body: (inout Value) -> sending Result)
    -> sending Result?
  {
    guard mutex.lock() else { return nil }
    #if DEBUG
      pushRank()
      defer { if rank != nil { HeldLocks.current.pop() } }
    #endif
    defer { mutex.unlock() }
    return body(&value)
  }

  #if DEBUG
    /// Adds the rank to the thread's held ranks, and asserts the lock order.
    private func pushRank() {
      guard let rank else { return }
      let violation = HeldLocks.current.violation(taking: rank)
      assert(violation == nil, violation ?? "")
      HeldLocks.current.push(rank)
    }
  #endif

  /// A Boolean value that indicates whether the calling thread is inside `withLock`. On Darwin,
  /// blocks while another thread is.
  package var isHeldByThisThread: Bool { mutex.isHeldByThisThread }

  /// The message of the trap when a thread takes this lock a second time. Release builds print no
  /// message.
  private var recursionMessage: String {
    #if DEBUG
      rank?.recursionMessage ?? LockRank.recursionMessage(name: "a lock")
    #else
      ""
    #endif
  }
}
