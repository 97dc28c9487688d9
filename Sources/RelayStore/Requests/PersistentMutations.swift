/// The mutations of an environment that survive the end of the process: the outbox of
/// RelayPersistence.
package protocol PersistentMutations: AnyObject, Sendable {
  /// Whether ``entries`` includes the entries of the last run.
  var isLoaded: Bool { get }

  /// Waits until ``entries`` includes the entries of the last run.
  ///
  /// - Throws: ``RelayError`` with code `persistence` if they cannot be read.
  func loaded() async throws

  /// The entries, in commit order.
  var entries: [OutboxEntry] { get }

  /// Waits for work that was started before the call, then returns the entries that have not ended.
  func activity() async -> OutboxActivity

  /// Removes the entries. Their file is marked before the call returns, and removed in the
  /// background.
  func reset()

  /// Waits for work that was already started.
  func wait() async

  /// Waits until the file marked by ``reset()`` is removed.
  ///
  /// - Throws: ``RelayError`` with code `persistence` if it could not be removed.
  func waitForReset() async throws
}

/// The outbox entries that have not ended, and the reason for each.
package struct OutboxActivity: Sendable {
  /// The reason why an entry has not ended.
  package enum Progress: Sendable {
    /// The outbox is processing the entry.
    case proceeding
    /// The entry is held in a transport by the test that runs it.
    case held
    /// The entry waits for the app, because the outbox or the storage is suspended or the server
    /// rejects the credentials, or for the date of its next attempt.
    case stopped
  }

  /// Whether the entries of the last run are still being loaded.
  package let isLoading: Bool
  /// The entries without an outcome, in commit order.
  package let entries: [(entry: OutboxEntry, progress: Progress)]

  package init(isLoading: Bool, entries: [(entry: OutboxEntry, progress: Progress)]) {
    self.isLoading = isLoading
    self.entries = entries
  }

  /// Whether work in the outbox continues without the test or the app.
  package var isProceeding: Bool {
    isLoading || entries.contains { $0.progress == .proceeding }
  }
}
