public import RelayStore

extension RecordStore {
  private var storeJournal: StoreJournal? { journal as? StoreJournal }

  /// Returns those of some texts that are ids of records which exist or were deleted.
  func knownIDs(among texts: Set<String>) -> Set<String> {
    state.withLock { state in
      texts.filter { text in
        state.source.index(of: DataID(text)).map { state.source[$0].state != .unknown } ?? false
      }
    }
  }

  /// Whether the storage is suspended.
  var isSuspended: Bool { storeJournal?.isSuspended ?? false }

  /// Calls a closure each time that the storage is suspended.
  func whenSuspended(_ body: @escaping @Sendable () -> Void) { storeJournal?.whenSuspended(body) }

  /// Stores all changes that were made before the call; a no-op without a storage.
  ///
  /// Flushed data survives when the process is killed. Without this call a change is stored some
  /// 20 milliseconds after it was made.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if the storage has failed or is suspended.
  public func flush() async throws {
    try await withJournal { try await $0.flush(self) }
  }

  /// Stores all changes that were made before the call, after ``resume()`` if the storage is
  /// suspended.
  ///
  /// - Throws: ``RelayError`` with code `storage` if the storage has failed.
  func flushWhenResumed() async throws {
    try await withJournal { try await $0.flushWhenResumed(self) }
  }

  /// Stores all changes, and closes the database, before the system suspends the app. Nothing is stored
  /// until ``resume()``. The file of an outbox is closed until the outbox writes to it; another call
  /// closes it again.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if the storage has failed.
  public func suspend() async throws {
    try await withJournal { try await $0.suspend(self) }
  }

  /// Opens the database again, and stores the changes that were made since ``suspend()``.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if the storage has failed.
  public func resume() async throws {
    try await withJournal { try await $0.resume(self) }
  }

  private func withJournal(_ body: (StoreJournal) async throws -> Void) async throws {
    guard let storeJournal else { return }
    do { try await body(storeJournal) } catch {
      throw RelayError(.storage, "\(error)", underlying: error)
    }
  }
}
