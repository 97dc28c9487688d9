/// The mutations of an environment that survive the end of the process: the outbox of RelayPersistence.
package protocol DurableMutations: AnyObject, Sendable {
  /// Whether the entries of the last run are among ``entries``.
  var isLoaded: Bool { get }

  /// Waits until the entries of the last run are among ``entries``.
  ///
  /// - Throws: ``RelayError`` with code `storage` if they cannot be read.
  func loaded() async throws

  /// The entries, in the order in which they were committed.
  var entries: [OutboxEntry] { get }

  /// Returns the entries that have not ended, after the work that has begun before the call.
  func activity() async -> OutboxActivity

  /// Removes the entries. Their file is marked before the call returns, and removed in the background.
  func reset()

  /// Waits for the work that has begun.
  func wait() async

  /// Waits until the file that ``reset()`` has marked is removed.
  ///
  /// - Throws: ``RelayError`` with code `storage` if it could not be.
  func waitForReset() async throws
}

/// The entries of an outbox that have not ended, and what each of them waits for.
package struct OutboxActivity: Sendable {
  /// The reason why an entry has not ended.
  package enum Progress: Sendable {
    /// The outbox is doing something for the entry.
    case proceeding
    /// The entry waits in a transport for the test that runs it.
    case held
    /// The entry waits for a call of the app, because the outbox or the storage is suspended or the
    /// server does not accept the credentials, or for the date of its next attempt.
    case stopped
  }

  /// Whether the entries of the last run are still being loaded.
  package let isLoading: Bool
  /// The entries without an outcome, in the order in which they were committed.
  package let entries: [(entry: OutboxEntry, progress: Progress)]

  package init(isLoading: Bool, entries: [(entry: OutboxEntry, progress: Progress)]) {
    self.isLoading = isLoading
    self.entries = entries
  }

  /// Whether something of the outbox goes on without the test and the app.
  package var isProceeding: Bool {
    isLoading || entries.contains { $0.progress == .proceeding }
  }
}
