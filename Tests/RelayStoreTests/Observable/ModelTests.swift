import Observation
import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("Observable models", .timeLimit(.minutes(1)))
struct ModelTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment
  private let reference = FragmentRef<TodoRow_todo>(id: "1", variables: ["first": 10])

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  /// Waits until a property that the closure reads is about to change.
  private func change(of read: @MainActor () -> Void) async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      read()
    } onChange: {
      continuation.finish()
    }
    for await _ in stream {}
    await Task.yield()
  }

  @Test(
    "a fragment model has its data at once, and the change of a main-actor commit when it returns")
  func fragment() throws {
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let model = FragmentModel(reference, in: environment)
    #expect(model.data?.text == "a")
    let changes = Locked(0)
    withObservationTracking {
      _ = model.data
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    try environment.commitUpdate { try $0.root.setValue(1, for: "other") }
    #expect(changes.withLock { $0 } == 0)
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("b"))
    #expect(model.data?.text == "b" && changes.withLock { $0 } == 1)
  }

  @Test("a fragment model shows another reference, and notifies a property's readers alone")
  func properties() throws {
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let model = FragmentModel(reference, in: environment)
    let notified = Locked<[String]>([])
    func track(_ name: String, _ read: @MainActor () -> Void) {
      withObservationTracking {
        read()
      } onChange: {
        notified.withLock { $0.append(name) }
      }
    }
    track("reference") { _ = model.reference }
    track("data") { _ = model.data }
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("b"))
    #expect(notified.withLock { $0 } == ["data"] && model.data?.text == "b")
    track("data again") { _ = model.data }
    let other = FragmentRef<TodoRow_todo>(id: "2", variables: ["first": 10])
    model.show(other)
    #expect(notified.withLock { $0.sorted() } == ["data", "data again", "reference"])
    #expect(model.reference == other && model.data == nil)
    track("shown again") { _ = model.data }
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("c"))
    #expect(notified.withLock { $0 }.count == 3)
  }

  @Test(
    "a fragment model is notified of changes on other threads, and stops observing when it is dropped"
  )
  func fragmentElsewhere() async throws {
    var model: FragmentModel? = FragmentModel(reference, in: environment)
    #expect(model?.data == nil && model?.isLoading == false)
    let (environment, data) = (environment, TodoListQuery.oneTodo("b"))
    let writing = Task.detached { try environment.commitPayload(TodoListQuery(), data: data) }
    while model?.data == nil { await change { _ = model?.data } }
    try await writing.value
    #expect(model?.data?.text == "b")
    weak let dropped = model
    model = nil
    #expect(dropped == nil && environment.store.statistics.observers == 0)
  }

  @Test("isLoading of a fragment model changes when a request begins and when it fails")
  func fragmentLoading() async throws {
    try environment.commitUpdate { store in
      let todo = try store.create("1", type: "Todo")
      try todo.setValue("1", for: "id")
      try store.root.setLinkedRecords([todo], for: "todos", arguments: ["first": 10])
    }
    var model: FragmentModel? = FragmentModel(reference, in: environment)
    #expect(model?.isLoading == false)
    let environment = environment
    let before = environment.liveResources
    let task = Task { try await environment.fetch(TodoListQuery()) }
    while model?.isLoading == false { await change { _ = model?.isLoading } }
    try await server.next().reject(RelayError(.transport, "lost"))
    while model?.isLoading == true { await change { _ = model?.isLoading } }
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(environment.liveResources == before && environment.listenerCount == 1)
    weak let dropped = model
    model = nil
    #expect(dropped == nil && environment.listenerCount == 0)
  }

  @Test(
    "isLoading changes at once if the main actor begins or ends the request")
  func fragmentLoadingAtOnce() async throws {
    try environment.commitUpdate { store in
      let todo = try store.create("1", type: "Todo")
      try store.root.setLinkedRecords([todo], for: "todos", arguments: ["first": 10])
    }
    let model = FragmentModel(reference, in: environment)
    let changes = Locked(0)
    func count() {
      withObservationTracking {
        _ = model.isLoading
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    count()
    let other = environment.load(TodoListQuery(first: 3), policy: .networkOnly)
    #expect(changes.withLock { $0 } == 0)
    let loaded = environment.load(TodoListQuery(), policy: .networkOnly)
    #expect(changes.withLock { $0 } == 1 && model.isLoading)
    count()
    other.release()
    #expect(changes.withLock { $0 } == 1)
    loaded.release()
    #expect(changes.withLock { $0 } == 2 && !model.isLoading)
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    #expect(!model.isLoading && environment.listenerCount == 0)
  }

  @Test(
    "a query model loads, shows the previous data while another query loads, and ends when dropped")
  func query() async throws {
    var model: QueryModel? = QueryModel(TodoListQuery(), in: environment)
    #expect(model?.isLoading == true && model?.data == nil)
    try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
    while model?.isLoading == true { await change { _ = model?.state } }
    #expect(model?.data?.todos.count == 1)
    begin { model?.load(TodoListQuery(first: 2)) }
    #expect(model?.isLoading == true && model?.data?.todos.count == 1)
    try await server.next().resolve(data: ["todos": []])
    while model?.isLoading == true { await change { _ = model?.state } }
    #expect(model?.data?.todos.isEmpty == true)
    begin { model?.refetch() }
    try await server.next().reject(RelayError(.transport, "lost"))
    while model?.error == nil { await change { _ = model?.state } }
    #expect(model?.data?.todos.isEmpty == true)
    weak let dropped = model
    model = nil
    #expect(dropped == nil)
    // The request's task may not have ended yet.
    try await eventually(true) { environment.store.statistics.isEmpty }
  }

  @Test("a mutation model shows whether a mutation is in flight, and the error of the last one")
  func mutation() async throws {
    let model = MutationModel(SetCompleteMutation.self, in: environment)
    let task = Task { try await model.commit(SetCompleteMutation(id: "1", isComplete: true)) }
    let request = try await server.next()
    #expect(model.isInFlight)
    request.reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(!model.isInFlight && model.error?.message == "lost")
  }

  @Test("a reset while a request is in flight empties the model at once, without an error")
  func resetWhileLoading() async throws {
    let model = used(QueryModel(TodoListQuery(), in: environment, policy: .networkOnly))
    let first = try await server.next()
    environment.reset()
    try #require(!model.isLoading && model.error == nil && model.data == nil)
    first.resolve(data: TodoListQuery.oneTodo("late"))
    try await environment.settle()
    #expect(!model.isLoading && model.error == nil && model.data == nil)
    begin { model.refetch() }
    #expect(model.isLoading)
    try await server.next().resolve(data: TodoListQuery.oneTodo("b"))
    while model.data == nil { await change { _ = model.state } }
    #expect(model.error == nil)
  }

  @Test("a mutation cancelled by its caller or by a reset is not an error of the model")
  func cancelledMutation() async throws {
    let model = MutationModel(SetCompleteMutation.self, in: environment)
    let task = Task { try await model.commit(SetCompleteMutation(id: "1", isComplete: true)) }
    _ = try await server.next()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(model.error == nil && !model.isInFlight)
    let other = Task { try await model.commit(SetCompleteMutation(id: "1", isComplete: true)) }
    _ = try await server.next()
    environment.reset()
    let error = await #expect(throws: RelayError.self) { try await other.value }
    #expect(error?.code == .cancelled && model.error == nil && !model.isInFlight)
  }

  @Test("an error of any type that an updater throws is the model's error")
  func throwingUpdater() async throws {
    struct Failure: Error {}
    let model = MutationModel(SetCompleteMutation.self, in: environment)
    await #expect(throws: Failure.self) {
      try await model.commit(
        SetCompleteMutation(id: "1", isComplete: true), optimisticUpdater: { _ in throw Failure() })
    }
    #expect(model.error?.code == .update && model.error?.underlying is Failure)
    #expect(!model.isInFlight && server.requests.isEmpty)
    let next = Task { try await model.commit(SetCompleteMutation(id: "1", isComplete: true)) }
    let request = try await server.next()
    #expect(model.error == nil && model.isInFlight)
    request.resolve(data: ["setComplete": nil])
    _ = try await next.value
  }
}
