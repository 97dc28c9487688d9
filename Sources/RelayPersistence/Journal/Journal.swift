import Dispatch
import RelayStore

/// The journal of a store: loads persisted records, then persists changes of the base in the
/// background.
///
///     loading    →  storing | stopped
///     storing    →  suspended | stopped
///     suspended  →  storing | stopped
///
/// - loading: persisted data is being read.
/// - storing: changes are persisted soon after they are made.
/// - suspended: the database is closed; changes are collected.
/// - stopped: the storage has failed; changes are no longer persisted.
///
/// The engine and the writer are used only on the serial queue. Only callers of ``flush()`` and
/// similar methods wait for it. The lock guards the state.
final class Journal: PersistentSource {
  struct State {
    var phase = Phase.loading
    /// Whether a write is scheduled.
    var isScheduled = false
    /// The failure that stopped the journal.
    var failure: PersistenceFailure?
    /// The closures to call when the records are loaded.
    var loadWaiters: [@Sendable () -> Void] = []
    /// The closures to call on the queue when the storage is resumed.
    var resumeWaiters: [@Sendable () -> Void] = []
    /// The closures to call when the database is closed until ``resume(_:)``.
    var suspensionListeners: [@Sendable () -> Void] = []
  }

  enum Phase { case loading, storing, suspended, stopped }

  /// The delay between a change and its write; further changes join the same write.
  static let delay = DispatchTimeInterval.milliseconds(20)

  let queue = DispatchQueue(label: "RelayStore.Journal", qos: .utility)
  let state = Locked(State(), rank: .leaf)
  let work: JournalWork

  init(_ persistence: Persistence) {
    work = JournalWork(persistence)
  }

  /// Whether the records are still being loaded.
  var isLoading: Bool { state.withLock { $0.phase == .loading } }

  /// Calls a closure when the records are loaded or could not be loaded; at once if that has
  /// already happened.
  func whenLoaded(_ body: @escaping @Sendable () -> Void) {
    let isLoaded = state.withLock { state in
      if state.phase == .loading { state.loadWaiters.append(body) }
      return state.phase != .loading
    }
    if isLoaded { body() }
  }

  /// Whether the database is closed until ``resume(_:)``.
  var isSuspended: Bool { state.withLock { $0.phase } == .suspended }

  /// Calls a closure whenever the database is closed until ``resume(_:)``, before ``suspend(_:)``
  /// returns.
  func whenSuspended(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.suspensionListeners.append(body) }
  }

  func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await queue.run(body)
  }

  /// Checks that changes are being persisted.
  ///
  /// - Throws: ``PersistenceFailure``.
  func checkIsStoring() throws {
    let (phase, failure) = state.withLock { ($0.phase, $0.failure) }
    if let failure { throw failure }
    if phase != .storing { throw PersistenceFailure(.unavailable, "The storage is suspended.") }
  }
}
