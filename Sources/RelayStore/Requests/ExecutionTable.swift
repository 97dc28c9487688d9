/// An environment's executions that have not ended, indexed by id, by identity and by page.
///
/// A response is committed inside the critical section of the store's lock, where ``commit(_:)``
/// decides whether to write it. Lock order: the store's lock, then the table's. Executions and
/// listeners are never called while the table's lock is held.
package final class ExecutionTable: Sendable {
  /// The listeners for its changes, called after its lock is released.
  let listeners = ExecutionListeners()

  private let state = Locked(State(), rank: .executions)
  /// The outcomes that callers have not yet received.
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

  /// The executions, oldest first.
  package var executions: [OperationExecution] { state.withLock { $0.executions } }

  /// Returns whether an execution has not ended.
  func contains(_ id: OperationExecution.ID) -> Bool {
    state.withLock { $0.entries[id] != nil }
  }

  /// Returns whether an operation is being executed.
  func contains(_ identity: RequestIdentity) -> Bool {
    state.withLock { $0.entries.values.contains { $0.execution.request.identity == identity } }
  }

  /// Returns whether an execution of an operation has started since it was last marked as outdated.
  func isFetching(_ identity: RequestIdentity) -> Bool {
    state.withLock { state in
      state.entries.values.contains {
        $0.execution.request.identity == identity && !$0.isOutdated
      }
    }
  }

  /// Returns whether the rest of a response is discarded in favor of a newer execution's response.
  func isSuperseded(_ id: OperationExecution.ID) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[id] else { return false }
      return entry.isSuperseded
        || state.newestCommitted[entry.execution.request.identity] ?? 0 > id
    }
  }

  /// Returns whether a page is being loaded.
  func isLoading(_ page: PageKey) -> Bool { state.withLock { $0.pages[page] != nil } }

  /// Returns the execution that loads a page, or `nil`.
  func execution(loading page: PageKey) -> OperationExecution? {
    state.withLock { state in state.pages[page].flatMap { state.entries[$0]?.execution } }
  }

  /// The number of page executions that have ended, plus the number of resets. It changes whenever
  /// the next page may start elsewhere.
  var endedPageCount: UInt64 { state.withLock { $0.endedPageCount } }

  /// Returns whether a page of a connection is being written to the store.
  func isCommittingPage(of connection: DataID) -> Bool {
    let executions = state.withLock { state in
      [PageDirection.next, .previous].compactMap {
        state.pages[PageKey(connection: connection, direction: $0)]
          .flatMap { state.entries[$0]?.execution }
      }
    }
    return executions.contains { $0.isCommitting }
  }

  /// The number of resets. Data of an execution from an earlier epoch is neither committed nor
  /// delivered.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  // MARK: Creating

  /// The body of an execution: sends the request and commits the response, given the execution's id
  /// and the objects that accompany the request.
  typealias Run = @Sendable (OperationExecution.ID, RunningRequest) async throws -> FetchedData

  /// Returns the execution of a query in flight, or creates one. The store records the operation's
  /// fetch time; if the operation is not retained, that adds it to the release buffer.
  ///
  /// - Parameters:
  ///   - isShared: Whether other callers may join the execution.
  ///   - abandoned: An execution that the caller found abandoned; it is not returned again.
  func queryExecution(
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

  /// Returns the execution that loads a page, whatever its request is, or creates one that does not
  /// record a fetch time.
  ///
  /// - Parameters:
  ///   - request: The query that loads the page.
  ///   - endedPageCount: The value of ``endedPageCount`` before the request was created.
  ///   - abandoned: An execution that the caller found abandoned; it is not returned again.
  /// - Returns: `nil` if no execution loads the page and one has ended since the request was
  ///   created, because the request may start at a former end of the list.
  func pageExecution(
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
  ///   - delivery: The delivery of the outcome to the caller. It starts when the execution leaves
  ///     the table.
  ///   - rollBack: Called with the trace when the execution fails or is abandoned, before it leaves
  ///     the table. This way listeners never find an optimistic update without its execution.
  func mutationExecution(
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

  /// Creates an execution of a subscription; each event is one of its responses.
  func subscriptionExecution(
    of request: OperationRequest, run: @escaping Run
  ) -> OperationExecution {
    let execution = state.withLock {
      makeExecution(of: request, .subscription, in: &$0, run: run)
    }
    listeners.notify(.execution)
    return execution
  }

  /// Marks the queries' executions in flight as outdated: no other caller joins them, and their
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
    // Lasts until all callers were called back; a mutation's lasts until its only caller ends it.
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
      // A mutation's delivery starts in `remove`, unless a reset or its caller has already ended
      // it.
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

  /// Removes an execution that has ended or was abandoned. An execution can be abandoned inside an
  /// updater that releases the last caller.
  private func remove(
    _ id: OperationExecution.ID, _ outcome: Result<FetchedData, any Error>
  ) {
    // Returned so that the execution is released after unlocking: releasing its closures may run
    // arbitrary code.
    let (removed, pages) = state.withLock { state -> (OperationExecution?, [PageKey]) in
      guard let execution = state.entries.removeValue(forKey: id)?.execution else {
        return (nil, [])
      }
      let identity = execution.request.identity
      if state.shared[identity] == id { state.shared[identity] = nil }
      // Without executions in flight, the entry has no effect because later executions have greater
      // ids.
      let isLast = !state.entries.values.contains { $0.execution.request.identity == identity }
      // If this response will not be completed, the rest of an older one may be written.
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

  /// Removes and cancels every execution; none of their responses is committed after this.
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
      // As in `remove`, which no longer finds these executions.
      for execution in ended { execution.delivery.begin() }
      return (ended, pages)
    }
    return { [self] in
      listeners.notify(.reset)
      for execution in ended { execution.cancel() }
      for execution in ended where execution.kind != .mutation { execution.delivery.end() }
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
    /// Whether a newer execution of the same operation has already committed its response, so that
    /// this one is not written.
    let isSuperseded: Bool
    /// Whether the store records the operation's fetch time.
    let isRecorded: Bool
  }

  /// Starts to commit an execution's response, before the store is locked. From then on the
  /// execution cannot be abandoned.
  ///
  /// - Throws: `CancellationError` if the execution was abandoned or ended by a reset.
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

  /// Ends the commit of a response that is not the execution's last, and passes its data to the
  /// callers.
  func endCommit(_ id: OperationExecution.ID, with data: FetchedData) {
    // If a reset has removed the execution in the meantime, it has ended and released the models.
    state.withLock { $0.entries[id] }?.execution.endCommit(with: data)
  }

  /// Decides whether a response is written. Call it with the store locked, so that the decision and
  /// the write are one critical section.
  ///
  /// - Throws: `CancellationError` if a reset has ended the execution.
  func commit(_ id: OperationExecution.ID) throws -> CommitDecision {
    try state.withLock { state in
      guard let entry = state.entries[id] else { throw CancellationError() }
      let isRecorded = entry.isRecorded && !entry.isOutdated
      if entry.execution.kind != .query {
        return CommitDecision(isSuperseded: false, isRecorded: isRecorded)
      }
      // One hash lookup for every payload after the first, because hashing an identity hashes all
      // variables.
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
