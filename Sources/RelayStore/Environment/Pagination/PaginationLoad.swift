/// A paged fragment with a connection: a view of its row, of the ends of its list, and of the
/// executions that load its pages or refetch it.
///
/// Dropping it does not cancel pages in flight that have other callers.
///
/// The lock guards the state. Executions and the execution table may be called while it is held;
/// consumers and the store may not.
final class PaginationLoad: Sendable {
  struct State {
    var target: SpreadReference
    var row = RowSnapshot()
    /// The revision of the row; 0 if the row belongs to a previous target.
    var revision: UInt64 = 0
    var ends = ConnectionEnds()
    var error: RelayError?
    var missing = MissingDataRequests()
    /// The execution epoch in which the record was first observed. A reset ends it.
    var epoch: UInt64
    /// Only the result of the latest refetch is delivered.
    var refetches = LatestRequest()
    var isRefetching = false
    /// The execution of the latest refetch.
    var refetch: OperationExecution?
    var observation: ObservationHandle?
    /// The retention of the last refetch's query.
    var retention: Retention?
    var receivers = StateReceivers<PageState>()
    var listenings: [ExecutionListening] = []
  }

  let environment: RelayEnvironment
  let source: RefetchSource
  let info: ConnectionInfo
  private let endsPlan: SelectionPlan
  private let kind: ObserverKind
  let state: Locked<State>

  /// - Parameter kind: How the list is notified of store changes.
  init(
    of target: SpreadReference, from source: RefetchSource, connection info: ConnectionInfo,
    in environment: RelayEnvironment, as kind: ObserverKind
  ) {
    self.environment = environment
    self.source = source
    self.info = info
    self.kind = kind
    endsPlan = environment.connectionEnds.plan(source.fragment, path: info.path)
    state = Locked(
      State(target: target, epoch: environment.executions.epoch), rank: .load)
    let (executions, store) = (environment.executions, environment.store)
    let pages = ExecutionListening(to: .pages, of: executions, in: store) { [weak self] in
      self?.pageChanged($0)
    }
    let resets = ExecutionListening(to: .resets, of: executions, in: store) { [weak self] _ in
      self?.state.withLock { $0.error = nil }
      self?.deliver()
    }
    state.withLock { $0.listenings = [pages, resets] }
    follow(target)
  }

  deinit {
    let (observation, retention) = state.withLock { ($0.observation, $0.retention) }
    observation?.cancel()
    retention?.release()
  }

  /// The reference that the fragment is read from.
  var target: SpreadReference { state.withLock { $0.target } }

  /// The connection's record; `nil` until a page of the connection is in the store.
  var connection: DataID? { state.withLock { $0.ends.id } }

  // MARK: The store

  /// Observes another record, or the same one with other variables.
  func follow(_ target: SpreadReference) {
    state.withLock { state in
      state.target = target
      state.revision = 0
    }
    var read = ReadTarget.one(target, source.fragment)
    if case .record(let id, let scope) = target {
      read = .pair(id, source.fragment, companion: endsPlan, in: scope)
    }
    let (first, observation) = environment.store.readAndObserve(read, as: kind) {
      [weak self] row in self?.storeChanged(row, of: target)
    }
    let ends = ends(of: first)
    let epoch = environment.executions.epoch
    let before = state.withLock { state in
      // The owner of the reference decides whether data that is missing initially is fetched.
      state.missing = MissingDataRequests()
      state.missing.didRequest(first)
      state.epoch = epoch
      defer { state.observation = observation }
      // A newer row may already have been delivered.
      if first.revision >= state.revision {
        (state.row, state.ends, state.revision) = (first, ends, first.revision)
      }
      return state.observation
    }
    before?.cancel()
  }

  /// Follows another reference. A refetch in flight no longer decides which reference to follow.
  func show(_ target: SpreadReference) {
    let before = state.withLock { state -> Retention? in
      state.refetches.begin()
      (state.isRefetching, state.refetch, state.error) = (false, nil, nil)
      return state.retention.take()
    }
    follow(target)
    // Releases the retention of the last refetch only after its data is no longer observed.
    withExtendedLifetime(before) { deliver() }
  }

  private func ends(of row: RowSnapshot) -> ConnectionEnds { ends(of: row.companionRow) }

