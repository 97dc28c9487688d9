/// The lock order: a thread that holds a lock takes only locks of a higher rank, so no two threads
/// can deadlock.
///
/// Docs/Reference/Internals.md has the table of locks. Debug builds check the order at each lock; see
/// ``HeldLocks``.
package enum LockRank: UInt8, Sendable {
  /// The store's state.
  ///
  /// Updaters, missing field handlers, derived functions and garbage collection run while this lock
  /// is held. Any of them may release the last reference to an object whose `deinit` takes another
  /// lock, so this rank is the lowest.
  case store = 1
  /// The state of a query load or a pagination load.
  case load
  /// The executions of an environment.
  case executions
  /// The phase and waiters of shared work.
  case sharedWork
  /// A consumer: a mailbox, an observation, a replica's queue, a retention, a task's delegate.
  case consumer
  /// The bound plans of a store.
  case bindings
  /// The index of planned fields.
  case plannedFields
  /// The programs and layouts of a bound plan. While it is held, the locks of the plans below it
  /// may be taken.
  case boundPlan
  /// A lock under which no ranked lock is taken: counters, caches, the state of transports.
  case leaf

  /// The lock's name in messages.
  package var name: String {
    switch self {
    case .store: "the store"
    case .load: "a load"
    case .executions: "the execution table"
    case .sharedWork: "shared work"
    case .consumer: "a consumer"
    case .bindings: "the bound plans"
    case .plannedFields: "the planned fields"
    case .boundPlan: "a bound plan"
    case .leaf: "a leaf"
    }
  }

  /// The message of the trap when a thread takes a lock of this rank that it already holds.
  var recursionMessage: String {
    guard self == .store else { return Self.recursionMessage(name: name) }
    #if DEBUG
      if let callback = StoreCallback.current { return StoreCallback.message(of: callback) }
    #endif
    return "The store was used inside an updater; use its proxy instead."
  }

  /// Returns the message of the trap when a thread takes a lock that it already holds.
  ///
  /// - Parameter name: The lock's name; see ``name``.
  static func recursionMessage(name: String) -> String {
    "Lock order: \(name) was locked by the thread that holds it."
  }
}

#if DEBUG
  /// The ranks of the locks that a thread holds, four bits each; the most recently taken lock has
  /// the lowest four bits.
  ///
  /// Each lock is held for the duration of a call, so the ranks form a stack. The stack is stored
  /// in the thread-specific pointer itself; the pointer is never dereferenced.
  package struct HeldLocks {
    private var ranks: UInt

    private static let value = ThreadValue()

    /// The locks that the calling thread holds.
    package static var current: HeldLocks {
      get { HeldLocks(ranks: UInt(bitPattern: value.current)) }
      set { value.current = UnsafeRawPointer(bitPattern: newValue.ranks) }
    }

    private init(ranks: UInt) { self.ranks = ranks }

    /// The empty stack: no lock is held.
    package init() { ranks = 0 }

    package mutating func push(_ rank: LockRank) { ranks = ranks << 4 | UInt(rank.rawValue) }

    package mutating func pop() { ranks >>= 4 }

    /// Returns the violation of the lock order when the thread takes a lock of `rank`; `nil` if it
    /// may take one.
    ///
    /// Two locks of the same rank may be held together in two cases. A bound plan uses the plans
    /// below it, and plans form no cycle. Two stores have no order, so this check permits their
    /// locks. Even so, an updater must not use another store: two stores whose updaters use each
    /// other can deadlock.
    package func violation(taking rank: LockRank) -> String? {
      guard let held = LockRank(rawValue: UInt8(ranks & 15)), rank.rawValue <= held.rawValue,
        rank != held || rank != .store && rank != .boundPlan
      else { return nil }
      return "Lock order: \(rank.name) was locked by a thread that holds the lock of \(held.name)."
    }
  }
#endif
