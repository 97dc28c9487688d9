extension RelayEnvironment {
  /// Fetches a query and writes the response to the store.
  ///
  ///     let snapshot = try await environment.fetch(TodoListQuery(first: 10))
  ///
  /// The records are kept like those of a released operation; use ``retain(_:)`` to keep them for
  /// certain. The snapshot is read after the response was written, so it shows optimistic updates too.
  ///
  /// - Returns: A snapshot; it does not change when the store does. Use ``observe(_:)-(Query)``
  ///   for that. Errors that came with data are in its `errors` and `responseErrors`.
  /// - Throws: ``RelayError`` with code `transport` (no response), `response` (not a response to
  ///   this query), `graphQL` (errors without data) or `cancelled`; the store is as before. With
  ///   code `field` where the query has `@throwOnFieldError` or `@required(action: THROW)` and so no
  ///   data; the response is in the store.
  /// - Complexity: O(*n*) in the fields received; the store is held only while they are merged.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(_ query: Query) async throws -> Snapshot<Query.Data> {
    let request = RequestInFlight(query, store: store, root: .root)
    let response = try await request.response(over: transport, kind: .query)
    let scope = VariableScope(operation: query.storedVariables)
    let read = try store.publish(
      [.commit(response.payload, root: .root)], of: request.written, thenRead: .root,
      Query.__operation.reader, scope)
    try Query.__Failure.__check(read.failure)
    var snapshot = Snapshot<Query.Data>(read)
    snapshot.responseErrors = response.errors
    return snapshot
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
  /// - Returns: The mutation's data; errors that came with data are in its `responseErrors`.
  /// - Throws: ``RelayError`` with code `transport`, `response`, `graphQL` or `cancelled`, or what
  ///   an updater threw.
  @discardableResult
  public func commit<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    updater: StoreUpdater? = nil, optimisticUpdater: StoreUpdater? = nil
  ) async throws -> Snapshot<Mutation.Data> {
    let number = store.makeNumber()
    let root = DataID("client:local:\(number)")
    let request = RequestInFlight(mutation, store: store, root: root)
    let isOptimistic = optimisticResponse != nil || optimisticUpdater != nil
    if isOptimistic {
      let payload = try optimisticResponse.map { try request.payload($0) }
      try store.publish([.apply(number, payload, root: root, updater: optimisticUpdater)])
    }
    let response: NormalizedResponse
    do {
      response = try await request.response(over: transport, kind: .mutation)
    } catch {
      if isOptimistic { store.revert(number) }
      throw error
    }
    let scope = VariableScope(operation: mutation.storedVariables)
    var snapshot = Snapshot<Mutation.Data>(
      try store.publish(
        [.revert(number), .commit(response.payload, root: root, updater: updater)],
        thenRead: root, Mutation.__operation.reader, scope))
    snapshot.responseErrors = response.errors
    return snapshot
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
    let request = RequestInFlight(query, store: store, root: .root)
    let payload = try request.payload(json)
    try store.publish([.commit(payload, root: .root)], of: request.written)
  }

  /// Keeps the records of an operation until the retention is dropped or released.
  ///
  /// Retaining one operation with the same variables twice needs two releases.
  public func retain<Query: GraphQLQuery>(_ query: Query) -> Retention {
    let request = RequestInFlight(query, store: store, root: .root)
    store.retain(request.identity, request.plan, root: .root)
    return Retention { [store] in store.release(request.identity) }
  }
}
