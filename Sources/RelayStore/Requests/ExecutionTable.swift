/// The executions of an environment that have not ended: an index by id, by identity and by page.
///
/// A response is committed in the critical section of the store's lock, in which ``commit(_:)``
/// decides whether to write it. The table's lock is taken inside of the store's, never the other
/// way round. No execution and no listener is called while it is held.
package final class ExecutionTable: Sendable {
  /// The listeners to its changes, which are called after its lock is released.
  let listeners = ExecutionListeners()

  private let state = Locked(State(), rank: .executions)
  /// The outcomes that callers have not received yet.
  private let deliveries: PendingDeliveries

  /// The deliveries to models, which wait while a response is being committed.
  private let models: ModelDeliveries

  /// The tracing of requests; `nil` for none.
  private let tracing: RequestTracing?

  init(
    _ deliveries: PendingDeliveries = PendingDeliveries(),
    models: ModelDeliveries = ModelDeliveries(), tracing: RequestTracing? = nil
  ) {
    self.deliveries = deliveries
    self.models = models
    self.tracing = tracing
  }

  // MARK: Looking up

  var count: Int { state.withLock { $0.entries.count } }

  /// The executions, the oldest first.
  package var executions: [OperationExecution] { state.withLock { $0.executions } }

  /// Whether an execution has not ended.
  func contains(_ id: OperationExecution.ID) -> Bool {
    state.withLock { $0.entries[id] != nil }
  }

  /// Whether an operation is being executed.
  func contains(_ identity: RequestIdentity) -> Bool {
    state.withLock { $0.entries.values.contains { $0.execution.request.identity == identity } }
  }

  /// Whether an operation is being executed since it was last marked as outdated.
  func isFetching(_ identity: RequestIdentity) -> Bool {
    state.withLock { state in
      state.entries.values.contains {
        $0.execution.request.identity == identity && !$0.isOutdated
      }
    }
  }

  /// Whether the rest of a response is not written, because of that of a newer execution.
  func isSuperseded(_ id: OperationExecution.ID) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[id] else { return false }
      return entry.isSuperseded
        || state.newestCommitted[entry.execution.request.identity] ?? 0 > id
    }
  }

  /// Whether a page is being loaded.
  func isLoading(_ page: PageKey) -> Bool { state.withLock { $0.pages[page] != nil } }

  /// The execution that loads a page; `nil` if there is none.
  func execution(of page: PageKey) -> OperationExecution? {
    state.withLock { state in state.pages[page].flatMap { state.entries[$0]?.execution } }
  }

  /// The number of executions of pages that have ended, and of resets: it changes whenever a page
  /// may begin elsewhere.
  var endedPageCount: UInt64 { state.withLock { $0.endedPageCount } }

  /// Whether a page of a connection is being written to the store.
  func isCommittingPage(of connection: DataID) -> Bool {
    let executions = state.withLock { state in
      [PageDirection.next, .previous].compactMap {
        state.pages[PageKey(connection: connection, direction: $0)]
          .flatMap { state.entries[$0]?.execution }
      }
    }
    return executions.contains { $0.isCommitting }
  }

  /// The number of resets. The data of an execution from an earlier epoch is neither committed nor
  /// delivered.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  // MARK: Creating

  /// The body of an execution, given its id and what accompanies the request: sends the request and
  /// commits the response.
  typealias Run = @Sendable (OperationExecution.ID, RunningRequest) async throws -> FetchedData

  /// Returns the execution of a query in flight, or creates one. The operation's fetch time is
  /// recorded in the store, which adds an operation that is not retained to the release buffer.
  ///
  /// - Parameters:
  ///   - isShared: Whether other callers may join it.
  ///   - abandoned: An execution that the caller found abandoned, which is not returned again.
  func execution(
    of request: OperationRequest, isShared: Bool, replacing abandoned: OperationExecution?,
    run: @escaping Run
  ) -> OperationExecution {
    let (execution, isNew) = state.withLock { state in
      let found = inFlightOrNew(
        request, isShared: isShared, replacing: abandoned, in: &state, run: run)
      state.entries[found.execution.id]?.isRecorded = true
      return found
    }
    if isNew { listeners.notify(.execution) }
    return execution
  }

  /// Returns the execution that loads a page, whatever its request is, or creates one, which records
  /// no fetch time.
  ///
  /// - Parameters:
  ///   - request: The query that loads the page.
  ///   - endedPageCount: The value of ``endedPageCount`` before the request was made.
  ///   - abandoned: An execution that the caller found abandoned, which is not returned again.
  /// - Returns: `nil` if no execution loads the page and one has ended since the request was made:
  ///   the request may begin at a former end of the list.
  func execution(
    of request: OperationRequest, page: PageKey, endedPageCount: UInt64,
    replacing abandoned: OperationExecution?, run: @escaping Run
  ) -> OperationExecution? {
    let found = state.withLock { state -> (OperationExecution, isNew: Bool, isNewPage: Bool)? in
      if let id = state.pages[page], id != abandoned?.id,
        let execution = state.entries[id]?.execution
      {
        return (execution, false, false)
      }
      if state.endedPageCount != endedPageCount { return nil }
      let (execution, isNew) = inFlightOrNew(
        request, isShared: true, replacing: abandoned, in: &state, run: run)
      if isNew { state.entries[execution.id]?.isRecorded = false }
      state.pages[page] = execution.id
      return (execution, isNew, true)
    }
    guard let (execution, isNew, isNewPage) = found else { return nil }
    if isNew { listeners.notify(.execution) }
    if isNewPage { listeners.notify(.page(page, execution.request, nil)) }
    return execution
  }

  private func inFlightOrNew(
    _ request: OperationRequest, isShared: Bool, replacing abandoned: OperationExecution?,
    in state: inout State, run: @escaping Run
  ) -> (execution: OperationExecution, isNew: Bool) {
    if isShared, let id = state.shared[request.identity], id != abandoned?.id,
      let execution = state.entries[id]?.execution
    {
      return (execution, false)
    }
    let execution = makeExecution(of: request, .query, in: &state, run: run)
    if isShared { state.shared[request.identity] = execution.id }
    return (execution, true)
  }

  /// Creates an execution of a mutation.
  ///
  /// - Parameters:
  ///   - delivery: That of the outcome to the caller, which begins when the execution leaves the table.
  ///   - rollBack: Called with its trace when the execution fails or is abandoned, before it
  ///     leaves the table: listeners never find an optimistic update without its execution.
  func execution(
    of request: OperationRequest, optimisticUpdate: UInt64?, delivery: OutcomeDelivery,
    rollBack: @escaping @Sendable (RequestTrace?) -> Void, run: @escaping Run
  ) -> OperationExecution {
    let execution = state.withLock {
      makeExecution(
        of: request, .mutation, optimisticUpdate: optimisticUpdate, delivery: delivery, in: &$0,
        rollBack: rollBack, run: run)
    }
    listeners.notify(.execution)
    return execution
  }

  /// Creates an execution of a subscription, whose events are its responses.
  func execution(
    ofSubscription request: OperationRequest, run: @escaping Run
  ) -> OperationExecution {
    let execution = state.withLock {
      makeExecution(of: request, .subscription, in: &$0, run: run)
    }
    listeners.notify(.execution)
    return execution
  }

  /// Marks the executions of queries in flight as outdated: no other caller joins them, and their
  /// responses do not count as fetched.
  func outdate(_ identities: Set<RequestIdentity>) {
    state.withLock { state in
      for (id, entry) in state.entries
      where entry.execution.kind == .query && identities.contains(entry.execution.request.identity)
      {
        state.entries[id]?.isOutdated = true
        let identity = entry.execution.request.identity
        if state.shared[identity] == id { state.shared[identity] = nil }
      }
    }
  }

  /// Asks the loads of operations to fetch them again.
  func refetch(_ identities: Set<RequestIdentity>) {
    if !identities.isEmpty { listeners.notify(.refetch(identities)) }
  }

  private func makeExecution(
    of request: OperationRequest, _ kind: OperationKind, optimisticUpdate: UInt64? = nil,
    delivery: OutcomeDelivery? = nil, in state: inout State,
    rollBack: @escaping @Sendable (RequestTrace?) -> Void = { _ in },
    run: @escaping Run
  ) -> OperationExecution {
    state.lastID += 1
    let id = state.lastID
    let running = RunningRequest(hold: RequestHold(), trace: tracing?.trace(request, kind))
    // Lasts until all callers were called back; that of a mutation, until its only caller ends it.
    let delivery = delivery ?? OutcomeDelivery(in: deliveries)
    let endDelivery: @Sendable () -> Void = { if kind != .mutation { delivery.end() } }
    let work = SharedWork(
      keepsLastValue: kind == .mutation,
      onAbandon: { [self] callBack in
        delivery.begin()
        rollBack(running.trace)
        running.trace?.ended(CancellationError())
        remove(id, .failure(CancellationError()))
        callBack()
        endDelivery()
      },
      onUnseal: { [models] in models.release() },
      onEnd: endDelivery
    ) { [self] in
      let outcome: Result<FetchedData, any Error>
      do {
        outcome = .success(try await run(id, running))
        running.trace?.ended(nil)
      } catch {
        rollBack(running.trace)
        running.trace?.ended(error)
        outcome = .failure(error)
      }
      // That of a mutation begins in `remove`, unless a reset or its caller has ended it before.
      if kind != .mutation { delivery.begin() }
      remove(id, outcome)
      return try outcome.get()
    }
    let execution = OperationExecution(
      id: id, request, kind: kind, optimisticUpdate: optimisticUpdate, epoch: state.epoch,
      running: running, delivery: delivery, work: work)
    state.entries[id] = Entry(execution: execution)
    return execution
  }

  // MARK: Ending

  /// Removes an execution that has ended or was abandoned. The latter can happen inside an updater,
  /// when it releases the last caller.
  private func remove(
    _ id: OperationExecution.ID, _ outcome: Result<FetchedData, any Error>
  ) {
    // The execution is returned so that it is released after unlocking: releasing its closures may
    // run any code.
    let (removed, pages) = state.withLock { state -> (OperationExecution?, [PageKey]) in
      guard let execution = state.entries.removeValue(forKey: id)?.execution else {
        return (nil, [])
      }
      let identity = execution.request.identity
      if state.shared[identity] == id { state.shared[identity] = nil }
      // Without executions in flight the entry has no effect, because the ids of later executions
      // are greater.
      let isLast = !state.entries.values.contains { $0.execution.request.identity == identity }
      // The rest of an older response is written if that of this one will not be.
      let hasFailed = if case .failure = outcome { true } else { false }
      if isLast || hasFailed && state.newestCommitted[identity] == id {
        state.newestCommitted[identity] = nil
      }
      let pages = state.pages.isEmpty ? [] : state.pages.filter { $0.value == id }.map(\.key)
      for page in pages { state.pages[page] = nil }
      state.endedPageCount += UInt64(pages.count)
      if execution.kind == .mutation { execution.delivery.begin() }
      return (execution, pages)
    }
    guard let removed else { return }
    listeners.notify(.execution)
    for page in pages { listeners.notify(.page(page, removed.request, outcome)) }
  }

  /// Removes and cancels every execution; no response to one is committed after this.
  ///
  /// Call this with the store locked, and the returned closure after unlocking it.
  func reset() -> @Sendable () -> Void {
    // One turn empties the models and ends their loading.
    models.hold()
    let (ended, pages) = state.withLock { state in
      let ended = state.executions
      let pages = state.pages.compactMap { page, id in
        state.entries[id].map { (page, $0.execution) }
      }
      state.reset()
      // As in `remove`, which does not find these executions any more.
      for execution in ended where execution.kind == .mutation { execution.delivery.begin() }
      return (ended, pages)
    }
    return { [self] in
      listeners.notify(.reset)
      for execution in ended { execution.cancel() }
      listeners.notify(.execution)
      for (page, execution) in pages {
        listeners.notify(.page(page, execution.request, .failure(CancellationError())))
      }
      models.release()
    }
  }

  // MARK: Committing

  /// The decision on how to commit a response.
  struct CommitDecision {
    /// Whether the response of a newer execution of the same operation was committed before, so
    /// that this one is not written.
    let isSuperseded: Bool
    /// Whether the operation's fetch time is recorded in the store.
    let isRecorded: Bool
  }

  /// Begins to commit the response of an execution, before the store is locked. From then on it
  /// cannot be abandoned.
  ///
  /// - Throws: `CancellationError` when the execution was abandoned, or ended by a reset.
  func beginCommit(_ id: OperationExecution.ID) throws {
    guard let execution = state.withLock({ $0.entries[id] })?.execution else {
      throw CancellationError()
    }
    models.hold()
    do {
      try execution.beginCommit()
    } catch {
      models.release()
      throw error
    }
  }

  /// Ends the commit of a response that is not the last one of its execution, and passes its data on
  /// to the callers.
  func endCommit(_ id: OperationExecution.ID, with data: FetchedData) {
    // An execution that a reset has removed meanwhile has ended, which has released the models.
    state.withLock { $0.entries[id] }?.execution.endCommit(with: data)
  }

  /// Decides whether a response is written. Call it with the store locked, so that the decision and
  /// the write are one critical section.
  ///
  /// - Throws: `CancellationError` when a reset has ended the execution.
  func commit(_ id: OperationExecution.ID) throws -> CommitDecision {
    try state.withLock { state in
      guard let entry = state.entries[id] else { throw CancellationError() }
      let isRecorded = entry.isRecorded && !entry.isOutdated
      if entry.execution.kind != .query {
        return CommitDecision(isSuperseded: false, isRecorded: isRecorded)
      }
      // One look-up for each payload but the first: the identity has all variables.
      let identity = entry.execution.request.identity
      let newest = state.newestCommitted[identity] ?? 0
      let isSuperseded = entry.isSuperseded || newest > id
      if isSuperseded {
        state.entries[id]?.isSuperseded = true
      } else if newest != id {
        state.newestCommitted[identity] = id
      }
      return CommitDecision(isSuperseded: isSuperseded, isRecorded: isRecorded)
    }
  }
}
