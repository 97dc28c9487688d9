import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Reset", .timeLimit(.minutes(1)))
struct ResetTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment
  private let reference = FragmentRef<TodoRow_todo>(id: "1", variables: ["first": 10])

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  @Test("a reset empties the store and is delivered to observers")
  func records() async throws {
    let retention = environment.retain(TodoListQuery())
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let update = try environment.applyUpdate { try $0["1"]?.setValue("b", for: "text") }
    var rows = environment.observe(reference).makeAsyncIterator()
    var queries = environment.snapshots(of: TodoListQuery()).makeAsyncIterator()
    #expect(await rows.next()?.data?.text == "b")
    #expect(await queries.next()?.data?.todos.count == 1)
    let changes = Locked(0)
    let observation = environment.observe(reference) { _ in changes.withLock { $0 += 1 } }
    environment.reset()
    #expect(environment.store.dump() == RecordStore().dump())
    let row = await rows.next()
    #expect(row?.data == nil && row?.isDeleted == false && row?.isMissingData == true)
    let query = await queries.next()
    #expect(query?.data == nil && query?.isMissingData == true)
    #expect(changes.withLock { $0 } == 1)
    let statistics = environment.store.statistics
    #expect(statistics.retainedOperations == 0 && statistics.optimisticUpdates == 0)
    #expect(statistics.observers == 3)
    // Handles from before the reset have no effect.
    update.revert()
    let later = environment.retain(TodoListQuery())
    retention.release()
    #expect(environment.store.statistics.retainedOperations == 1)
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("c"))
    #expect(await rows.next()?.data?.text == "c")
    later.release()
    withExtendedLifetime(observation) {}
  }

  @Test("a garbage collection is due after a reset, even while collections are held")
  func collection() throws {
    let retention = environment.retain(TodoListQuery())
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    environment.store.collectGarbage()
    #expect(!environment.store.garbageCollector.isPending)
    let hold = environment.store.garbageCollector.hold()
    environment.reset()
    #expect(environment.store.garbageCollector.isPending)
    hold.release()
    environment.store.collectGarbage()
    #expect(!environment.store.garbageCollector.isPending)
    withExtendedLifetime(retention) {}
  }

  @Test("a fetch in flight is cancelled, and its response is not written")
  func fetch() async throws {
    let environment = environment
    let fetching = Task { try await environment.fetch(TodoListQuery()) }
    let request = try await server.next()
    environment.reset()
    let error = await #expect(throws: RelayError.self) { try await fetching.value }
    #expect(error?.code == .cancelled)
    request.resolve(data: TodoListQuery.oneTodo("late"))
    #expect(environment.store.dump() == RecordStore().dump())
    #expect(!environment.isActive(TodoListQuery()))
  }

  @Test("a response from a transport that ignores cancellation is not written")
  func uncancellableTransport() async throws {
    let gate = Gate()
    let transport = Stubborn(gate: gate, json: ["data": TodoListQuery.oneTodo("late")])
    let environment = RelayEnvironment(store: environment.store, transport: transport)
    let fetching = Task { try await environment.fetch(TodoListQuery()) }
    try await gate.arrivals(1)
    environment.reset()
    await #expect(throws: RelayError.self) { try await fetching.value }
    gate.open()
    await transport.end()
    for _ in 0..<100 { await Task.yield() }
    #expect(environment.store.dump() == RecordStore().dump())
  }

  @Test("a response that arrived before the reset, but is not committed yet, is not written")
  func arrived() async throws {
    let (executions, gate, store) = (ExecutionTable(), Gate(), environment.store)
    let query = OperationRequest(TodoListQuery(), store: store, root: .root)
    let outcome = Locked<String?>(nil)
    let execution = executions.queryExecution(of: query, isShared: true, replacing: nil) { id, _ in
      await Task { try? await gate.wait() }.value
      do {
        _ = try executions.commit(id)
        outcome.withLock { $0 = "written" }
      } catch {
        outcome.withLock { $0 = "\(type(of: error))" }
      }
      return FetchedData(row: RowSnapshot())
    }
    let caller = execution.join(timeout: nil, clock: ContinuousClock(), onData: { _ in }) { _ in }
    try await gate.arrivals(1)
    store.reset { executions.reset() }
    gate.open()
    try await eventually {
      outcome.withLock { $0 }
    } is: {
      $0 != nil
    }
    #expect(caller != nil && outcome.withLock { $0 } == "CancellationError")
  }

  @Test("a mutation in flight is cancelled and its optimistic update removed")
  func mutation() async throws {
    let environment = environment
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let committing = Task {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true))
    }
    let request = try await server.next()
    environment.reset()
    let error = await #expect(throws: RelayError.self) { try await committing.value }
    #expect(error?.code == .cancelled)
    request.resolve(
      data: ["setComplete": ["todo": ["id": "1", "isComplete": true, "text": "late"]]])
    #expect(environment.store.dump() == RecordStore().dump())
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("a mutation that is reset before its optimistic update is applied leaves nothing behind")
  func beforeTheUpdate() async throws {
    let isReset = Locked(false)
    let listening = ExecutionListening(
      to: .executions, of: environment.executions, in: environment.store
    ) { [environment] _ in
      let wasReset = isReset.withLock { isReset in
        defer { isReset = true }
        return isReset
      }
      if !wasReset { environment.reset() }
    }
    let error = await #expect(throws: RelayError.self) {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticUpdater: { try $0.create("9", type: "Todo").setValue("b", for: "text") })
    }
    #expect(error?.code == .cancelled && server.requests.isEmpty)
    #expect(environment.store.statistics.optimisticUpdates == 0)
    #expect(environment.store.dump(.visible) == RecordStore().dump(.visible))
    withExtendedLifetime(listening) {}
  }

  @Test("a mutation is not sent if its optimistic update makes an observer reset")
  func unsent() async throws {
    let environment = environment
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let observation = environment.observe(reference) { [environment] in
      if $0.data?.isComplete == true { environment.reset() }
    }
    let error = await #expect(throws: RelayError.self) {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true))
    }
    #expect(error?.code == .cancelled && server.requests.isEmpty)
    #expect(environment.store.dump() == RecordStore().dump())
    #expect(environment.store.statistics.optimisticUpdates == 0)
    withExtendedLifetime(observation) {}
  }

  @Test("a query load stays without data, and can load again")
  func load() async throws {
    let loaded = environment.load(TodoListQuery(), policy: .networkOnly)
    try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
    var states = loaded.states.makeAsyncIterator()
    while let state = await states.next(), state.data == nil {}
    environment.reset()
    #expect(loaded.state.snapshot == nil && loaded.state.error == nil)
    #expect(environment.store.statistics.retainedOperations == 0)
    loaded.refetch()
    #expect(environment.store.statistics.retainedOperations == 1)
    let request = try await server.next()
    environment.reset()
    #expect(loaded.state.error?.code == .cancelled && !loaded.state.isLoading)
    request.resolve(data: TodoListQuery.oneTodo("late"))
    loaded.refetch()
    try await server.next().resolve(data: TodoListQuery.oneTodo("b"))
    // The iterator skips states between two equal ones.
    try await eventually(true) { loaded.state.data != nil }
    loaded.release()
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("a response that is committed before a reset and delivered after it is discarded")
  func overtaken() async throws {
    let request = OperationRequest(TodoListQuery(), store: environment.store, root: .root)
    let execution = environment.queryExecution(of: request, context: nil)
    // This callback runs before the load's, once the response is committed and the execution has
    // ended.
    let caller = execution.join(timeout: nil, clock: ContinuousClock(), onData: { _ in }) {
      [environment] _ in
      environment.reset()
    }
    let loaded = environment.load(TodoListQuery(), policy: .networkOnly)
    var states = loaded.states.makeAsyncIterator()
    try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
    while let state = await states.next(), state.isLoading {}
    #expect(caller != nil && environment.store.dump() == RecordStore().dump())
    #expect(loaded.state.snapshot == nil && loaded.state.error?.code == .cancelled)
    loaded.refetch()
    try await server.next().resolve(data: TodoListQuery.oneTodo("b"))
    while let state = await states.next(), state.data == nil {}
    #expect(environment.read(reference).data?.text == "b" && loaded.state.error == nil)
  }

  @Test("a reset in a log handler runs after the response is committed")
  func log() async throws {
    let waiting = Locked<RelayEnvironment?>(nil)
    let store = RecordStore(
      configuration: .init(
        garbageCollection: .manual,
        log: { event in
          guard case .publish(changedRecords: 1...) = event else { return }
          let environment = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
          }
          environment?.reset()
        }))
    let environment = RelayEnvironment(store: store, transport: server)
    waiting.withLock { $0 = environment }
    let fetching = Task { try await environment.fetch(TodoListQuery()) }
    try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
    // The reset may be early enough to cancel the fetch.
    _ = try? await fetching.value
    #expect(waiting.withLock { $0 } == nil)
    try await eventually(RecordStore().dump()) { store.dump() }
  }

  @Test("a reset in an updater is deferred until after the updater")
  func inside() async throws {
    let environment = environment
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    try environment.commitUpdate { store in
      environment.reset()
      try store["1"]?.setValue("b", for: "text")
    }
    try await eventually(RecordStore().dump()) { environment.store.dump() }
  }
}

/// A transport that responds when its gate opens, even after a cancellation.
private final class Stubborn: Transport {
  private let gate: Gate
  private let json: JSONValue
  private let ended = Gate()

  init(gate: Gate, json: JSONValue) {
    self.gate = gate
    self.json = json
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let gate = gate
    // An unstructured task does not inherit the cancellation.
    await Task { try? await gate.wait() }.value
    ended.open()
    return GraphQLResponse(json: json)
  }

  func end() async { try? await ended.wait() }
}
