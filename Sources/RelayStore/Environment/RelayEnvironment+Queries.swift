extension RelayEnvironment {
  /// Fetches a query and writes the response to the store.
  ///
  ///     let snapshot = try await environment.fetch(FeedQuery(first: 10))
  ///
  /// Concurrent calls for the same query and variables share one request. It is cancelled when all
  /// of them are. If the response to a newer request for the same query has already arrived, an
  /// older response is not written.
  ///
  /// A query that is not retained enters the store's release buffer if there is room; use
  /// ``retain(_:)`` or ``load(_:policy:options:)`` to keep its records longer. The snapshot is read
  /// after the response is written, so it includes optimistic updates.
  ///
  /// - Parameters:
  ///   - query: The query with its variables.
  ///   - policy: Whether the data may come from the store. If the store is still loading from the
  ///     disk, the call waits for it. ``FetchPolicy/storeAndNetwork`` waits for the server as
  ///     `networkOnly` does.
  ///   - timeout: The maximum wait for the response; `nil` waits without limit.
  ///   - context: A value for the transports; a request with a context is not shared.
  /// - Returns: A snapshot; it does not change when the store does. Use
  ///   ``observe(_:policy:options:)`` for that. The errors of a response with data are in its
  ///   `responseErrors`; errors of fields in the data are also in `errors`.
  /// - Throws: ``RelayError`` with code `transport` (no response), `response` (not a response to
  ///   this query), `graphQL` (errors without data) or `cancelled` (by a reset);
  ///   `CancellationError` when the calling task is cancelled. In these cases the store is
  ///   unchanged. ``RelayError`` with code `field` when the query has no data due to
  ///   `@throwOnFieldError` or `@required(action: THROW)`; in this case the response is in the
  ///   store.
  /// - Complexity: O(*n*) in the fields received; the store is locked only while they are merged.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy = .networkOnly, timeout: Duration? = nil,
    context: RequestContext? = nil
  ) async throws -> Snapshot<Query.Data> {
    defer { context?.progress?.end() }
    let request = OperationRequest(query, store: store, root: .root)
    let begin = tracing.map { _ in store.time.elapsed }
    let stored: RowSnapshot? =
      switch policy {
      case .storeOnly: await request.loadedData(in: store)
      case .storeOrNetwork: await request.loadedAvailableData(in: store)
      case .networkOnly, .storeAndNetwork: nil
      }
    let fetched =
      if let stored {
        FetchedData(row: stored)
      } else { try await fetched(request, timeout: timeout, context: context) }
    if let begin, stored != nil, policy == .storeOrNetwork {
      tracing?.servedByStore(request, since: begin)
    }
    try Query.__Failure.__check(fetched.row.failure)
    var snapshot = Snapshot<Query.Data>(fetched.row)
    snapshot.responseErrors = fetched.response.errors
    snapshot.responseExtensions = fetched.response.extensions
    return snapshot
  }

  /// Fetches a query unless the store has its data, for a screen that may come next.
  ///
  /// A query that is not retained enters the store's release buffer if there is room.
  ///
  /// - Throws: As ``fetch(_:policy:timeout:context:)``, except for code `field`.
  public func prefetch(_ query: some GraphQLQuery) async throws {
    let request = OperationRequest(query, store: store, root: .root)
    let begin = tracing.map { _ in store.time.elapsed }
    if await request.loadedAvailableData(in: store) != nil {
      if let begin { tracing?.servedByStore(request, since: begin) }
      return
    }
    _ = try await fetched(request, timeout: nil, context: nil)
  }

  /// Loads a query and observes its data together with the state of its requests.
  ///
  ///     for await state in environment.observe(FeedQuery(first: 10), policy: .storeAndNetwork) {
  ///       if let feed = state.data { show(feed) } else if let error = state.error { show(error) }
  ///     }
  ///
  /// Each iterator performs its own load, and concurrent loads share a request. Dropping the
  /// iterator releases the data and cancels the request.
  public func observe<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy, options: LoadOptions = LoadOptions()
  ) -> QueryStates<Query.Data> {
    let request = OperationRequest(query, store: store, root: .root)
    return QueryStates { [self] in
      QueryLoad(request, in: self, policy: policy, options: options)
    }
  }

  /// Starts to load a query, and retains its data until the result is dropped or released.
  ///
  ///     let feed = environment.load(FeedQuery(first: 10))      // before the screen appears
  ///     …
  ///     for await state in feed.states { … }
  public func load<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy = .storeOrNetwork, options: LoadOptions = LoadOptions()
  ) -> LoadedQuery<Query> {
    load(query, policy: policy, options: options, as: .closure)
  }

  /// Starts to load a query.
  ///
  /// - Parameter kind: How the load is notified of store changes.
  func load<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy, options: LoadOptions, as kind: ObserverKind
  ) -> LoadedQuery<Query> {
    let request = OperationRequest(query, store: store, root: .root)
    let load = QueryLoad(request, in: self, policy: policy, options: options, as: kind)
    return LoadedQuery(query, load)
  }

  /// Returns whether the store has the data of a query, with optimistic updates applied.
  ///
  ///     if case .available = environment.check(query) { show(environment.read(query)) }
  ///
  /// Returns the first of these that applies:
  ///
  /// 1. `stale` if the entire store was invalidated since the query was last written;
  /// 2. `stale` if a record that the query reaches was invalidated since then;
  /// 3. `missing` if a field is not in the store and no ``MissingFieldHandler`` has its value, or
  ///    if nothing can be read because of a null or a deleted record;
  /// 4. `stale` if the query was fetched longer ago than its `maxAges` or the store's
  ///    `queryExpiration` allow;
  /// 5. `available`.
  ///
  /// While persisted records are being loaded, the result is `notLoaded` instead of `missing`.
  ///
  /// The store knows when a query was last written only while the query is retained or in the
  /// release buffer. Any other query counts as older than every invalidation and never expires.
  ///
  /// As in relay-runtime, values that missing field handlers supply are written to the store.
  ///
  /// - Complexity: O(*n*) in the fields of the query.
  public func check<Query: GraphQLQuery>(_ query: Query) -> OperationAvailability {
    OperationRequest(query, store: store, root: .root).availability(in: store)
  }

  /// Retains the records of a query until the result is dropped or released.
  ///
  /// A query that is retained twice with the same variables needs two releases.
  public func retain<Query: GraphQLQuery>(_ query: Query) -> Retention {
    let request = OperationRequest(query, store: store, root: .root)
    return store.retain(request.identity, request.plan, root: .root)
  }

  /// Keeps the data of a query offline, in this and later runs of the app and regardless of the
  /// limits of the store and its storage, until ``unpin(_:)``. Does not fetch anything.
  ///
  ///     environment.pin(TripQuery(id: trip.id))
  ///     try await environment.fetch(TripQuery(id: trip.id))
  public func pin<Query: GraphQLQuery>(_ query: Query) {
    let request = OperationRequest(query, store: store, root: .root)
    store.pin(request.identity, request.plan, root: .root)
  }

  /// Unpins a query; a no-op if it is not pinned. From then on its data is treated like any
  /// released query's.
  public func unpin<Query: GraphQLQuery>(_ query: Query) {
    store.unpin(OperationRequest(query, store: store, root: .root).identity)
  }

  /// Writes a query's response that was obtained by other means: from a file, a push message or a
  /// test.
  ///
  /// - Parameters:
  ///   - query: The query with the variables that the response is stored under.
  ///   - data: The response's `data`.
  /// - Throws: ``RelayError`` with code `response` if the value does not have the shape of the
  ///   operation.
  public func commitPayload<Query: GraphQLQuery>(_ query: Query, data: JSONValue) throws {
    try commitPayload(query, data: data.jsonBytes)
  }

  /// Writes a query's response that was obtained by other means, from its bytes.
  ///
  /// - Parameters:
  ///   - query: The query with the variables that the response is stored under.
  ///   - data: The response's `data`, in UTF-8.
  /// - Throws: ``RelayError`` with code `response` if the value does not have the shape of the
  ///   operation.
  public func commitPayload<Query: GraphQLQuery>(_ query: Query, data: [UInt8]) throws {
    try store.checkNotInUpdater()
    let request = OperationRequest(query, store: store, root: .root)
    let payload = try request.payload(data)
    try store.publish(
      [.commit(payload, root: .root)], of: request.written, cause: request.payloadCause(in: store))
  }
}

