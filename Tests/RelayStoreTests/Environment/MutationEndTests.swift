import RelayStore
import RelayStoreTesting
import Testing

@Suite("Outcomes of mutations", .timeLimit(.minutes(1)))
struct MutationEndTests {
  private let clock = VirtualClock()

  private func environment(_ transport: some Transport) throws -> RelayEnvironment {
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(clock: clock, garbageCollection: .manual)),
      transport: transport)
    try environment.commitPayload(
      TodoListQuery(),
      data: TodoListQuery.oneTodo("a"))
    return environment
  }

  private func commit(_ environment: RelayEnvironment, timeout: Duration? = nil)
    -> Task<Snapshot<SetCompleteMutation.Data>, any Error>
  {
    Task {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true), timeout: timeout)
    }
  }

  private let confirmed: JSONValue = [
    "setComplete": ["todo": ["id": "1", "isComplete": true, "text": "a"]]
  ]

  @Test("a mutation that is cancelled while its response is committed returns its data")
  func cancelledInCommit() async throws {
    let server = MockTransport()
    let environment = try environment(server)
    let box = Locked<Task<Snapshot<SetCompleteMutation.Data>, any Error>?>(nil)
    let task = Task {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true),
        updater: { _ in box.withLock { $0 }?.cancel() })
    }
    box.withLock { $0 = task }
    try await server.next().resolve(data: confirmed)
    let snapshot = try await task.value
    #expect(task.isCancelled && snapshot.data?.setComplete?.todo?.isComplete == true)
    #expect(environment.store.statistics.isEmpty && environment.store.deliveries.isEmpty)
    let todo = FragmentRef<TodoRow_todo>(id: "1", variables: ["first": 10])
    #expect(environment.read(todo).data?.isComplete == true)
    box.withLock { $0 = nil }
  }

  @Test("a mutation whose optimistic updater throws is not sent, and leaves nothing in flight")
  func optimisticFailure() async throws {
    struct Refusal: Error {}
    let server = MockTransport()
    let environment = try environment(server)
    await #expect(throws: Refusal.self) {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticUpdater: { _ in throw Refusal() })
    }
    #expect(server.requests.isEmpty && environment.operationsInFlight.count == 0)
    #expect(environment.store.statistics.isEmpty && environment.store.deliveries.isEmpty)
  }

  @Test("a mutation that exceeds its timeout is rolled back")
  func timeout() async throws {
    let server = MockTransport()
    let environment = try environment(server)
    let before = environment.store.dump()
    let task = commit(environment, timeout: .seconds(3))
    let request = try await server.next()
    #expect(environment.isActive(SetCompleteMutation(id: "1", isComplete: true)))
    #expect(environment.store.dump() != before)
    try await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == .transport)
    request.resolve(data: confirmed)
    #expect(environment.store.dump() == before && environment.store.statistics.isEmpty)
    #expect(!environment.isActive(SetCompleteMutation(id: "1", isComplete: true)))
  }

  @Test("a cancelled mutation is rolled back at once, even if the transport ignores cancellation")
  func uncancellableTransport() async throws {
    let gate = Gate()
    // Waiting for arrivals ignores cancellation.
    let server = StubTransport { [confirmed] _, _ in
      _ = try? await gate.wait()
      try await gate.arrivals(2)
      return GraphQLResponse(json: ["data": confirmed])
    }
    let environment = try environment(server)
    let before = environment.store.dump()
    let task = commit(environment)
    try await gate.arrivals(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(environment.store.dump() == before)
    gate.open()
    try await gate.wait()
    #expect(environment.store.dump() == before && environment.store.statistics.isEmpty)
  }

  @Test("a mutation that is cancelled before it begins sends nothing and changes nothing")
  func cancelledBefore() async throws {
    let server = MockTransport()
    let environment = try environment(server)
    let before = environment.store.dump()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await commit(environment).valueOrCancel
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(environment.store.dump() == before)
  }

  @Test("data with errors is written and both are returned; errors without data write nothing")
  func errors() async throws {
    let server = MockTransport()
    let environment = try environment(server)
    let first = commit(environment)
    try await server.next().resolve(
      data: ["setComplete": ["todo": ["id": "1", "isComplete": true, "text": nil]]],
      errors: [["message": "no text", "path": ["setComplete", "todo", "text"]]],
      extensions: ["cost": 2])
    let result = try await first.value
    #expect(result.responseErrors.map(\.message) == ["no text"])
    #expect(result.responseExtensions == ["cost": 2])
    #expect(result.data?.setComplete?.todo?.isComplete == true)
    environment.store.collectGarbage()
    let before = environment.store.dump()
    let second = commit(environment)
    try await server.next().resolve(data: nil, errors: [["message": "no"]])
    let error = await #expect(throws: RelayError.self) { try await second.value }
    #expect(error?.code == .graphQL)
    #expect(environment.store.dump() == before && environment.store.statistics.isEmpty)
  }
}

extension Task {
  /// The value; cancelling the caller also cancels this task.
  fileprivate var valueOrCancel: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await self.value
      } onCancel: {
        cancel()
      }
    }
  }
}