  private func ends(of row: RowBox?) -> ConnectionEnds {
    var ends = ConnectionEnds(row, depth: info.path.count) ?? ConnectionEnds()
    if info.after == nil || ends.endCursor == nil { ends.hasNext = false }
    if info.before == nil || ends.startCursor == nil { ends.hasPrevious = false }
    return ends
  }

  /// Stores a new row and delivers it. While a page or the refetch commits, the row is delivered as
  /// one state with the end of the execution. A model's list receives the row in a later main-actor
  /// turn. That turn follows the end of the execution or another commit, and the model must show
  /// either.
  private func storeChanged(_ row: RowSnapshot, of target: SpreadReference) {
    let ends = ends(of: row)
    let isCommittingPage =
      kind == .closure
      && ends.id.map { environment.executions.isCommittingPage(of: $0) } ?? false
    let isDelivered = state.withLock { state in
      guard state.target == target, row.revision >= state.revision else { return false }
      (state.row, state.ends, state.revision) = (row, ends, row.revision)
      return kind == .model || !isCommittingPage && !(state.refetch?.isCommitting ?? false)
    }
    fetchMissing()
    if isDelivered { deliver() }
  }

  /// Fetches the list again if other requests left out some of its data.
  func fetchMissing() {
    let executions = environment.executions
    let epoch = executions.epoch
    let isDue = state.withLock { state in
      let isIdle =
        state.epoch == epoch && !state.isRefetching && !isLoading(.next, state)
        && !isLoading(.previous, state)
      return state.missing.isDue(for: state.row, isIdle: isIdle)
    }
    if isDue { refetchMissing() }
  }

  /// Updates the ends from the store. Another thread may still have to deliver the page's row, but
  /// the next page must start after these ends.
  private func refreshEnds() {
    let target = target
    guard case .record = target else { return }
    let row = environment.store.read(.one(target, endsPlan))
    let ends = ends(of: row.row)
    state.withLock { state in
      if state.target == target, row.revision >= state.revision { state.ends = ends }
    }
  }

  // MARK: Pages

  /// The execution of a page.
  private struct Page: Sendable {
    let key: PageKey
    let request: OperationRequest
    let execution: OperationExecution
  }

  /// Loads a page and waits for it, or for the page in flight at that end of the list. Returns
  /// immediately if there are no more edges.
  func load(_ direction: PageDirection, _ count: Int) async throws {
    var abandoned: OperationExecution?
    while let page = try page(direction, count, replacing: abandoned), try await !load(page) {
      abandoned = page.execution
    }
  }

  /// Starts to load a page, or joins the page in flight at that end of the list: the state is
  /// loading when this returns.
  ///
  /// - Returns: A function that waits for the page; `nil` if there are no more edges.
  func begin(
    _ direction: PageDirection, _ count: Int
  ) throws -> (@Sendable () async throws -> Void)? {
    guard let page = try page(direction, count, replacing: nil) else { return nil }
    // Joins now, so that the page is not cancelled before the function is called. A task that is
    // already cancelled sends no request.
    let caller =
      Task.isCancelled
      ? nil
      : page.execution.join(timeout: nil, clock: environment.clock, onData: { _ in }) { _ in }
    return { [self] in
      try await withTaskCancellationHandler {
        if try await !load(page) { try await load(direction, count) }
      } onCancel: {
        if let caller { page.execution.leave(caller) }
      }
    }
  }

  /// Waits for a page.
  ///
  /// - Returns: `false` if the execution was already abandoned.
  private func load(_ page: Page) async throws -> Bool {
    do {
      let fetched = try await page.execution.value(timeout: nil, clock: environment.clock)
      guard let fetched else { return false }
      try environment.store.requirePage(
        of: page.key.connection, in: fetched.response, for: page.request)
    } catch {
      throw page.request.callerError(error)
    }
    refreshEnds()
    return true
  }

