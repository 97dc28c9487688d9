#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The lock order: a thread that holds a lock takes only locks of a higher rank, so no two threads can
/// wait for each other.
///
/// Docs/Internals.md has the table of locks. Debug builds check the order at each lock; see
/// ``HeldLocks``.
package enum LockRank: UInt8, Sendable {
  /// The store's state. Updaters, missing field handlers, derived functions and garbage collection run
  /// with it held, and so can release anything.
  case store = 1
  /// The state of a query load or a pagination load.
  case load
  /// The executions of an environment.
  case executions
  /// The phase and waiters of shared work.
  case sharedWork
  /// A consumer of the store: a mailbox, an observation, a replica's queue, a retention.
  case consumer
  /// The index of planned fields.
  case plannedFields
  /// The programs and layouts of a bound plan.
  case boundPlan
  /// A lock with which nothing is called: counters, caches, the state of transports.
  case leaf

  /// The lock's name in messages.
  package var name: String {
    switch self {
    case .store: "the store"
    case .load: "a load"
    case .executions: "the execution table"
    case .sharedWork: "shared work"
    case .consumer: "a consumer"
    case .plannedFields: "the planned fields"
    case .boundPlan: "a bound plan"
    case .leaf: "a leaf"
    }
  }
}

#if DEBUG
  /// The ranks of the locks that a thread holds, four bits each, the last one taken lowest.
  ///
  /// A lock is held for the duration of a call, so the ranks are a stack. It fits in the thread-specific
  /// pointer itself.
  package struct HeldLocks {
    private var ranks: UInt

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      let status = pthread_key_create(&key, nil)
      precondition(status == 0, "The process has no thread-specific key left.")
      return key
    }()

    /// The locks that the calling thread holds.
    package static var current: HeldLocks {
      get { HeldLocks(ranks: UInt(bitPattern: pthread_getspecific(key))) }
      set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue.ranks)) }
    }

    private init(ranks: UInt) { self.ranks = ranks }

    /// No lock.
    package init() { ranks = 0 }

    package mutating func push(_ rank: LockRank) { ranks = ranks << 4 | UInt(rank.rawValue) }

    package mutating func pop() { ranks >>= 4 }

    /// The message when a lock of this rank must not be taken now; `nil` when it may be.
    ///
    /// Two locks of one rank may be held in two cases: an updater of one store may use another store,
    /// whose updaters then must not use the first; and a bound plan may use the plans below it, which
    /// form no circle.
    package func violation(taking rank: LockRank) -> String? {
      guard let held = LockRank(rawValue: UInt8(ranks & 15)), rank.rawValue <= held.rawValue,
        rank != held || rank != .store && rank != .boundPlan
      else { return nil }
      return "Lock order: \(rank.name) was locked by a thread that holds the lock of \(held.name)."
    }
  }
#endif
