/// A loaded, retained query: a view of its executions and of its data in the store, for any number
/// of consumers.
///
/// ``end()`` or deallocation ends the retention and the observation, and leaves the execution.
///
/// The lock guards the state. Executions and the execution table may be called while it is held;
/// consumers and the store may not.
final class QueryLoad: Sendable {
  let environment: RelayEnvironment
  let request: OperationRequest
  let options: LoadOptions
  let kind: ObserverKind
  let policy: FetchPolicy
  /// Whether incomplete data, including data of the query's fragments, is withheld until a response
  /// arrives.
  private let withholdsIncomplete: Bool
  let state: Locked<State>

  /// - Parameter kind: How the load is notified of store changes.
  init(
    _ request: OperationRequest, in environment: RelayEnvironment, policy: FetchPolicy,
    options: LoadOptions, as kind: ObserverKind = .closure
  ) {
    self.environment = environment
    self.request = request
    self.options = options
    self.policy = policy
    self.kind = kind
    let store = environment.store
    withholdsIncomplete = policy == .storeOrNetwork || policy == .storeAndNetwork
    state = Locked(
      State(
        row: store.read(request.data),
        showsStore: policy != .networkOnly,
        isIncomplete: withholdsIncomplete,
        retainedIn: environment.executions.epoch),
      rank: .load)
    let retention = store.retain(request.identity, request.plan, root: .root)
    let (row, observation) = store.readAndObserve(request.data, as: kind) { [weak self] in
      self?.storeChanged($0)
    }
    let listening = listening()
    state.withLock { state in
      (state.retention, state.observation, state.listening) = (retention, observation, listening)
    }
    begin(row)
  }

  private func listening() -> [ExecutionListening] {
    let (executions, store) = (environment.executions, environment.store)
    let resets = ExecutionListening(to: .resets, of: executions, in: store) { [weak self] _ in
      self?.dropLastResponse()
    }
    let refetches = ExecutionListening(
      to: .refetches, of: executions, in: store
    ) { [weak self, identity = request.identity] event in
      if case .refetch(let stale) = event, stale.contains(identity) {
        self?.fetch(replacesExecution: true)
      }
    }
    return [resets, refetches]
  }

  /// Starts to load, according to the policy.
  private func begin(_ row: RowSnapshot) {
    let store = environment.store
    let isAvailable = policy == .storeOrNetwork && request.isAvailable(in: store)
    let awaitsPersistence =
      (policy == .storeOrNetwork || policy == .storeOnly) && !isAvailable && store.isLoading
    state.withLock { state in
      if isAvailable { state.isIncomplete = false }
      state.awaitsPersistence = awaitsPersistence
    }
    updateAge()
    // The policy decides whether data that is missing initially is fetched.
    state.withLock { $0.missing.didRequest(row) }
    // Includes changes between the first read and the start of the observation.
    storeChanged(row)
    if awaitsPersistence {
      store.whenLoaded { [weak self] in self?.startLoaded() }
    } else {
      start(isAvailable: isAvailable)
      if request.mayExpire, store.isLoading {
        store.whenLoaded { [weak self] in self?.learnAge() }
      }
    }
    waitForPoll()
  }

  /// Starts a load that has waited for the store to be loaded.
  private func startLoaded() {
    let store = environment.store
    let isAvailable = request.isAvailable(in: store)
    if isAvailable { state.withLock { $0.isIncomplete = false } }
    updateAge()
    let row = store.read(request.data)
    state.withLock { $0.missing.didRequest(row) }
    storeChanged(row)
    // Clears `awaitsStorage` only once the request is in flight, so that the load never appears
    // idle.
    start(isAvailable: isAvailable)
    state.withLock { $0.awaitsPersistence = false }
    deliver()
  }

  deinit { end() }

  private func start(isAvailable: Bool) {
    switch policy {
    case .storeOnly: break
    case .storeOrNetwork:
      // Data that is complete but unreadable, because of a null or a deleted record, is fetched
      // once.
      let isUnreadable = state.withLock { $0.row.row == nil }
      if isUnreadable || !isAvailable { return fetch() }
      state.withLock { $0.wasComplete = true }
      if let tracing = environment.tracing {
        tracing.servedByStore(request, since: environment.store.time.elapsed)
      }
    case .networkOnly, .storeAndNetwork: fetch()
    }
  }

