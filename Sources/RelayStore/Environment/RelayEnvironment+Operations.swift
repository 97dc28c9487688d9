extension RelayEnvironment {
  /// Fetches a query and writes the response to the store.
  ///
  ///     let snapshot = try await environment.fetch(TodoListQuery(first: 10))
  ///
  /// Calls for the same query with the same variables at the same time share one request, which is cancelled when
  /// the last of them is. A response that arrives after that of a newer request for the same is not written.
  ///
  /// The records are kept like those of a released operation; use ``retain(_:)`` or ``load(_:policy:options:)`` to
  /// keep them for certain. The snapshot is read after the response was written, so it shows optimistic updates too.
  ///
  /// - Parameters:
  ///   - policy: Whether the store may answer; ``FetchPolicy/storeAndNetwork`` waits for the server as `networkOnly` does.
  ///   - timeout: The longest wait for the response; `nil` waits without limit.
  ///   - context: What the transports are handed; with it the request is not shared.
  /// - Returns: A snapshot; it does not change when the store does. Use ``observe(_:policy:options:)``
  ///   for that. Errors that came with data are in its `errors` and `responseErrors`.
  /// - Throws: ``RelayError`` with code `transport` (no response), `response` (not a response to
  ///   this query), `graphQL` (errors without data) or `cancelled`; the store is as before. With
  ///   code `field` where the query has `@throwOnFieldError` or `@required(action: THROW)` and so no
  ///   data; the response is in the store.
  /// - Complexity: O(*n*) in the fields received; the store is held only while they are merged.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy = .networkOnly, timeout: Duration? = nil,
    context: RequestContext? = nil
  ) async throws -> Snapshot<Query.Data> {
    let request = OperationRequest(query, store: store, root: .root)
    let answer: RowSnapshot? =
      switch policy {
      case .storeOnly: store.read(.root, request.dataPlan, request.scope)
      case .storeOrNetwork: request.answer(in: store)
      case .networkOnly, .storeAndNetwork: nil
      }
    let fetched =
      if let answer {
        FetchedData(row: answer)
      } else { try await fetched(request, timeout: timeout, context: context) }
    try Query.__Failure.__check(fetched.row.failure)
    var snapshot = Snapshot<Query.Data>(fetched.row)
    snapshot.responseErrors = fetched.response.errors
    snapshot.responseExtensions = fetched.response.extensions
    return snapshot
  }

  /// Sees to it that a query's data is in the store, for a screen that may come next.
  ///
  /// It is kept like that of a released operation: until so many others were released.
  ///
  /// - Throws: As ``fetch(_:policy:timeout:context:)``.
  public func prefetch(_ query: some GraphQLQuery) async throws {
    let request = OperationRequest(query, store: store, root: .root)
    if request.answer(in: store) != nil { return }
    _ = try await fetched(request, timeout: nil, context: nil)
  }

  /// The response to a query, from an execution that other callers may share.
  ///
  /// - Parameters:
  ///   - page: The page that the query loads.
  ///   - isRecorded: Whether the store records that the operation was fetched, as it does for released
  ///     operations.
  ///   - onJoin: Called with each execution before it is waited for; there is more than one where an
  ///     execution was abandoned by its last caller just before.
  func fetched(
    _ request: OperationRequest, timeout: Duration?, context: RequestContext?,
    page: PageKey? = nil, isRecorded: Bool = true,
    onJoin: (OperationExecution) -> Void = { _ in }
  ) async throws -> FetchedData {
    do {
      var abandoned: OperationExecution?
      while true {
        try Task.checkCancellation()
        let execution = execution(
          of: request, context: context, page: page, isRecorded: isRecorded,
          replacing: abandoned)
        onJoin(execution)
        if let fetched = try await execution.value(timeout: timeout, clock: clock) {
          return fetched
        }
        abandoned = execution
      }
    } catch {
      throw request.named(error)
    }
  }

  /// The execution of a query: one that other callers have joined, or a new one, which is sent once a
  /// caller joins it.
  ///
  /// - Parameters:
  ///   - page: The page that the query loads.
  ///   - isRecorded: Whether the store records that the operation was fetched.
  ///   - abandoned: An execution that the caller found abandoned.
  func execution(
    of request: OperationRequest, context: RequestContext?, page: PageKey? = nil,
    isRecorded: Bool = true, replacing abandoned: OperationExecution? = nil
  ) -> OperationExecution {
    executions.execution(
      of: request, page: page, isShared: context == nil, isRecorded: isRecorded,
      replacing: abandoned
    ) { [store, transport, executions] id, hold in
      let response = try await request.response(
        over: transport, kind: .query, context: context, hold: hold)
      try executions.beginCommit(id)
      let row = try store.publish(thenRead: .root, request.dataPlan, in: request.scope) {
        let commit = try executions.commit(id)
        if commit.isOvertaken { return ([], nil) }
        return (
          [.commit(response.payload, root: .root)], commit.isRecorded ? request.written : nil
        )
      }
      return FetchedData(row: row, response: response)
    }
  }

  /// Sends a mutation, and shows what it will probably do until the server has answered.
  ///
  ///     try await environment.commit(
  ///       SetCompleteMutation(input: .init(id: todo.id, isComplete: true)),
  ///       optimisticResponse: .init(setComplete: .init(todo: .init(id: todo.id, isComplete: true))))
  ///
  /// When the response arrives, what was shown is taken away and the response written, in one
  /// change for observers. When the mutation fails or is cancelled, what was shown is taken away
  /// and the store is as if nothing had been.
  ///
  /// - Parameters:
  ///   - optimisticResponse: The response to show until the real one comes.
  ///   - updater: Further changes once the response is written. When it throws, its own writes are
  ///     lost, the response stays, and the error is thrown.
  ///   - optimisticUpdater: Further changes to show until the response comes; it runs again whenever the base
  ///     under it changes.
  ///   - timeout: The longest wait for the response; the mutation has failed then, whatever the server does.
  ///   - context: What the transports are handed.
  /// - Returns: The mutation's data; errors that came with data are in its `responseErrors`.
  /// - Throws: ``RelayError`` with code `transport`, `response`, `graphQL` or `cancelled`, or what
  ///   an updater threw.
  @discardableResult
  public func commit<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    updater: StoreUpdater? = nil, optimisticUpdater: StoreUpdater? = nil, timeout: Duration? = nil,
    context: RequestContext? = nil
  ) async throws -> Snapshot<Mutation.Data> {
    defer { store.deliveries.end() }
    return try await committed(
      mutation, optimisticResponse: optimisticResponse, updater: updater,
      optimisticUpdater: optimisticUpdater, timeout: timeout, context: context
    ).snapshot
  }

  /// Sends a mutation; see ``commit(_:optimisticResponse:updater:optimisticUpdater:timeout:context:)``.
  ///
  /// From before it has ended on, its outcome counts as a pending delivery, which the caller ends.
  ///
  /// - Returns: Its data, and why the server refused it: the error of a response that has null for a root field because of
  ///   an error.
  func committed<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse?, updater: StoreUpdater?,
    optimisticUpdater: StoreUpdater?, timeout: Duration?, context: RequestContext?
  ) async throws -> (snapshot: Snapshot<Mutation.Data>, refusal: RelayError?) {
    let number = store.makeNumber()
    let root = DataID("client:local:\(number)")
    let request = OperationRequest(mutation, store: store, root: root)
    let isOptimistic = optimisticResponse != nil || optimisticUpdater != nil
    let execution = executions.execution(
      ofMutation: request, optimisticUpdate: isOptimistic ? number : nil,
      rollBack: { [store] in if isOptimistic { store.revert(number) } }
    ) { [store, transport, executions] id, hold in
      let response = try await request.response(
        over: transport, kind: .mutation, context: context, hold: hold)
      try executions.beginCommit(id)
      var isCommitted = false
      do {
        let row = try store.publish(thenRead: root, request.dataPlan, in: request.scope) {
          _ = try executions.commit(id)
          isCommitted = true
          return (
            [.revert(number), .commit(response.payload, root: root, updater: updater)], nil
          )
        }
        return FetchedData(row: row, response: response)
      } catch  where isCommitted {
        return FetchedData(row: RowSnapshot(), response: response, updaterError: error)
      }
    }
    if isOptimistic {
      do {
        let payload = try optimisticResponse.map { try request.payload($0) }
        try store.publish([.apply(number, payload, root: root, updater: optimisticUpdater)])
      } catch {
        execution.cancelIfUnused()
        throw error
      }
    }
    let fetched: FetchedData
    do {
      try Task.checkCancellation()
      guard let value = try await execution.value(timeout: timeout, clock: clock) else {
        throw CancellationError()
      }
      fetched = value
    } catch {
      execution.cancelIfUnused()
      throw request.named(error)
    }
    if let error = fetched.updaterError { throw error }
    let response = fetched.response
    var snapshot = Snapshot<Mutation.Data>(fetched.row)
    snapshot.responseErrors = response.errors
    snapshot.responseExtensions = response.extensions
    let isRefused = response.payload?.hasFailedField(of: root) ?? false
    return (snapshot, isRefused ? request.failed(response) : nil)
  }

  /// Writes a response that came by another way: a file, a push message, a test.
  ///
  /// - Parameter json: The value of the response's `data`.
  /// - Throws: ``RelayError`` with code `response` when it is not of the operation's shape.
  public func commitPayload<Query: GraphQLQuery>(_ query: Query, json: JSONValue) throws {
    try commitPayload(query, json: json.jsonBytes)
  }

  /// Writes a response that came by another way, from its bytes.
  ///
  /// - Parameter json: The value of the response's `data`, in UTF-8.
  /// - Throws: ``RelayError`` with code `response` when it is no JSON or not of the operation's shape;
  ///   the store is as before.
  /// - Complexity: O(*n*) in the bytes; the store is held only while the records are merged.
  public func commitPayload<Query: GraphQLQuery>(_ query: Query, json: [UInt8]) throws {
    try store.checkIsFree()
    let request = OperationRequest(query, store: store, root: .root)
    let payload = try request.payload(json)
    try store.publish([.commit(payload, root: .root)], of: request.written)
  }

  /// Writes a mutation's response that came by another way, as ``commit(_:optimisticResponse:updater:optimisticUpdater:timeout:context:)``
  /// does with the server's.
  ///
  /// Several of them and other updates are one change for observers inside of ``batch(_:)``.
  ///
  /// - Parameters:
  ///   - json: The value of the response's `data`.
  ///   - updater: Further changes once the response is written.
  /// - Throws: As for a query, or what the updater threw: its own writes are lost then, and the response stays.
  public func commitPayload<Mutation: GraphQLMutation>(
    _ mutation: Mutation, json: JSONValue, updater: StoreUpdater? = nil
  ) throws {
    try commitPayload(mutation, json: json.jsonBytes, updater: updater)
  }

  /// Writes a mutation's response that came by another way, from its bytes.
  public func commitPayload<Mutation: GraphQLMutation>(
    _ mutation: Mutation, json: [UInt8], updater: StoreUpdater? = nil
  ) throws {
    try store.checkIsFree()
    let root = DataID("client:local:\(store.makeNumber())")
    let payload = try OperationRequest(mutation, store: store, root: root).payload(json)
    try store.publish([.commit(payload, root: root, updater: updater)])
  }

  /// Keeps the records of an operation until the retention is dropped or released.
  ///
  /// Retaining one operation with the same variables twice needs two releases.
  public func retain<Query: GraphQLQuery>(_ query: Query) -> Retention {
    let request = OperationRequest(query, store: store, root: .root)
    return store.retain(request.identity, request.plan, root: .root)
  }
}
