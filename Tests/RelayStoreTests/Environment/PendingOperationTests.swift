import RelayStore
import RelayStoreTesting
import Testing

@Suite("Operations in flight", .timeLimit(.minutes(1)))
struct PendingOperationTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment
  private let reference = FragmentRef<TodoRow_todo>(id: "new", variables: ["first": 10])
  private let mutation = SetCompleteMutation(id: "new", isComplete: true)

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func commit(
    optimisticResponse: SetCompleteMutation.RawResponse? = nil,
    optimisticUpdater: StoreUpdater? = nil
  ) -> Task<Void, any Error> {
    Task { [environment, mutation] in
      _ = try await environment.commit(
        mutation, optimisticResponse: optimisticResponse, optimisticUpdater: optimisticUpdater)
    }
  }

  private func pending(_ id: DataID = "new") -> [String] {
    let reference = FragmentRef<TodoRow_todo>(id: id, variables: ["first": 10])
    return environment.pendingOperations(affecting: reference).map(\.name)
  }

  @Test("a mutation affects the records of its optimistic response until its own response arrives")
  func optimisticResponse() async throws {
    let task = commit(optimisticResponse: .init(id: "new", isComplete: true))
    let request = try await server.next()
    #expect(environment.read(reference).missing.map(\.description).contains("text"))
    #expect(pending() == ["SetCompleteMutation"] && pending("other").isEmpty)
    let operation = environment.pendingOperations(affecting: reference).first
    #expect(operation?.kind == .mutation && operation?.variables["id"] == "new")
    request.resolve(data: ["setComplete": ["todo": nil]])
    try await task.value
    #expect(pending().isEmpty)
  }

  @Test("a mutation affects the records that its optimistic updater wrote until it fails")
  func optimisticUpdater() async throws {
    let task = commit { try $0.create("new", type: "Todo").setValue("new", for: "id") }
    let request = try await server.next()
    #expect(pending() == ["SetCompleteMutation"])
    // A commit rebases the update, and the mutation still affects the record.
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    #expect(pending() == ["SetCompleteMutation"] && pending("1").isEmpty)
    request.reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(pending().isEmpty)
  }

  @Test("a mutation affects the records of its optimistic response while its updater throws")
  func responseOfThrowingUpdater() async throws {
    let task = commit(optimisticResponse: .init(id: "new", isComplete: true)) { store in
      try store.create("other", type: "Todo").setValue("other", for: "id")
      if try store["1"] != nil { throw RelayError(.update, "no") }
    }
    let request = try await server.next()
    #expect(pending() == ["SetCompleteMutation"] && pending("other") == ["SetCompleteMutation"])
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    #expect(environment.read(reference).missing.map(\.description).contains("text"))
    #expect(pending() == ["SetCompleteMutation"] && pending("other").isEmpty)
    try environment.commitUpdate { try $0.delete("1") }
    #expect(pending() == ["SetCompleteMutation"])
    request.resolve(data: ["setComplete": nil])
    try await task.value
    #expect(environment.store.dump(.visible) == environment.store.dump(.base))
  }

  @Test("a mutation affects nothing while its optimistic updater throws in a rebase")
  func throwsAgain() async throws {
    let task = commit { store in
      if try store["1"] != nil { throw RelayError(.update, "no") }
      try store.create("new", type: "Todo").setValue("new", for: "id")
    }
    let request = try await server.next()
    #expect(pending() == ["SetCompleteMutation"])
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    #expect(pending().isEmpty && pending("1").isEmpty)
    try environment.commitUpdate { try $0.delete("1") }
    request.resolve(data: ["setComplete": nil])
    try await task.value
  }

  @Test("a mutation affects every fragment that reads a record it wrote")
  func nested() async throws {
    try environment.commitPayload(
      TodoListQuery(),
      data: [
        "todos": [
          ["id": "1", "text": "a", "isComplete": false, "assignee": ["id": "u", "name": "U"]]
        ]
      ])
    let task = commit { try $0["u"]?.removeValue("name") }
    let request = try await server.next()
    #expect(pending("1") == ["SetCompleteMutation"])
    request.resolve(data: ["setComplete": nil])
    try await task.value
    #expect(pending("1").isEmpty)
  }

  @Test(
    "an optimistic update without an operation is not pending, and neither is a mutation that threw"
  )
  func withoutOperation() async throws {
    let update = try environment.applyUpdate {
      try $0.create("new", type: "Todo").setValue("new", for: "id")
    }
    #expect(pending().isEmpty)
    update.revert()
    let task = commit { store in
      try store.create("new", type: "Todo").setValue("new", for: "id")
      throw RelayError(.update, "no")
    }
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(server.requests.isEmpty && pending().isEmpty && !environment.isActive(mutation))
  }

  @Test("observers of records written by an optimistic response receive its mutation as in flight")
  func notified() async throws {
    let (environment, reference) = (environment, reference)
    let seen = Locked<[Int]>([])
    let observation = environment.observe(reference) { _ in
      let count = environment.pendingOperations(affecting: reference).count
      seen.withLock { $0.append(count) }
    }
    let task = commit(optimisticResponse: .init(id: "new", isComplete: true))
    try await server.next().resolve(data: ["setComplete": ["todo": nil]])
    try await task.value
    #expect(seen.withLock { $0 } == [1, 0])
    observation.cancel()
  }
}
