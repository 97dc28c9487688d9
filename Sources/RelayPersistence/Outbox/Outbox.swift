import Dispatch
import Foundation
import RelayStore

/// The durable mutations of an environment. They survive the end of the process until the server
/// has responded.
///
///     let entry = try await environment.commit(
///       AddTodoMutation(text: text), optimisticResponse: …, durability: .outbox())
///     if let outbox = environment.outbox {
///       for await entries in outbox.observe() { show(entries) }
///     }
///
/// Entries that share an id, or declare a dependency, are sent one after the other; other entries
/// are sent concurrently. When the program starts, the optimistic updates of the last run's entries
/// are applied in order, and then the entries are sent.
public final class Outbox: PersistentMutations {
  let queue = DispatchQueue(label: "RelayStore.Outbox", qos: .utility)
  private let state = Locked(State(), rank: .leaf)
  let work: OutboxWork
  private let isReady = Promise<Void>()

  /// - Returns: `nil` if the storage has no outbox.
  init?(
    _ options: OutboxOptions, store: RecordStore, transport: any Transport,
    tracing: RequestTracing? = nil
  ) {
    guard let persistence = store.configuration.persistence,
      let makeEngine = persistence.makeOutboxEngine
    else {
      return nil
    }
    work = OutboxWork(
      makeEngine(), of: persistence, options: options, store: store, transport: transport,
      tracing: tracing)
    store.serverIDs.expect()
    queue.async { [weak self] in self?.load() }
    store.whenSuspended { [weak self] in self?.closeFile() }
    #if canImport(Network)
      let network = NetworkWatch(queue) { [weak self] in self?.retryWaiting() }
      state.withLock { $0.network = network }
    #endif
  }

  deinit {
    let (timer, watch) = state.withLock { ($0.timer, $0.inboxWatch) }
    timer?.cancel()
    watch?.cancel()
  }

  func setInboxWatch(_ task: Task<Void, Never>) { state.withLock { $0.inboxWatch = task } }

  // MARK: Entries

  /// Whether ``entries`` includes the entries of the last run.
  public var isLoaded: Bool { state.withLock { $0.isLoaded } }

  /// The entries in the order of their commits.
  public var entries: [OutboxEntry] { state.withLock { $0.entries } }

  /// Waits until ``entries`` includes the entries of the last run, and responses already received
  /// for them are in the store.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if the outbox cannot be read.
  public func loaded() async throws { try await isReady.value }