// MARK: Executions

extension RelayEnvironment {
  /// Returns the response to a query, from an execution that other callers may share.
  ///
  /// - Parameters:
  ///   - delivery: The delivery to the caller, which pauses while the request is in flight.
  ///   - onJoin: Called with each execution before this call joins it. More than one is passed if
  ///     an execution is abandoned before the call joins it.
  func fetched(
    _ request: OperationRequest, timeout: Duration?, context: RequestContext?,
    delivery: OutcomeDelivery? = nil, onJoin: (OperationExecution) -> Void = { _ in }
  ) async throws -> FetchedData {
    do {
      var abandoned: OperationExecution?
      while true {
        try Task.checkCancellation()
        let execution = queryExecution(of: request, context: context, replacing: abandoned)
        onJoin(execution)
        let fetched = try await execution.value(timeout: timeout, clock: clock, delivery: delivery)
        if let fetched { return fetched }
        abandoned = execution
      }
    } catch {
      throw request.callerError(error)
    }
  }

  /// Returns the execution of a query: one that other callers have joined, or a new one. A new
  /// execution sends its request once a caller joins it.
  ///
  /// - Parameter abandoned: An execution that the caller found abandoned.
  func queryExecution(
    of request: OperationRequest, context: RequestContext?,
    replacing abandoned: OperationExecution? = nil
  ) -> OperationExecution {
    executions.queryExecution(
      of: request, isShared: context == nil, replacing: abandoned, run: run(request, context))
  }

  /// Returns the execution of the query that loads a page; see
  /// ``ExecutionTable/pageExecution(of:page:endedPageCount:replacing:run:)``.
  func pageExecution(
    of request: OperationRequest, page: PageKey, endedPageCount: UInt64,
    replacing abandoned: OperationExecution?
  ) -> OperationExecution? {
    executions.pageExecution(
      of: request, page: page, endedPageCount: endedPageCount, replacing: abandoned,
      run: run(request, nil))
  }

  /// Returns the body of a query's execution.
  private func run(
    _ request: OperationRequest, _ context: RequestContext?
  ) -> ExecutionTable.Run {
    { [store, transport, executions] id, running in
      let commit = ResponseCommit(
        id: id, request: request, store: store, executions: executions, trace: running.trace)
      return try await OperationExecutor(
        kind: .query, root: .root, context: context, running: running, transport: transport,
        commit: commit, begin: { [.commit($0, root: .root)] }
      ).run()
    }
  }
}