  /// Fetches again after the poll interval. Every outcome restarts the interval.
  private func waitForPoll() {
    guard let interval = options.pollInterval else { return }
    let poll = Task { [weak self, clock = environment.clock] in
      if (try? await clock.wait(for: interval)) != nil { self?.fetch() }
    }
    let old = state.withLock { state in
      if state.isEnded { return Optional(poll) }
      defer { state.poll = poll }
      return state.poll
    }
    old?.cancel()
  }

  // MARK: Executions

  /// Executes the query, unless the load already waits for an execution.
  func fetch() { fetch(replacesExecution: false) }

  /// - Parameter replacesExecution: Whether to leave the execution in flight because its response
  ///   is outdated.
  private func fetch(replacesExecution: Bool) {
    var (abandoned, replaces) = (OperationExecution?.none, replacesExecution)
    guard state.withLock({ !$0.isEnded && (replaces || $0.execution == nil) }) else { return }
    while true {
      let execution = environment.queryExecution(
        of: request, context: options.context, replacing: abandoned)
      let (isFirst, old) = state.withLock { state in
        let old = state.execution
        guard !state.isEnded, old == nil || replaces && old?.execution !== execution else {
          return (false, (execution: OperationExecution, caller: UInt64?)?.none)
        }
        if let old { state.lastReplaced = old.execution.id }
        state.execution = (execution, nil)
        state.error = nil
        state.isStopped = false
        state.missing.didRequest(state.row)
        return (true, old)
      }
      guard isFirst else { return execution.cancelIfUnused() }
      replaces = false
      if let old, let caller = old.caller { old.execution.leave(caller) }
      retainAfterReset()
      deliver()
      // If the execution has already ended, a model receives the outcome in a later main-actor
      // turn, so that it is loading when the call returns.
      if environment.store.models.deferring({ join(execution) }) { return }
      let isOwn = state.withLock { state in
        guard state.execution?.execution === execution else { return false }
        state.execution = nil
        return true
      }
      // After a reset, another call may have started the next execution.
      guard isOwn else { return }
      abandoned = execution
    }
  }

  /// Joins an execution.
  ///
  /// - Returns: `false` if the execution was already abandoned.
  private func join(_ execution: OperationExecution) -> Bool {
    let caller = execution.join(
      timeout: options.timeout, clock: environment.clock,
      onData: { [weak self] in self?.receive($0, of: execution.id) }
    ) { [weak self] in self?.complete(execution.id, with: $0) }
    guard let caller else { return false }
    let isOwn = state.withLock { state in
      guard !state.isEnded, state.execution?.execution === execution else { return false }
      state.execution?.caller = caller
      return true
    }
    // The load has ended, waits for another execution, or was already called back.
    if !isOwn { execution.leave(caller) }
    return true
  }

  /// Retains the query again after a reset released it.
  private func retainAfterReset() {
    let epoch = environment.executions.epoch
    guard state.withLock({ !$0.isEnded && $0.retainedIn != epoch }) else { return }
    let retention = environment.store.retain(request.identity, request.plan, root: .root)
    // Returned so that the previous retention is released after unlocking.
    _ = state.withLock { state -> Retention? in
      guard !state.isEnded else { return nil }
      state.retainedIn = epoch
      defer { state.retention = retention }
      return state.retention
    }
  }

  /// Removes the response and the error of the epoch that a reset ended. An execution of that epoch
  /// counts as cancelled.
  private func dropLastResponse() {
    let row = environment.store.read(request.data)
    let epoch = environment.executions.epoch
    let isCancelled = state.withLock { state in
      (state.lastResponse, state.error) = (nil, nil)
      (state.wasComplete, state.wasOffline, state.awaitsServerIDs) = (false, false, false)
      state.missing = MissingDataRequests()
      state.isIncomplete = withholdsIncomplete
      if row.revision >= state.row.revision { state.row = row }
      guard let execution = state.execution?.execution, execution.epoch != epoch else {
        return false
      }
      (state.execution, state.error) = (nil, request.operationError(CancellationError()))
      return true
    }
    if isCancelled { waitForPoll() }
    deliver()
  }

  /// Delivers the data of a response that is not the last of its execution.
  private func receive(_ fetched: FetchedData, of id: OperationExecution.ID) {
    let epoch = environment.executions.epoch
    // The store is not read while the load's lock is held.
    let row = shownRow(fetched)
    state.withLock { state in
      guard let execution = state.execution?.execution, execution.id == id,
        execution.epoch == epoch
      else { return }
      state.receive(row, of: fetched.response, in: epoch)
    }
    deliver()
  }

