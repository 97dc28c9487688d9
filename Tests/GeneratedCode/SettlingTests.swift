import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Settling", .timeLimit(.minutes(1)))
struct SettlingTests {
  /// A transport that the testing kit cannot inspect; it responds after `turns` yields.
  private struct Slow: Transport {
    var turns = 200

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      for _ in 0..<turns { await Task.yield() }
      try Task.checkCancellation()
      return GraphQLResponse(json: ["data": ["person": ["id": "1", "name": "n1"]]])
    }
  }

  /// A transport that responds as `Slow` does after `gate` opens.
  private struct Gated: Transport {
    let gate = Gate()

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      try await gate.wait()
      return try await Slow().execute(request)
    }
  }

  /// A transport that never responds.
  private struct Silent: Transport {
    let gate = AsyncStream<Void>.makeStream()

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      for await _ in gate.stream {}
      throw CancellationError()
    }
  }

  /// A transport that responds with an empty list, or fails.
  private struct Friends: Transport {
    static let list: JSONValue = ["edges": [], "pageInfo": ["hasNextPage": false]]
    let fails: Bool

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      await Task.yield()
      if fails { throw RelayError(.transport, "lost") }
      return GraphQLResponse(
        json: ["data": ["node": ["__typename": "Person", "id": "1", "followers": Self.list]]])
    }
  }

  private func environment(_ transport: some Transport) -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: transport)
  }

  @Test(
    "settle() fails at once and names the operations held in a mock transport, even a wrapped one")
  func mock() async throws {
    let server = MockTransport()
    let environment = environment(server.retrying())
    let rename = Task { try await environment.commit(RenameMutation(id: "1", name: "Bea")) }
    let first = try await server.next()
    let loaded = environment.load(FollowersQuery(id: "1"))
    let second = try await server.next()
    let error = await #expect(throws: UnsettledError.self) { try await environment.settle() }
    #expect(
      error?.operations.map(\.name) == ["Rename", "FollowersQuery"] && error?.isHeld == true
    )
    #expect(
      "\(try #require(error))"
        == "\"Rename {\"id\":\"1\",\"name\":\"Bea\"}\", \"FollowersQuery {\"id\":\"1\"}\" wait in a mock transport, a closed gate "
        + "or for a virtual clock. Respond, open the gate or advance the clock before the "
        + "environment can settle. Also in use: observers: FollowersQuery; retained operations: "
        + "FollowersQuery {\"id\":\"1\"}."
    )
    second.resolve(data: ["person": ["id": "1", "name": "n1"]])
    first.resolve(data: ["rename": ["person": ["id": "2", "name": "Bea"], "ok": true]])
    try await environment.settle()
    #expect(loaded.state.data?.person?.name == "n1")
    _ = try await rename.value
  }

  @Test("settle() fails at once and names an operation whose retry waits for a virtual clock")
  func clock() async throws {
    let (server, clock) = (MockTransport(), VirtualClock())
    let environment = environment(server.retrying(clock: clock))
    let loaded = environment.load(FollowersQuery(id: "1"))
    var failure = RelayError(.transport, "lost")
    failure.isRetryable = true
    try await server.next().reject(failure)
    try await clock.sleepers(1)
    let error = await #expect(throws: UnsettledError.self) { try await environment.settle() }
    #expect(error?.operations.map(\.name) == ["FollowersQuery"])
    clock.advance(by: .seconds(60))
    try await server.next().resolve(data: ["person": ["id": "1", "name": "n1"]])
    try await environment.settle()
    #expect(loaded.state.data?.person?.name == "n1")
  }

  @Test("settle() lets a call end whose time-out has just passed on a virtual clock")
  func timeout() async throws {
    for _ in 0..<300 {
      let (server, clock) = (MockTransport(), VirtualClock())
      let environment = RelayEnvironment(
        store: RecordStore(configuration: .init(clock: clock, garbageCollection: .manual)),
        transport: server)
      let loaded = environment.load(
        FollowersQuery(id: "1"), options: LoadOptions(timeout: .seconds(5)))
      _ = try await server.next()
      try await clock.sleepers(1)
      clock.advance(by: .seconds(5))
      try await environment.settle()
      #expect(loaded.state.error?.isTimeout == true)
    }
  }

  @Test("settle() waits for a request after its gate opens")
  func opensGate() async throws {
    let transport = Gated()
    let environment = environment(transport)
    let loaded = environment.load(FollowersQuery(id: "1"))
    try await transport.gate.arrivals(1)
    let error = await #expect(throws: UnsettledError.self) { try await environment.settle() }
    #expect(error?.isHeld == true)
    transport.gate.open()
    try await environment.settle()
    #expect(loaded.state.data?.person?.name == "n1")
  }

  @Test("settle() waits up to the limit for a transport that the kit cannot inspect")
  func others() async throws {
    let slow = environment(Slow())
    let loaded = slow.load(FollowersQuery(id: "1"))
    try await slow.settle()
    #expect(loaded.state.data?.person?.name == "n1")
    let silent = environment(Silent())
    let endless = silent.load(FollowersQuery(id: "1"))
    let error = await #expect(throws: UnsettledError.self) {
      try await silent.settle(limit: .zero)
    }
    #expect(error?.operations.map(\.name) == ["FollowersQuery"] && error?.isHeld == false)
    endless.release()
    try await silent.settle()
  }

  @Test("after settle(), every model and recorder has the response")
  func models() async throws {
    for turns in 0..<70 {
      let environment = environment(Slow(turns: turns % 7))
      let model = await used(QueryModel(FollowersQuery(id: "1"), in: environment))
      let recorder = StreamRecorder(
        environment.observe(FollowersQuery(id: "1"), policy: .storeOrNetwork))
      try await environment.settle()
      #expect(await model.data?.person?.name == "n1")
      #expect(recorder.elements.last?.data?.person?.name == "n1")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("settle() waits until a list or a model shows its refetch", arguments: [false, true])
  @MainActor
  func refetches(fails: Bool) async throws {
    for _ in 0..<20 {
      let environment = environment(Friends(fails: fails))
      try environment.commitPayload(
        FriendsQuery(id: "1"), data: ["person": ["id": "1", "followers": Friends.list]])
      let person = try #require(environment.read(FriendsQuery(id: "1")).data?.person)
      let list = environment.paginate(person.fragments.friends_person)
      let model = FragmentModel(person.fragments.friends_person, in: environment)
      let executor = SteppedExecutor()
      let refetches = Task(executorPreference: executor) {
        async let listed: Void = list.refetch()
        async let shown: Void = model.refetch()
        _ = await (try? listed, try? shown)
      }
      let end = Task {
        await refetches.value
        executor.jobs.continuation.finish()
      }
      for await job in executor.jobs.stream {
        if list.state.isRefetching || model.isLoading {
          #expect(!environment.operationsInFlight.isEmpty || !environment.store.deliveries.isEmpty)
        }
        job.runSynchronously(on: executor.asUnownedTaskExecutor())
      }
      await end.value
      try await environment.settle()
      #expect(!list.state.isRefetching && (list.state.error == nil) != fails)
      #expect(!model.isLoading && (model.error == nil) != fails)
    }
  }
}

/// An executor whose jobs the test runs.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class SteppedExecutor: TaskExecutor {
  let jobs = AsyncStream<UnownedJob>.makeStream()

  func enqueue(_ job: consuming ExecutorJob) { jobs.continuation.yield(UnownedJob(job)) }
}
