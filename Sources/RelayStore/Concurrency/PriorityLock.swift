#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A lock for sections of a few instructions that threads of different priorities enter.
///
/// A thread that holds it inherits the priority of a thread that waits for it. So a background
/// thread that is preempted inside the section cannot keep the main thread waiting for long.
///
/// `@unchecked Sendable`: the memory of the lock is used only by the system's functions.
final class PriorityLock: @unchecked Sendable {
  #if canImport(Darwin)
    private let lock: UnsafeMutablePointer<os_unfair_lock_s>

    init() {
      lock = .allocate(capacity: 1)
      lock.initialize(to: os_unfair_lock_s())
    }

    deinit { lock.deallocate() }

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result {
      os_unfair_lock_lock(lock)
      defer { os_unfair_lock_unlock(lock) }
      return body()
    }
  #else
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    init() {
      lock = .allocate(capacity: 1)
      lock.initialize(to: pthread_mutex_t())
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      // Where it is not supported, the lock works without it.
      pthread_mutexattr_setprotocol(&attributes, CInt(PTHREAD_PRIO_INHERIT))
      pthread_mutex_init(lock, &attributes)
      pthread_mutexattr_destroy(&attributes)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result {
      if pthread_mutex_trylock(lock) != 0 { wait() }
      defer { pthread_mutex_unlock(lock) }
      return body()
    }

    /// Locks the mutex. It spins first: the system hands the lock to a thread that sleeps, and others
    /// would then wait until that thread runs.
    @inline(never)
    private func wait() {
      for _ in 0..<200 where pthread_mutex_trylock(lock) == 0 { return }
      pthread_mutex_lock(lock)
    }
  #endif
}