  /// Returns a stream of entry lists: the current list once it is loaded, then one for each change.
  /// A slow consumer receives the latest list.
  public func observe() -> AsyncStream<[OutboxEntry]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = state.withLock { state in
        state.lastStream += 1
        state.streams[state.lastStream] = continuation
        // Yielded under the lock, so that no older list replaces a newer one.
        if state.isLoaded { continuation.yield(state.entries) }
        return state.lastStream
      }
      continuation.onTermination = { [weak self] _ in
        // The continuation is released outside the lock.
        _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
      }
    }
  }

  /// Waits for the outcome of an entry. On success its response is in the store. Returns at once
  /// for an entry that is no longer in the outbox.
  ///
  /// - Returns: The response's data, and the server's ids of the objects that the mutation has
  ///   created.
  /// - Throws: The `error` of an entry that has failed, or whose outcome is unknown;
  ///   ``/RelayStore/RelayError`` with code `graphQL` if it is blocked on such an entry, and with
  ///   code `cancelled` if it was discarded.
  @discardableResult
  public func outcome(of id: OutboxEntry.ID) async throws -> OutboxOutcome {
    // Entries of the last run are known once they are loaded.
    try await isReady.value
    return try await withCheckedThrowingContinuation { (continuation: Waiter) in
      let outcome = state.withLock { state -> Result<OutboxOutcome, any Error>? in
        guard let entry = state.entries.first(where: { $0.id == id }) else {
          return .success(state.outcomes[id])
        }
        if let outcome = entry.outcome { return outcome.map { OutboxOutcome() } }
        state.waiters[id, default: []].append(continuation)
        return nil
      }
      if let outcome { continuation.resume(with: outcome) }
    }
  }

  /// Returns the server's id of an object that was created offline; `nil` until the server has
  /// responded, and a month later or after ten thousand other objects.
  ///
  /// - Parameter id: The ``/RelayStore/ClientID`` under which it was created, in this run or an
  ///   earlier one. The entries of an earlier run are known once the outbox is ``loaded()``.
  public func id(for id: DataID) -> DataID? {
    work.store.serverIDs[id]
  }

  /// The number of calls that wait for an outcome.
  var waiterCount: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

  // MARK: Changing

  /// Adds a mutation: persists it, applies its optimistic response, then sends it.
  ///
  /// - Throws: ``RelayError`` with code `persistence` if it cannot be persisted, with code
  ///   `cancelled` if a reset has removed its files; its optimistic response is then not applied.
  func add(
    _ commit: MutationCommit, _ description: OutboxDescription = .init(), after: [OutboxEntry.ID]
  ) async throws -> OutboxEntry {
    try commit.checkIsStorable(filesAreStorable: work.files != nil)
    try await isReady.value
    var stored = description
    let generation = try await copyFiles(of: commit, for: &stored)
    do {
      let (entry, isAdded) = try await onQueue { [self, stored] in
        if let generation { try work.checkIsNotReset(since: generation, commit) }
        let entry = try work.add(commit, stored, after: after)
        let isAdded = work.item(entry.id) != nil
        if !isAdded { removeFiles(of: entry.id) }
        publishEntries()
        // The caller does not wait until it is marked as sending.
        queue.async { self.send() }
        return (entry, isAdded)
      }
      if description.movesFiles, isAdded { removeOriginals(of: commit) }
      return entry
    } catch {
      if !stored.uploads.isEmpty { removeFiles(of: stored.id) }
      throw error
    }
  }

  /// Sends an entry again after it has failed, while it is waiting, or when its outcome is unknown.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence`; with code `cancelled` if the entry
  ///   refers to an object of a mutation that was discarded.
  public func retry(_ id: OutboxEntry.ID) async throws {
    try await change { work in
      guard let item = work.item(id) else { return }
      switch item.record.entry.state {
      case .sending, .acknowledged: return
      case .failed: if let error = item.record.entry.error, error.code == .cancelled { throw error }
      default: break
      }
      item.record.entry.state = .queued
      item.record.entry.nextAttempt = nil
      item.record.entry.error = nil
      try work.write([item])
      if item.layer == nil { work.publish(work.reapply(from: item)) }
    }
  }

  /// Removes an entry and reverts its optimistic update. Entries that refer to objects that it
  /// would have created fail. A no-op once the server has responded.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence`.
  public func discard(_ id: OutboxEntry.ID) async throws {
    try await change { work in
      guard let item = work.item(id), item.record.entry.state != .acknowledged else { return }
      try work.discard(item)
    }
  }

  /// Sends all waiting entries at once: after the user has signed in again, or when the network is
  /// back.
  public func resume() {
    queue.async { [self] in
      work.isSuspended = false
      for item in work.items where item.record.entry.state == .blockedOnAuthentication {
        item.record.entry.state = .queued
      }
      retryWaiting()
    }
  }

  /// Sends the entries that wait for their next attempt. Call this on the queue.
  private func retryWaiting() {
    for item in work.items { item.record.entry.nextAttempt = nil }
    send()
  }

  /// Stops sending until ``resume()``; requests in flight continue.
  public func suspend() { queue.async { [self] in work.isSuspended = true } }

  private func change(_ body: @escaping @Sendable (OutboxWork) throws -> Void) async throws {
    try await isReady.value
    try await onQueue { [self] in
      try body(work)
      send()
    }
  }

  /// Removes all entries, durably, without sending them.
  package func reset() {
    do { try work.engine.markWiped() } catch { report(error) }
    var inboxFailure: PersistenceFailure?
    do { try work.options.inbox?.removeAll() } catch {
      inboxFailure = PersistenceFailure(wrapping: error)
      work.store.log(.inboxFailed(PersistenceFailure(wrapping: error).description))
    }
    state.withLock { state in
      state.resets += 1
      state.outcomes = RecentOutcomes()
    }
    work.store.serverIDs.removeAll()
    publish([])
    queue.async { [self, inboxFailure] in
      work.generation += 1
      work.aliases = StoredAliases()
      work.store.serverIDs.removeAll()
      work.inboxReport = InboxReport()
      for item in work.items {
        item.task?.cancel()
        // An entry added after the store's reset has an optimistic update.
        work.publish(work.revert(item))
      }
      work.items = []
      do {
        try work.engine.wipe()
        work.wipeFailure = inboxFailure
      } catch {
        work.wipeFailure = PersistenceFailure(wrapping: error)
        report(error)
      }
      state.withLock { $0.resets -= 1 }
      publishEntries()
    }
  }

  /// Waits until ``reset()`` has removed the files.
  ///
  /// - Throws: ``RelayError`` with code `persistence` if they could not be removed.
  package func waitForReset() async throws {
    try await onQueue { [work] in if let failure = work.wipeFailure { throw failure } }
  }

  /// Waits until the work in progress is done.
  package func wait() async { await withCheckedContinuation { queue.async(execute: $0.resume) } }

  // MARK: Loading

  /// Reads the entries and applies their optimistic updates, so that these appear together with the
  /// records. Then waits for the records, which may still be loading. Call this on the queue.
  private func load() {
    let generation = work.generation
    do {
      if let path = try work.load() {
        work.store.log(.outboxRejected(path: path))
      }
      work.identify()
      for item in work.items where item.record.entry.state != .failed {
        if item.record.entry.state == .blockedOnAuthentication {
          item.record.entry.state = .queued
        }
        work.publish((try? work.apply(item)) ?? [])
      }
      publishEntries(isLoaded: true)
      work.store.whenLoaded { [weak self] in
        guard let self else { return }
        queue.async { self.begin(generation) }
      }
    } catch {
      stop(error)
    }
  }

  /// Merges the responses of the last run and sends the other entries. Call this on the queue.
  private func begin(_ generation: Int) {
    if generation == work.generation {
      work.identify()
      for item in work.acknowledged {
        keepOutcome(of: item)
        work.merge(item)
      }
    }
    importReporting()
    publishEntries()
    work.hasBegun = true
    isReady.fulfill(.success(()))
    removeAcknowledged()
    send()
    watchInbox()
  }

  /// Keeps the outcome of an entry with a response, for those who wait for it. Call this on the
  /// queue.
  func keepOutcome(of item: OutboxWork.Item) {
    let outcome = OutboxOutcome(of: item.record)
    state.withLock { $0.outcomes.insert(outcome, of: item.record.entry.id) }
  }

  private func stop(_ error: any Error) {
    let failure = PersistenceFailure(wrapping: error)
    work.store.log(.outboxFailed(failure.description))
    publishEntries(isLoaded: true)
    work.hasBegun = true
    isReady.fulfill(.failure(RelayError(.persistence, failure.description, underlying: failure)))
  }

  /// Closes the file; the next write reopens it.
  func closeFile() { queue.sync { work.engine.close() } }

  /// Schedules the next sending at a date; `nil` for none.
  func schedule(_ date: Date?) {
    let clock = work.store.configuration.clock
    let timer = date.map { date in
      // After a wait that was limited, the next sending is scheduled again.
      let wait = Duration.seconds(min(max(0, date.timeIntervalSince(work.now)), 1e9))
      return Task.detached { [weak self] in
        guard (try? await clock.wait(for: wait)) != nil else { return }
        guard let self else { return }
        queue.async { self.send() }
      }
    }
    let old = state.withLock { state in
      defer { state.timer = timer }
      return state.timer
    }
    old?.cancel()
  }

  /// Publishes the list of entries to its consumers. Call this on the queue.
  func publishEntries(isLoaded: Bool = false) {
    publish(work.items.map(\.record.entry), isLoaded: isLoaded)
  }

  private func publish(_ entries: [OutboxEntry], isLoaded: Bool = false) {
    let ended = state.withLock { state in
      let isFirst = isLoaded && !state.isLoaded
      if isLoaded { state.isLoaded = true }
      // A reset has removed the entries that the queue still holds.
      let list = state.resets > 0 ? [] : entries
      if isFirst || list != state.entries {
        for stream in state.streams.values { stream.yield(list) }
      }
      return state.replaceEntries(by: list)
    }
    for (waiter, outcome) in ended { waiter.resume(with: outcome) }
  }
}
