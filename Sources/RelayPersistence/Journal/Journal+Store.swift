import Dispatch
import RelayStore

extension Journal {
  // MARK: Loading

  /// Starts loading the records of a store.
  func load(into store: RecordStore) {
    queue.async { [weak store] in
      guard let store else { return }
      let failure = self.work.load(into: store)
      let waiters = self.state.withLock { state in
        state.phase = failure == nil ? .storing : .stopped
        state.failure = failure
        return state.loadWaiters.drain()
      }
      for waiter in waiters { waiter() }
      self.changesWereMade(to: store)
    }
  }

  // MARK: Storing

  /// Schedules a write. The store is retained until then.
  func changesWereMade(to store: RecordStore) {
    let isFirst = state.withLock { state in
      guard state.phase == .storing, !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
      state.withLock { $0.isScheduled = false }
      try? write(store)
    }
  }

  /// Persists the changes made until now. Call this on the queue.
  ///
  /// - Throws: The failure that stopped the journal.
  private func write(_ store: RecordStore) throws {
    try checkIsStoring()
    do {
      guard let revision = try work.write(changesOf: store) else { return }
      store.log(.persisted(revision: revision))
    } catch {
      throw stop(store, error)
    }
    if work.isOverLimit { shrink(store) }
  }

  /// Removes obsolete log data. If there is none, drops the least recently used queries, an eighth
  /// of the released ones, and collects the records that only they reached. The write that follows
  /// continues if that is not enough.
  private func shrink(_ store: RecordStore) {
    if !work.beginCompaction() {
      guard store.state.withLock({ $0.dropOldestOperations() }) else { return }
      while store.garbageCollector.step(records: 1_000) {}
    }
    changesWereMade(to: store)
  }

  private func stop(_ store: RecordStore, _ error: any Error) -> PersistenceFailure {
    let failure = PersistenceFailure(wrapping: error)
    state.withLock { state in
      state.phase = .stopped
      state.failure = failure
    }
    work.engine.close()
    store.state.withLock { $0.stopStoring() }
    store.log(.persistenceFailed(failure.description))
    return failure
  }

  // MARK: Entry points

  /// Persists all changes made before the call.
  func flush(_ store: RecordStore) async throws {
    try await onQueue { try self.write(store) }
  }

  /// Persists all changes made before the call, once the storage is not suspended.
  func flushWhenResumed(_ store: RecordStore) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      queue.async { [self] in
        let flush: @Sendable () -> Void = {
          continuation.resume(with: Result { try self.write(store) })
        }
        let isSuspended = state.withLock { state in
          if state.phase == .suspended { state.resumeWaiters.append(flush) }
          return state.phase == .suspended
        }
        if !isSuspended { flush() }
      }
    }
  }

  /// Persists all changes and closes the database until ``resume(_:)``. If it is already closed,
  /// only calls the listeners, because they may have reopened their files.
  func suspend(_ store: RecordStore) async throws {
    try await onQueue { [self] in
      if state.withLock({ $0.phase }) != .suspended { try write(store) }
      let listeners = state.withLock { state in
        if state.phase == .storing { state.phase = .suspended }
        return state.suspensionListeners
      }
      work.engine.close()
      for listener in listeners { listener() }
    }
  }

  /// Durably marks the persisted data as wiped. The store is emptied afterwards.
  func markWiped(_ store: RecordStore) {
    do { try work.engine.markWiped() } catch {
      store.log(.persistenceFailed(PersistenceFailure(wrapping: error).description))
    }
  }

  /// Removes the persisted data in the background, after the store was emptied.
  func wipeInBackground(_ store: RecordStore) {
    queue.async { [self] in try? wipeNow(store) }
  }

  /// Removes the persisted data, after the store was emptied.
  func wipe(_ store: RecordStore) async throws {
    try await onQueue { try self.wipeNow(store) }
  }

  private func wipeNow(_ store: RecordStore) throws {
    do {
      try work.wipe()
      store.state.withLock { $0.source.observers.unstored.replaceAll() }
    } catch {
      throw stop(store, error)
    }
  }

  /// Reopens the database and persists the changes made in the meantime.
  func resume(_ store: RecordStore) async throws {
    try await onQueue { [self] in
      guard state.withLock({ $0.phase }) == .suspended else { return }
      defer { for waiter in state.withLock({ $0.resumeWaiters.drain() }) { waiter() } }
      do {
        try work.reopen(for: store)
      } catch {
        throw stop(store, error)
      }
      state.withLock { $0.phase = .storing }
      try write(store)
    }
  }
}
