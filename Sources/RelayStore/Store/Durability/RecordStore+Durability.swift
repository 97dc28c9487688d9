import Foundation

extension RecordStore {
  /// Whether the records of the storage are still being loaded; `false` without a storage.
  public var isLoading: Bool { journal?.isLoading ?? false }

  /// Waits until the records of the storage are loaded, or could not be; returns at once without a
  /// storage.
  public func loaded() async {
    guard let journal, journal.isLoading else { return }
    await withCheckedContinuation { continuation in
      journal.whenLoaded { continuation.resume() }
    }
  }

  /// The current date, by the store's clock.
  var date: Date { state.withLock { $0.time.date($0.time.elapsed) } }

  /// Returns those of some texts that are ids of records which exist or were deleted.
  func knownIDs(among texts: Set<String>) -> Set<String> {
    state.withLock { state in
      texts.filter { text in
        state.source.index(of: DataID(text)).map { state.source[$0].state != .unknown } ?? false
      }
    }
  }

  /// Calls a closure when the records of the storage are loaded, or could not be; at once without a
  /// storage, or if they are.
  func whenLoaded(_ body: @escaping @Sendable () -> Void) {
    if let journal { journal.whenLoaded(body) } else { body() }
  }

  /// Whether the storage is suspended.
  var isSuspended: Bool { journal?.isSuspended ?? false }

  /// Calls a closure each time that the storage is suspended.
  func whenSuspended(_ body: @escaping @Sendable () -> Void) { journal?.whenSuspended(body) }

  /// Keeps the data of an operation, in this and later runs of the program, until it is unpinned.
  package func pin(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) {
    state.withLock { $0.pin(identity, plan, root: root) }
    journal?.changesWereMade(to: self)
  }

  /// Unpins an operation; a no-op if it is not pinned.
  package func unpin(_ identity: RequestIdentity) {
    state.withLock { $0.unpin(identity) }
    collectIfDue()
    journal?.changesWereMade(to: self)
  }

  /// Stores all changes that were made before the call; a no-op without a storage.
  ///
  /// What was flushed survives when the process is killed. Without this call a change is stored some
  /// 20 milliseconds after it was made.
  ///
  /// - Throws: ``RelayError`` with code `storage` if the storage has failed or is suspended.
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
  /// - Throws: ``RelayError`` with code `storage` if the storage has failed.
  public func suspend() async throws {
    try await withJournal { try await $0.suspend(self) }
  }

  /// Opens the database again, and stores the changes that were made since ``suspend()``.
  ///
  /// - Throws: ``RelayError`` with code `storage` if the storage has failed.
  public func resume() async throws {
    try await withJournal { try await $0.resume(self) }
  }

  /// Removes what is stored; a no-op without a storage. Call this after ``reset(_:)``.
  func wipe() async throws {
    try await withJournal { try await $0.wipe(self) }
  }

  /// Marks the outbox that an earlier run has left as wiped, if there is one. Environments without an
  /// outbox call this, because their storage may be that of a version of the app that had one.
  func markLeftOutbox() {
    guard let outbox = configuration.storage?.makeOutboxEngine?(), outbox.byteCount > 0 else {
      return
    }
    do { try outbox.markWiped() } catch {
      log(.outboxFailed(StorageFailure(wrapping: error).description))
    }
  }

  /// Removes the outbox that an earlier run has left; a no-op if there is none.
  func wipeLeftOutbox() async throws {
    guard let outbox = configuration.storage?.makeOutboxEngine?() else { return }
    try await withJournal { try await $0.onQueue { try outbox.wipe() } }
  }

  private func withJournal(_ body: (StoreJournal) async throws -> Void) async throws {
    guard let journal else { return }
    do { try await body(journal) } catch {
      throw RelayError(.storage, "\(error)", underlying: error)
    }
  }
}
