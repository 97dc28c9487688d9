import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Fetching", .timeLimit(.minutes(1)))
struct FetchingTests {
  private let server = MockTransport()
  private let clock = VirtualClock()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(clock: clock, garbageCollection: .manual)),
      transport: server)
  }

  private var text: String? {
    environment.read(FragmentRef<TodoRow_todo>(id: "1")).data?.text
  }

  private func fetch(
    policy: FetchPolicy = .networkOnly, timeout: Duration? = nil, context: RequestContext? = nil
  ) -> Task<Snapshot<TodoListQuery.Data>, any Error> {
    Task { [environment] in
      try await environment.fetch(
        TodoListQuery(), policy: policy, timeout: timeout, context: context)
    }
  }

  @Test("equal calls share a request, which continues until the last of them is cancelled")
  func shared() async throws {
    let first = fetch()
    let request = try await server.next()
    let second = fetch()
    // The second call may join late. The load joins immediately, so the request remains in flight
    // when the first call leaves.
    let third = environment.load(TodoListQuery(), policy: .networkOnly)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(environment.isActive(TodoListQuery()) && !environment.isActive(TodoListQuery(first: 3)))
    request.resolve(data: TodoListQuery.oneTodo("a"), extensions: ["cost": 1])
    var states = third.states.makeAsyncIterator()
    while let state = await states.next(), state.isLoading {}
    #expect(third.state.data?.todos.count == 1)
    #expect(third.state.snapshot?.responseExtensions == ["cost": 1])
    // The second call joined the same request, or sent its own if it came late.
    if let late = server.pending.first { late.resolve(data: TodoListQuery.oneTodo("a")) }
    second.cancel()
    _ = try? await second.value
    #expect(!environment.isActive(TodoListQuery()))
  }

  @Test("the request is cancelled when its last caller leaves, and the next call sends a new one")
  func abandoned() async throws {
    let loaded = environment.load(TodoListQuery(), policy: .networkOnly)
    let request = try await server.next()
    loaded.release()
    #expect(!environment.isActive(TodoListQuery()))
    let task = fetch()
    let next = try await server.next()
    request.resolve(data: TodoListQuery.oneTodo("from the cancelled"))
    next.resolve(data: TodoListQuery.oneTodo("from the next"))
    _ = try await task.value
    #expect(text == "from the next")
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("a load released while its execution is created sends nothing")
  func unsent() async throws {
    let transport = Prompt()
    let environment = RelayEnvironment(store: RecordStore(), transport: transport)
    let loaded = environment.load(TodoListQuery(), policy: .storeOnly)
    let listener = environment.executions.listeners.listen(to: .executions) { _ in loaded.release()
    }
    loaded.refetch()
    environment.executions.listeners.remove(listener)
    #expect(!environment.isActive(TodoListQuery()))
    for _ in 0..<100 { await Task.yield() }
    #expect(transport.sent.withLock { $0 } == 0)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test(
    "a request that a log handler begins on its own thread runs after the response is committed",
    arguments: [OperationKind.query, .mutation])
  func log(_ kind: OperationKind) async throws {
    let waiting = Locked<RelayEnvironment?>(nil)
    let second = Locked<Task<Void, any Error>?>(nil)
    let store = RecordStore(
      configuration: .init(
        garbageCollection: .manual,
        log: { event in
          guard case .publish(changedRecords: 1...) = event else { return }
          guard let environment = waiting.withLock({ $0.take() }) else { return }
          let task = Task.immediate {
            if kind == .query {
              try await environment.fetch(TodoListQuery(first: 3))
            } else {
              try await environment.commit(SetCompleteMutation(id: "1", isComplete: true))
            }
          }
          second.withLock { $0 = task }
        }))
    let environment = RelayEnvironment(store: store, transport: Prompt())
    waiting.withLock { $0 = environment }
    _ = try await Task { try await environment.fetch(TodoListQuery()) }.value
    let task = try #require(second.withLock { $0 })
    try await task.value
    let list = environment.read(TodoListQuery(first: kind == .query ? 3 : 10))
    #expect(list.data?.todos.count == 1)
    let row = FragmentRef<TodoRow_todo>(id: "1", variables: ["first": 10])
    #expect(environment.read(row).data?.isComplete == (kind == .mutation))
  }

  @Test("no request is sent if the policy allows stored data and none is missing")
  func policies() async throws {
    let missing = try await fetch(policy: .storeOnly).value
    #expect(missing.isMissingData && server.requests.isEmpty)
    let first = fetch(policy: .storeOrNetwork)
    try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
    #expect(try await first.value.data?.todos.count == 1)
    #expect(try await fetch(policy: .storeOrNetwork).value.data?.todos.count == 1)
    try await environment.prefetch(TodoListQuery())
    #expect(server.requests.count == 1)
    let again = fetch(policy: .storeAndNetwork)
    try await server.next().resolve(data: TodoListQuery.oneTodo("b"))
    _ = try await again.value
    #expect(text == "b")
  }

  @Test("a response that arrives after that of a newer request is not written")
  func overtaken() async throws {
    let older = fetch(context: RequestContext())
    let first = try await server.next()
    let newer = fetch(context: RequestContext())
    let second = try await server.next()
    second.resolve(data: TodoListQuery.oneTodo("newer"))
    _ = try await newer.value
    first.resolve(data: TodoListQuery.oneTodo("older"))
    #expect(try await older.value.data?.todos.count == 1)
    #expect(text == "newer")
    let next = fetch(context: RequestContext())
    try await server.next().resolve(data: TodoListQuery.oneTodo("newest"))
    _ = try await next.value
    #expect(text == "newest")
  }

  @Test("a context reaches the transport and returns the values that it adds")
  func context() async throws {
    enum Trace: RequestContextKey { typealias Value = String }
    let context = RequestContext()
    context[Trace.self] = "sent"
    let task = fetch(context: context)
    let request = try await server.next()
    #expect(request.request.context[Trace.self] == "sent")
    request.request.context[Trace.self] = "received"
    request.resolve(data: TodoListQuery.oneTodo("a"), extensions: ["cost": 7])
    #expect(try await task.value.responseExtensions == ["cost": 7])
    #expect(context[Trace.self] == "received")
  }

  @Test("a fetch that exceeds its timeout throws, and its request is cancelled")
  func timeout() async throws {
    let task = fetch(timeout: .seconds(5))
    _ = try await server.next()
    try await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == .transport && error?.isRetryable == true && error?.isTimeout == true)
    #expect(error?.message.contains("within 5.0 seconds") == true)
    #expect(!environment.isActive(TodoListQuery()))
    // The request is cancelled only after the caller's callback.
    try await eventually(0) { server.pending.count }
  }

  @Test("a caller whose time is up counts as a pending delivery until it is called back")
  func pendingTimeout() async throws {
    let (executions, deliveries) = (environment.executions, environment.store.deliveries)
    let isPending = Locked<[Bool]>([])
    let listener = executions.listeners.listen(to: .executions) { _ in
      if executions.executions.isEmpty { isPending.withLock { $0.append(!deliveries.isEmpty) } }
    }
    defer { executions.listeners.remove(listener) }
    let task = fetch(timeout: .seconds(5))
    _ = try await server.next()
    try await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(isPending.withLock { $0 } == [true])
    try await eventually(true) { deliveries.isEmpty }
  }

  @Test("states show loading, then the data, in one step each")
  func states() async throws {
    var states = environment.observe(TodoListQuery(), policy: .storeOrNetwork)
      .makeAsyncIterator()
    let loading = await states.next()
    #expect(loading?.isLoading == true && loading?.snapshot == nil)
    try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
    let loaded = await states.next()
    #expect(loaded?.isLoading == false && loaded?.data?.todos.count == 1 && loaded?.error == nil)
    #expect(environment.store.statistics.retainedOperations == 1)
    try environment.commitPayload(TodoListQuery(), data: ["todos": []])
    #expect(await states.next()?.data?.todos.isEmpty == true)
  }

  @Test("an error keeps the data, and the next request clears the error")
  func errors() async throws {
    let loaded = environment.load(TodoListQuery(), policy: .networkOnly)
    var states = loaded.states.makeAsyncIterator()
    #expect(await states.next()?.isLoading == true)
    try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
    #expect(await states.next()?.data?.todos.count == 1)
    loaded.refetch()
    loaded.refetch()
    let reloading = await states.next()
    #expect(reloading?.isLoading == true && reloading?.data?.todos.count == 1)
    try await server.next().reject(RelayError(.transport, "lost"))
    let failed = await states.next()
    #expect(failed?.error?.message == "lost" && failed?.error?.operationName == "TodoListQuery")
    #expect(failed?.data?.todos.count == 1 && failed?.isLoading == false)
    loaded.refetch()
    #expect(await states.next()?.error == nil)
    _ = try await server.next()
    #expect(server.requests.count == 3)
  }

  @Test(
    "data in the store is shown at once, except with networkOnly",
    arguments: [(.storeAndNetwork, "a"), (.networkOnly, nil)] as [(FetchPolicy, String?)])
  func storeFirst(_ policy: FetchPolicy, _ shown: String?) async throws {
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let loaded = environment.load(TodoListQuery(), policy: policy)
    #expect((loaded.state.data != nil) == (shown != nil))
    #expect(loaded.state.isLoading)
    let other = environment.load(TodoListQuery(), policy: .storeOrNetwork)
    #expect(other.state.data != nil && !other.state.isLoading)
    #expect(server.requests.count <= 1)
  }

  @Test(
    "partial data is shown only if showsPartialData is set, or if the server leaves it incomplete")
  func partial() async throws {
    try environment.commitUpdate { store in
      let todo = try store.create("1", type: "Todo")
      try todo.setValue("1", for: "id")
      try store.root.setLinkedRecords([todo], for: "todos", arguments: ["first": 10])
    }
    // The query's own fields are present; its fragments' fields are missing.
    let whole = environment.load(TodoListQuery(first: 11), policy: .storeOnly)
    #expect(whole.state.snapshot == nil && !whole.state.isLoading)
    let partial = environment.load(
      TodoListQuery(first: 11), policy: .storeOnly, options: .init(showsPartialData: true))
    #expect(partial.state.snapshot?.isMissingData == true)
    let loaded = environment.load(TodoListQuery(), policy: .storeOrNetwork)
    #expect(loaded.state.isLoading)
    let row = FragmentRef<TodoRow_todo>(id: "1", variables: ["first": 10])
    #expect(environment.pendingOperations(affecting: row).map(\.name) == ["TodoListQuery"])
    #expect(environment.pendingOperations(affecting: FragmentRef<TodoRow_todo>(id: "2")).isEmpty)
  }

  @Test("a poll refetches after each interval until the load is released")
  func poll() async throws {
    var loaded: LoadedQuery? = environment.load(
      TodoListQuery(), policy: .networkOnly, options: .init(pollInterval: .seconds(10)))
    var states = loaded?.states.makeAsyncIterator()
    #expect(await states?.next()?.isLoading == true)
    // The first sleep starts with the request, the next ones with the response before.
    try await clock.sleepers(1)
    for round in 0...2 {
      let request = try await server.next()
      clock.advance(by: .seconds(1))
      request.resolve(data: TodoListQuery.oneTodo("\(round)"))
      try await eventually(.seconds(11 * (round + 1))) { clock.nextDeadline }
      if round < 2 { clock.advance(by: .seconds(10)) }
    }
    #expect(loaded != nil)
    loaded = nil
    states = nil
    // The thread that delivered the last response may not have released the load yet.
    try await eventually(0) { clock.sleeperCount }
    try await eventually {
      environment.store.statistics
    } is: {
      $0.isEmpty
    }
  }

  @Test("a poll continues after a reset that cancelled its request")
  func pollAfterReset() async throws {
    let loaded = environment.load(
      TodoListQuery(), policy: .networkOnly, options: .init(pollInterval: .seconds(10)))
    var states = loaded.states.makeAsyncIterator()
    _ = await states.next()
    let request = try await server.next()
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    request.resolve(data: TodoListQuery.oneTodo("0"))
    #expect(await states.next()?.isLoading == false)
    // The sleep that started with the request has ended, and another one has begun.
    try await eventually(.seconds(11)) { clock.nextDeadline }
    clock.advance(by: .seconds(10))
    _ = try await server.next()
    // The request may arrive before the load waits for its response; a reset would then send it
    // again.
    try await eventually(true) { loaded.load.isWaitingForResponse }
    environment.reset()
    #expect(!loaded.state.isLoading)
    try await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    try await server.next().resolve(data: TodoListQuery.oneTodo("1"))
    while let state = await states.next(), state.data == nil {}
    #expect(loaded.state.data?.todos.first != nil)
  }

  @Test("the poll interval begins at the response, however long the response takes")
  func pollFromResponse() async throws {
    let loaded = environment.load(
      TodoListQuery(), policy: .networkOnly, options: .init(pollInterval: .seconds(10)))
    var states = loaded.states.makeAsyncIterator()
    _ = await states.next()
    let request = try await server.next()
    try await clock.sleepers(1)
    clock.advance(by: .seconds(9))
    request.resolve(data: TodoListQuery.oneTodo("0"))
    #expect(await states.next()?.isLoading == false)
    try await clock.sleepers(1)
    // The sleep that started with the request ends early; the next one starts at the response.
    try await eventually(.seconds(19)) { clock.nextDeadline }
    clock.advance(by: .seconds(2))
    #expect(clock.sleeperCount == 1 && server.requests.count == 1)
    clock.advance(by: .seconds(8))
    try await server.next().reject(RelayError(.transport, "lost"))
    // The interval restarts at an error, and at the response to a refetch.
    while let state = await states.next(), state.error == nil {}
    try await eventually(.seconds(29)) { clock.nextDeadline }
    clock.advance(by: .seconds(5))
    loaded.refetch()
    try await server.next().resolve(data: TodoListQuery.oneTodo("1"))
    while let state = await states.next(), state.isLoading || state.error != nil {}
    try await eventually(.seconds(34)) { clock.nextDeadline }
    #expect(clock.sleeperCount == 1)
    loaded.release()
    #expect(clock.sleeperCount == 0 && server.requests.count == 3)
  }

  @Test("a load that exceeds its timeout has an error, and can be refetched")
  func loadTimeout() async throws {
    let loaded = environment.load(
      TodoListQuery(), policy: .networkOnly, options: .init(timeout: .seconds(3)))
    var states = loaded.states.makeAsyncIterator()
    #expect(await states.next()?.isLoading == true)
    try await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    let failed = await states.next()
    #expect(failed?.isLoading == false && failed?.error?.code == .transport)
    #expect(!environment.isActive(TodoListQuery()))
    loaded.refetch()
    #expect(environment.isActive(TodoListQuery()))
  }

  @Test("releasing a load, or dropping its iterators, ends its states and releases its data")
  func release() async throws {
    let loaded = environment.load(TodoListQuery())
    var states = loaded.states.makeAsyncIterator()
    _ = await states.next()
    #expect(environment.store.statistics.observers == 1)
    loaded.release()
    #expect(await states.next() == nil)
    loaded.refetch()
    #expect(!loaded.state.isLoading)
    do {
      var iterator = environment.observe(TodoListQuery(), policy: .networkOnly)
        .makeAsyncIterator()
      _ = await iterator.next()
      #expect(environment.isActive(TodoListQuery()))
    }
    #expect(!environment.isActive(TodoListQuery()) && environment.store.statistics.isEmpty)
  }
}

/// A transport that responds without suspending.
private struct Prompt: Transport {
  let sent = Locked(0)

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    sent.withLock { $0 += 1 }
    if request.kind == .query {
      return GraphQLResponse(json: ["data": TodoListQuery.oneTodo("a")])
    }
    return GraphQLResponse(
      json: ["data": ["setComplete": ["todo": ["id": "1", "isComplete": true, "text": "a"]]]])
  }
}

extension QueryLoad {
  /// Whether the load has joined an execution, and so receives its outcome.
  fileprivate var isWaitingForResponse: Bool {
    state.withLock { $0.execution?.caller != nil }
  }
}
