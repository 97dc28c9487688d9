import Foundation
import Observation
import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("All models change in one turn", .timeLimit(.minutes(1)))
struct ModelTurnTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment
  private let person = FragmentRef<Follower_person>(id: "1")

  init() throws {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("a"))
  }

  private func data(_ name: String) -> JSONValue {
    [
      "person": [
        "id": "1", "name": .string(name),
        "followers": [
          "edges": [["cursor": "c", "node": ["__typename": "Person", "id": "2", "name": "n"]]]
        ],
      ]
    ]
  }

  private func rename(_ name: String) throws {
    try environment.commitUpdate { try $0["1"]?.setValue(name, for: "name") }
  }

  /// Runs `body` on a new thread, and blocks until it returns.
  private func onOtherThread(_ body: @escaping @Sendable () throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? body()
      done.signal()
    }
    done.wait()
  }

  /// The models of one person's name.
  @MainActor
  private struct Models {
    let query: QueryModel<FollowersQuery>
    let fragments: [FragmentModel<Follower_person>]

    init(_ person: FragmentRef<Follower_person>, in environment: RelayEnvironment, count: Int = 2) {
      let first = FragmentModel(person, in: environment)
      query = QueryModel(FollowersQuery(id: "1"), in: environment, policy: .storeOnly)
      fragments = [first] + (1..<count).map { _ in FragmentModel(person, in: environment) }
      _ = names
    }

    var names: Set<String> {
      Set(fragments.map { $0.data?.name ?? "-" } + [query.data?.person?.name ?? "-"])
    }
  }

  @Test("a commit, a batch and a payload on the main actor are in every model when they return")
  func commits() throws {
    let models = Models(person, in: environment)
    try rename("b")
    #expect(models.names == ["b"])
    try environment.batch {
      try rename("c")
      try rename("d")
      #expect(models.names == ["b"])
    }
    #expect(models.names == ["d"])
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("e"))
    #expect(models.names == ["e"])
  }

  @Test(
    "a commit on the main actor is in every model, also while a response of the model's query is being committed"
  )
  func whileCommitting() async throws {
    let models = Models(person, in: environment)
    let shown = Locked<Set<String>>([])
    // The response's thread calls this closure, and waits in it for the commit.
    let observation = environment.readAndObserve(FollowersQuery(id: "1")) { snapshot in
      guard snapshot.data?.person?.name == "b" else { return }
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          try? rename("c")
          shown.withLock { $0 = models.names }
        }
        done.signal()
      }
      done.wait()
    }.observation
    begin { models.query.refetch() }
    try await server.next().resolve(data: data("b"))
    try await environment.settle()
    #expect(shown.withLock { $0 } == ["c"])
    #expect(models.names == ["c"] && !models.query.isLoading)
    withExtendedLifetime(observation) {}
  }

  @Test("a commit on the main actor also brings what other threads have committed before")
  func otherThread() async throws {
    let models = Models(person, in: environment)
    let environment = environment
    onOtherThread { try environment.commitUpdate { try $0["1"]?.setValue("b", for: "name") } }
    #expect(models.names == ["a"])
    try environment.commitUpdate { try $0["2"]?.setValue("other", for: "name") }
    #expect(models.names == ["b"])
    onOtherThread { try environment.commitUpdate { try $0["1"]?.setValue("c", for: "name") } }
    try await environment.settle()
    #expect(models.names == ["c"])
  }

  @Test(
    "a commit on the main actor is in every model while other threads commit to the same record")
  func race() async throws {
    let models = Models(person, in: environment, count: 20)
    let environment = environment
    for round in 0..<200 {
      let writing = Task.detached {
        for value in 0..<20 {
          try environment.commitUpdate { try $0["1"]?.setValue(value, for: "age") }
        }
      }
      for step in 0..<5 {
        try rename("\(round) \(step)")
        #expect(models.names == ["\(round) \(step)"])
      }
      try await writing.value
    }
  }

  @Test("no frame shows different commits of another thread, also after a commit of its own")
  func frames() async throws {
    let models = Models(person, in: environment, count: 20)
    let environment = environment
    let isDone = Locked(false)
    let writing = Task.detached {
      for value in 0..<3_000 {
        try environment.commitUpdate { try $0["1"]?.setValue("\(value)", for: "name") }
      }
      isDone.withLock { $0 = true }
    }
    while !isDone.withLock({ $0 }) {
      await Task.yield()
      #expect(models.names.count == 1)
      try environment.commitUpdate { try $0["2"]?.setValue("other", for: "name") }
      #expect(models.names.count == 1)
    }
    try await writing.value
    try await environment.settle()
    #expect(models.names == ["2999"])
  }

  @Test("a reset on another thread empties the models and ends their loading in one turn")
  func reset() async throws {
    let models = Models(person, in: environment, count: 20)
    let environment = environment
    for _ in 0..<50 {
      try environment.commitPayload(FollowersQuery(id: "1"), data: data("a"))
      begin { models.query.refetch() }
      _ = try await server.next()
      let states = AfterChange(of: models) { (models.names, models.query.isLoading) }
      Task.detached { environment.reset() }
      let (names, isLoading) = try #require(await states.value)
      #expect(names == ["-"] && !isLoading)
      try await environment.settle()
    }
  }

  /// A value that is read one turn after the first model changes.
  @MainActor
  private struct AfterChange<Result: Sendable> {
    private let stream: AsyncStream<Result>

    init(of models: Models, _ read: @escaping @MainActor @Sendable () -> Result) {
      let (stream, continuation) = AsyncStream.makeStream(of: Result.self)
      self.stream = stream
      withObservationTracking {
        _ = models.fragments[0].data
      } onChange: {
        Task { @MainActor in continuation.yield(read()) }
      }
    }

    var value: Result? {
      get async {
        var values = stream.makeAsyncIterator()
        return await values.next()
      }
    }
  }

  @Test("another thread's commit changes all models in one turn")
  func oneTurn() async throws {
    let models = Models(person, in: environment, count: 100)
    let environment = environment
    for round in 0..<100 {
      let names = AfterChange(of: models) { models.names }
      try await Task.detached {
        try environment.commitUpdate { try $0["1"]?.setValue("\(round)", for: "name") }
      }.value
      #expect(await names.value == ["\(round)"])
    }
  }

  @Test("a response changes the data of all models and the loading state in one turn")
  func response() async throws {
    let models = Models(person, in: environment, count: 100)
    // The response's thread is here at a time when the models could already change.
    let observation = environment.readAndObserve(FollowersQuery(id: "1")) { _ in
      for _ in 0..<1000 { _ = ContinuousClock.now }
    }.observation
    for round in 0..<100 {
      let state = AfterChange(of: models) { (models.names, models.query.isLoading) }
      begin { models.query.refetch() }
      #expect(models.query.isLoading)
      try await server.next().resolve(data: data("\(round)"))
      let (names, isLoading) = try #require(await state.value)
      #expect(names == ["\(round)"] && !isLoading)
    }
    withExtendedLifetime(observation) {}
  }

  @Test("a fetch and a mutation are in every model when their await has returned")
  func awaited() async throws {
    let models = Models(person, in: environment, count: 20)
    for round in 0..<50 {
      answer(data("f\(round)"))
      try await environment.fetch(FollowersQuery(id: "1"))
      #expect(models.names == ["f\(round)"])
      answer(["rename": ["ok": true, "person": ["id": "1", "name": .string("m\(round)")]]])
      try await environment.commit(RenameMutation(id: "1", name: "x"))
      #expect(models.names == ["m\(round)"])
    }
  }

  /// Responds to the next request with data.
  private func answer(_ data: JSONValue) {
    Task { [server] in try await server.next().resolve(data: data) }
  }

  @Test("a model is loading when refetch() returns, although the response may be there already")
  func immediateResponse() async throws {
    let environment = RelayEnvironment(
      store: environment.store, transport: ImmediateTransport(data: data("b")))
    let model = QueryModel(FollowersQuery(id: "1"), in: environment, policy: .storeOnly)
    for _ in 0..<300 {
      begin { model.refetch() }
      #expect(model.isLoading)
      try await environment.settle()
      #expect(!model.isLoading && model.data?.person?.name == "b")
    }
  }

  /// A transport that responds to every request without suspending.
  private struct ImmediateTransport: Transport {
    let data: JSONValue

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      GraphQLResponse(json: ["data": data])
    }
  }

  // MARK: Drawing

  @Test(
    "creating or dropping a model while a view is drawn changes no other model before it is drawn")
  func drawing() async throws {
    try environment.commitUpdate { store in
      try store.root.setLinkedRecord(
        try store.create("7", type: "Person"), for: "person", arguments: ["id": "7"])
    }
    let row = FragmentModel(FragmentRef<Follower_person>(id: "7"), in: environment)
    let view = DrawnView { _ = row.isLoading }
    #expect(!row.isLoading)
    var model: QueryModel? = used(QueryModel(FollowersQuery(id: "7"), in: environment))
    view.draw()
    #expect(view.drawCount == 1 && model?.isLoading == true)
    let request = try await server.next()
    try await eventually(true) { environment.store.deliveries.isEmpty }
    view.draw()
    #expect(view.drawCount == 2 && row.isLoading)
    model = nil
    view.draw()
    #expect(view.drawCount == 2)
    try await environment.settle()
    view.draw()
    #expect(view.drawCount == 3 && !row.isLoading)
    withExtendedLifetime(request) {}
  }

  @Test("a model shows the data of the model that it replaces, and marks it as previous")
  func replacing() async throws {
    let first = QueryModel(FollowersQuery(id: "1"), in: environment, policy: .storeOnly)
    #expect(first.data?.person?.name == "a")
    let second = QueryModel(
      FollowersQuery(id: "5"), in: environment, policy: .storeOrNetwork, options: LoadOptions(),
      showing: first)
    #expect(second.data?.person?.name == "a" && second.isPreviousData && second.isLoading)
    #expect(first.query.id == "1" && !first.isPreviousData)
    try await server.next().reject(RelayError(.transport, "lost"))
    try await environment.settle()
    #expect(second.data == nil && !second.isPreviousData && second.error != nil)
  }

  // MARK: Iterators

  @Test("next() of an iterator returns an available value without leaving the main actor")
  func iterator() async throws {
    let turns = Locked<[String]>([])
    var snapshots = environment.observe(person).makeAsyncIterator()
    var states = environment.observe(FollowersQuery(id: "1"), policy: .storeOnly)
      .makeAsyncIterator()
    let later = Task { turns.withLock { $0.append("later") } }
    #expect(await snapshots.next()?.data?.name == "a")
    turns.withLock { $0.append("first") }
    try rename("b")
    #expect(await snapshots.next()?.data?.name == "b")
    #expect(await states.next()?.data?.person?.name == "b")
    turns.withLock { $0.append("second") }
    await later.value
    #expect(turns.withLock { $0 } == ["first", "second", "later"])
  }
}