  /// Delivers the outcome of an execution, unless the load now waits for another one.
  private func complete(_ id: OperationExecution.ID, with outcome: Result<FetchedData, any Error>) {
    let row = (try? outcome.get()).map(shownRow)
    var unknown: ServerIDTable.UnknownIDs?
    let isOwn = state.withLock { state in
      guard let execution = state.execution?.execution, execution.id == id else { return false }
      state.execution = nil
      switch outcome {
      case .success where execution.epoch != environment.executions.epoch:
        // A reset has removed the data from the store.
        state.error = request.operationError(CancellationError())
      case .success(let fetched):
        state.missing.didRequest(fetched.row)
        state.receive(row ?? fetched.row, of: fetched.response, in: execution.epoch)
      case .failure(let error):
        let error = request.operationError(error)
        unknown = error.underlying as? ServerIDTable.UnknownIDs
        if unknown != nil || error.code == .transport { state.wasOffline = true }
        // The store's data is shown until the id is known.
        if unknown == nil || !state.showsStore { state.error = error }
      }
      return true
    }
    if isOwn {
      updateAge()
      waitForPoll()
      fetchMissing()
    }
    deliver()
    if isOwn, let unknown { fetchWhenKnown(unknown) }
  }

  /// Fetches once the server's ids of the query's variables are known.
  private func fetchWhenKnown(_ unknown: ServerIDTable.UnknownIDs) {
    let isWaiting = state.withLock { state in
      defer { state.awaitsServerIDs = true }
      return state.awaitsServerIDs
    }
    if isWaiting { return }
    environment.store.serverIDs.whenKnown(unknown, for: self) { [weak self] in
      self?.state.withLock { $0.awaitsServerIDs = false }
      self?.fetch()
    }
  }

  /// Waits for the execution in flight, if any, and for any execution that replaces it.
  ///
  /// - Throws: The error of that execution, or the last error if none is in flight.
  func outcome() async throws {
    while true {
      let (execution, error) = state.withLock { ($0.execution?.execution, $0.error) }
      guard let execution else { return try error.map { throw $0 } ?? () }
      do {
        let fetched = try await execution.value(timeout: options.timeout, clock: environment.clock)
        if isReplaced(execution) { continue }
        if fetched == nil { throw CancellationError() }
        return
      } catch {
        if !Task.isCancelled, isReplaced(execution) { continue }
        throw request.callerError(error)
      }
    }
  }

  private func isReplaced(_ execution: OperationExecution) -> Bool {
    state.withLock { execution.id <= $0.lastReplaced }
  }

  /// Cancels the execution and ends polling, without delivering a state.
  func stop() {
    let (execution, timers) = state.withLock { state in
      defer { (state.execution, state.poll, state.expiry) = (nil, nil, nil) }
      state.isStopped = true
      return (state.execution, [state.poll, state.expiry])
    }
    for timer in timers { timer?.cancel() }
    if let (execution, caller) = execution, let caller { execution.leave(caller) }
  }

  // MARK: Delivery

  /// Stores a new row and delivers it. While the load's own execution commits, the row is delivered
  /// as one state with the end of the execution. A model's load receives the row in a later
  /// main-actor turn. That turn follows the end of the execution or another commit, and the model
  /// must show either.
  private func storeChanged(_ row: RowSnapshot) {
    // Another load may have fetched the query.
    updateAge()
    if state.withLock({ $0.isIncomplete }), !environment.store.lacksData(of: request.written) {
      state.withLock { $0.isIncomplete = false }
    }
    let (isDelivered, becameStale) = state.withLock { state in
      let wasStale = state.row.isStale
      guard state.update(with: row) else { return (false, false) }
      return (
        kind == .model || !(state.execution?.execution.isCommitting ?? false),
        row.isStale && !wasStale
      )
    }
    if becameStale { fetchStale() }
    fetchMissing()
    if isDelivered { deliver() }
  }

  /// Ends the load; idempotent.
  func end() {
    let (old, receivers) = state.withLock { state in
      let old = state
      let receivers = state.receivers.end()
      state.execution = nil
      (state.poll, state.expiry) = (nil, nil)
      (state.observation, state.retention) = (nil, nil)
      state.listening = []
      // Released after unlocking.
      return (old, receivers)
    }
    old.poll?.cancel()
    old.expiry?.cancel()
    old.observation?.cancel()
    old.retention?.release()
    if let (execution, caller) = old.execution, let caller { execution.leave(caller) }
    for receive in receivers { receive(nil) }
  }
}
