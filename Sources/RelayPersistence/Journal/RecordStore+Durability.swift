public import RelayStore

extension RecordStore {
  private var storeJournal: Journal? { journal as? Journal }

  /// Returns the strings that are ids of existing or deleted records.
  func knownIDs(among texts: Set<String>) -> Set<String> {
    state.withLock { state in
      texts.filter { text in
        state.source.index(of: DataID(text)).map { state.source[$0].state != .unknown } ?? false
      }
    }
  }

  /// Whether the storage is suspended.
  var isSuspended: Bool { storeJournal?.isSuspended ?? false }

  /// Calls a closure whenever the storage is suspended.
  func whenSuspended(_ body: @escaping @Sendable () -> Void) { storeJournal?.whenSuspended(body) }

  /// Persists all changes made before the call; a no-op without a storage.
  ///
  /// Flushed data survives a kill of the process. Without this call a change is persisted about 20
  /// milliseconds after it was made.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if the storage has failed or is
  ///   suspended.
  public func flush() async throws {
    try await withJournal { try await $0.flush(self) }
  }

  /// Persists all changes made before the call; if the storage is suspended, waits for ``resume()``
  /// first.
  ///
  /// - Throws: ``RelayError`` with code `persistence` if the storage has failed.
  func flushWhenResumed() async throws {
    try await withJournal { try await $0.flushWhenResumed(self) }
  }

  /// Persists all changes and closes the database, before the system suspends the app. No more
  /// changes are persisted until ``resume()``. This also closes an outbox's file; when the outbox
  /// writes again, it reopens the file, and another call closes it.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if the storage has failed.
  public func suspend() async throws {
    try await withJournal { try await $0.suspend(self) }
  }

  /// Reopens the database and persists the changes made since ``suspend()``.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if the storage has failed.
  public func resume() async throws {
    try await withJournal { try await $0.resume(self) }
  }

  private func withJournal(_ body: (Journal) async throws -> Void) async throws {
    guard let storeJournal else { return }
    do { try await body(storeJournal) } catch {
      throw RelayError(.persistence, "\(error)", underlying: error)
    }
  }
}
