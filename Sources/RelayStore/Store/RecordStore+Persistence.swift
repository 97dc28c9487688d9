import Foundation

extension RecordStore {
  /// Whether the persisted records are still being loaded; `false` without a storage.
  public var isLoading: Bool { journal?.isLoading ?? false }

  /// Waits until loading the persisted records has succeeded or failed; returns immediately without
  /// a storage.
  public func loaded() async {
    guard let journal, journal.isLoading else { return }
    await withCheckedContinuation { continuation in
      journal.whenLoaded { continuation.resume() }
    }
  }

  /// The current date, by the store's clock.
  package var date: Date { state.withLock { $0.time.date($0.time.elapsed) } }

  /// Calls `body` once loading the persisted records has succeeded or failed; immediately if it
  /// already has, or without a storage.
  package func whenLoaded(_ body: @escaping @Sendable () -> Void) {
    if let journal { journal.whenLoaded(body) } else { body() }
  }

  /// Retains the data of an operation, in this and later runs of the program, until it is unpinned.
  package func pin(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) {
    state.withLock { $0.pin(identity, plan, root: root) }
    journal?.changesWereMade(to: self)
  }

  /// Unpins an operation; a no-op if it is not pinned.
  func unpin(_ identity: RequestIdentity) {
    state.withLock { $0.unpin(identity) }
    collectIfDue()
    journal?.changesWereMade(to: self)
  }

  /// Removes the persisted data; a no-op without a storage. Call this after ``reset(_:)``.
  func wipe() async throws {
    try await withJournal { try await $0.wipe(self) }
  }

  /// Marks an outbox from an earlier run as wiped, if there is one. Environments without an outbox
  /// call this because a previous version of the app may have had one.
  func markLeftOutbox() {
    guard let outbox = configuration.persistence?.makeOutboxEngine?(), outbox.byteCount > 0 else {
      return
    }
    do { try outbox.markWiped() } catch {
      log(.outboxFailed(PersistenceFailure(wrapping: error).description))
    }
  }

  /// Removes an outbox from an earlier run; a no-op if there is none.
  func wipeLeftOutbox() async throws {
    guard let outbox = configuration.persistence?.makeOutboxEngine?() else { return }
    try await withJournal { try await $0.onQueue { try outbox.wipe() } }
  }

  private func withJournal(_ body: (any PersistentSource) async throws -> Void) async throws {
    guard let journal else { return }
    do { try await body(journal) } catch {
      throw RelayError(.persistence, "\(error)", underlying: error)
    }
  }
}
