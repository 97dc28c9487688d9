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

  /// The answer to a query, shared with others who wait for the same.
  func fetched(
    _ request: OperationRequest, timeout: Duration?, context: RequestContext?,
    isNoted: Bool = true, onLanding: @escaping @Sendable () -> Void = {}
  ) async throws -> FetchedData {
    await requests.leaveTurn()
    do {
      return try await within(timeout, for: request) { [self] in
        var left: SharedRequest?
        while true {
          try Task.checkCancellation()
          let flight = flight(
            for: request, context: context, leaving: left, isNoted: isNoted, onLanding: onLanding)
          if let fetched = try await flight.work.value() { return fetched }
          left = flight
        }
      }
    } catch {
      throw request.named(error)
    }
  }

  /// A request that is on its way: one that others wait for too, or a new one, which is sent once
  /// someone waits for it.
  ///
  /// - Parameters:
  ///   - isNoted: Whether it is kept like a released operation once it is written.
  ///   - onLanding: Called before the response of a new one is written.
  func flight(
    for request: OperationRequest, context: RequestContext?, leaving left: SharedRequest? = nil,
    isNoted: Bool = true, onLanding: @escaping @Sendable () -> Void = {}
  ) -> SharedRequest {
    requests.flight(for: request, isShared: context == nil, leaving: left) {
      [store, transport, requests] number, hold in
      let response = try await request.response(
        over: transport, kind: .query, context: context, hold: hold)
      onLanding()
      let row = try requests.write(number, request.identity, in: store) { isOvertaken in
        let changes = isOvertaken ? [] : [RecordStore.Change.commit(response.payload, root: .root)]
        return try store.publish(
          changes, of: isOvertaken || !isNoted ? nil : request.written, thenRead: .root,
          request.dataPlan,
          request.scope)
      }
      return FetchedData(row: row, response: response)
    }
  }

  /// Runs something for so long at most.
  func within<Value: Sendable>(
    _ timeout: Duration?, for request: OperationRequest,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let timeout else { return try await body() }
    return try await withThrowingTaskGroup(of: Value?.self) { [clock] group in
      group.addTask { try await body() }
      group.addTask {
        try await clock.wait(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() ?? nil else {
        throw request.timedOut(after: timeout)
      }
      return value
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
    let hold = RequestHold()
    let sending = SharedWork { [transport] in
      try await request.response(
        over: transport, kind: .mutation, context: context, hold: hold)
    }
    // From before anything is shown until nothing is: who is told of that asks what is on its way.
    let entry = requests.add(
      request, update: isOptimistic ? number : nil, hold: hold, cancel: { sending.cancel() })
    defer {
      store.deliveries.begin()
      requests.remove(entry)
    }
    if isOptimistic {
      let payload = try optimisticResponse.map { try request.payload($0) }
      try store.publish([.apply(number, payload, root: root, updater: optimisticUpdater)])
    }
    let response: NormalizedResponse
    do {
      response = try await answer(to: request, from: sending, timeout: timeout)
    } catch {
      if isOptimistic { store.revert(number) }
      throw request.named(error)
    }
    let row = try requests.write(entry, in: store) {
      try store.publish(
        [.revert(number), .commit(response.payload, root: root, updater: updater)],
        thenRead: root, request.dataPlan, request.scope)
    }
    guard let row else {
      if isOptimistic { store.revert(number) }
      throw request.named(CancellationError())
    }
    var snapshot = Snapshot<Mutation.Data>(row)
    snapshot.responseErrors = response.errors
    snapshot.responseExtensions = response.extensions
    let isRefused = response.payload?.hasFailedField(of: root) ?? false
    return (snapshot, isRefused ? request.failed(response) : nil)
  }

  /// The response to a mutation; cancellation and time-out do not wait for the transport to notice.
  private func answer(
    to request: OperationRequest, from sending: SharedWork<NormalizedResponse>, timeout: Duration?
  ) async throws -> NormalizedResponse {
    await requests.leaveTurn()
    try Task.checkCancellation()
    let response = try await within(timeout, for: request) { try await sending.value() }
    try Task.checkCancellation()
    guard let response else { throw CancellationError() }
    return response
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