  /// Returns the page in flight at an end of the list, or a new one; `nil` if there are no more
  /// edges.
  ///
  /// - Parameter abandoned: An execution that the caller found abandoned.
  /// - Throws: `CancellationError` in a cancelled task, instead of starting a page.
  private func page(
    _ direction: PageDirection, _ count: Int, replacing abandoned: OperationExecution?
  ) throws -> Page? {
    while true {
      // Reads the ends after the count; a page that ends in between changes the count, so that no
      // page starts from outdated ends.
      let endedPageCount = environment.executions.endedPageCount
      refreshEnds()
      let (target, ends) = state.withLock { state in
        state.error = nil
        return (state.target, state.ends)
      }
      let next = try deliveringErrors {
        try source.page(direction, count, from: ends, info, of: target, in: environment.store)
      }
      guard let (key, request) = next else {
        return lastPage(direction, of: ends.id, unless: abandoned)
      }
      try Task.checkCancellation()
      let execution = environment.pageExecution(
        of: request, page: key, endedPageCount: endedPageCount, replacing: abandoned)
      if let execution { return Page(key: key, request: request, execution: execution) }
    }
  }

  /// Returns the page in flight at an end of the list, or `nil`. Once its response is written,
  /// there may be no more edges.
  private func lastPage(
    _ direction: PageDirection, of connection: DataID?, unless abandoned: OperationExecution?
  ) -> Page? {
    guard let connection else { return nil }
    let key = PageKey(connection: connection, direction: direction)
    guard let execution = environment.executions.execution(loading: key), execution !== abandoned
    else {
      return nil
    }
    return Page(key: key, request: execution.request, execution: execution)
  }

  /// Delivers the state when a page of this connection is requested or has ended.
  private func pageChanged(_ event: ExecutionListeners.Event) {
    guard case .page(let page, let request, let outcome) = event, page.connection == connection
    else { return }
    let error = outcome.flatMap { outcome in
      pageError(outcome, of: page.connection, for: request)
    }
    let version = state.withLock { state in
      state.error = error
      return state.receivers.revision
    }
    if outcome != nil {
      updateFromStore()
      fetchMissing()
    }
    // A row that was waiting has already been delivered together with the error, as one state.
    if state.withLock({ $0.receivers.revision }) == version { deliver() }
  }

  /// Returns the error of a page that has ended; `nil` for a page that succeeded or was cancelled.
  private func pageError(
    _ outcome: Result<FetchedData, any Error>, of connection: DataID, for request: OperationRequest
  ) -> RelayError? {
    do {
      let fetched = try outcome.get()
      try environment.store.requirePage(of: connection, in: fetched.response, for: request)
      return nil
    } catch {
      let error = error as? RelayError
      return error?.code == .cancelled ? nil : error
    }
  }

  /// Runs `body`, which sends no request, and delivers the error that it throws as part of the
  /// state.
  func deliveringErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      state.withLock { $0.error = error as? RelayError }
      deliver()
      throw error
    }
  }

  // MARK: Delivery

  /// The current state.
  var current: PageState {
    updateFromStore()
    return state.withLock { pageState($0) }
  }

  /// Stores the row that is waiting for the main actor, if this is a model's list.
  private func updateFromStore() {
    guard kind == .model, let observation = state.withLock({ $0.observation }) else { return }
    environment.store.models.deferring { observation.deliverWaiting() }
  }

  private func isLoading(_ direction: PageDirection, _ state: State) -> Bool {
    state.ends.id.map {
      environment.executions.isLoading(PageKey(connection: $0, direction: direction))
    } ?? false
  }

  private func pageState(_ state: State) -> PageState {
    PageState(
      target: state.target, row: state.row, hasNext: state.ends.hasNext,
      hasPrevious: state.ends.hasPrevious,
      isLoadingNext: isLoading(.next, state), isLoadingPrevious: isLoading(.previous, state),
      isRefetching: state.isRefetching, error: state.error, revision: state.receivers.revision)
  }

  func deliver() {
    let (receivers, shown) = state.withLock { state in
      (state.receivers.beginDelivery(), pageState(state))
    }
    for receive in receivers { receive(shown) }
  }
}

extension PaginationLoad: StateSource {
  var deliveries: PendingDeliveries { environment.store.deliveries }

  func subscribe(
    _ receiver: @escaping StateReceivers<PageState>.Receiver
  ) -> (id: UInt64, current: PageState) {
    updateFromStore()
    return state.withLock { ($0.receivers.add(receiver), pageState($0)) }
  }

  func unsubscribe(_ id: UInt64) { _ = state.withLock { $0.receivers.remove(id) } }
}
