import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("Requests of models", .timeLimit(.minutes(1)))
struct ModelRequestTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
      transport: server)
  }

  private func data(_ id: String, _ name: String) -> JSONValue {
    ["person": ["id": .string(id), "name": .string(name), "followers": nil]]
  }

  private func model(_ id: String, _ policy: FetchPolicy = .storeOrNetwork)
    -> QueryModel<FollowersQuery>
  {
    QueryModel(FollowersQuery(id: id), in: environment, policy: policy)
  }

  private func rename(_ id: DataID, _ name: String) throws {
    try environment.commitUpdate { try $0[id]?.setValue(name, for: "name") }
  }

  // MARK: The first use

  @Test("models that are created and dropped send nothing and retain nothing")
  func unused() async throws {
    for _ in 0..<5 { _ = model("1") }
    let kept = model("1")
    #expect(kept.query.id == "1" && environment.store.statistics.isEmpty)
    try await environment.settle()
    #expect(server.requests.isEmpty && environment.store.statistics.isEmpty)
  }

  @Test(
    "a model loads its query when its data, state or error is first read, and is loading before",
    arguments: ["data", "state", "error", "isPreviousData"])
  func firstRead(_ property: String) async throws {
    let model = model("1")
    let view = DrawnView {
      switch property {
      case "data": _ = model.data
      case "state": _ = model.state
      case "error": _ = model.error
      default: _ = model.isPreviousData
      }
    }
    #expect(environment.store.statistics.retainedOperations == 1 && model.isLoading)
    try await server.next().resolve(data: data("1", "a"))
    try await environment.settle()
    view.draw()
    #expect(view.drawCount == (["data", "state"].contains(property) ? 2 : 1))
    #expect(model.data?.person?.name == "a" && !model.isLoading)
  }

  @Test("a model of which isLoading alone is read loads its query soon after")
  func loadingRead() async throws {
    let model = model("1")
    let view = DrawnView { _ = model.isLoading }
    #expect(model.isLoading && environment.store.statistics.isEmpty)
    try await server.next().resolve(data: data("1", "a"))
    try await environment.settle()
    view.draw()
    #expect(view.drawCount == 2 && !model.isLoading)
    #expect(!self.model("1", .storeOnly).isLoading)
  }

  @Test("data from the store is there at the first read; a view of isLoading is drawn again later")
  func available() async throws {
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("1", "a"))
    let model = model("1")
    var shown: [String] = []
    let view = DrawnView { shown.append("\(model.isLoading) \(model.data?.person?.name ?? "-")") }
    view.draw()
    #expect(shown == ["true a"])
    try await environment.settle()
    view.draw()
    #expect(shown == ["true a", "false a"] && server.requests.isEmpty)
  }

  @Test("the first read of the data, while a view is drawn, notifies no other view before it ends")
  func readWhileDrawing() async throws {
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("1", "a"))
    let model = model("1")
    let progress = DrawnView { _ = model.isLoading }
    let list = DrawnView { _ = model.data }
    progress.draw()
    #expect(progress.drawCount == 1)
    try await environment.settle()
    progress.draw()
    list.draw()
    #expect(progress.drawCount == 2 && list.drawCount == 1)
  }

  // MARK: Previous data

  @Test("the previous data follows commits and keeps its records until the next query has data")
  func previous() async throws {
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("1", "a"))
    let model = model("1")
    let view = DrawnView { _ = model.data }
    begin { model.load(FollowersQuery(id: "2")) }
    #expect(model.isPreviousData && model.data?.person?.name == "a")
    try rename("1", "b")
    view.draw()
    #expect(view.drawCount == 2 && model.data?.person?.name == "b" && model.isPreviousData)
    environment.store.collectGarbage()
    #expect(environment.read(FragmentRef<Follower_person>(id: "1")).data?.name == "b")
    try await server.next().resolve(data: data("2", "c"))
    try await environment.settle()
    #expect(!model.isPreviousData && model.data?.person?.name == "c")
    environment.store.collectGarbage()
    #expect(environment.read(FragmentRef<Follower_person>(id: "1")).data == nil)
  }

  @Test("loading another query cancels the request of the previous one, and keeps its data")
  func superseded() async throws {
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("1", "a"))
    let model = model("1", .storeAndNetwork)
    #expect(model.data?.person?.name == "a")
    let first = try await server.next()
    begin { model.load(FollowersQuery(id: "2")) }
    let second = try await server.next()
    begin { model.load(FollowersQuery(id: "3")) }
    let third = try await server.next()
    #expect(model.isPreviousData && model.data?.person?.name == "a")
    try await eventually(1) { server.pending.count }
    first.resolve(data: data("1", "late"))
    second.resolve(data: data("2", "late"))
    third.resolve(data: data("3", "c"))
    try await environment.settle()
    #expect(model.query.id == "3" && model.data?.person?.name == "c" && !model.isLoading)
    #expect(environment.read(FragmentRef<Follower_person>(id: "2")).data == nil)
  }

  @Test("a model that replaces another one shows its data as long as it needs it")
  func replacing() async throws {
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("1", "a"))
    var first: QueryModel? = used(model("1"))
    let second = QueryModel(
      FollowersQuery(id: "2"), in: environment, policy: .storeOrNetwork, options: LoadOptions(),
      showing: first)
    #expect(second.data?.person?.name == "a" && second.isPreviousData)
    first = nil
    environment.store.collectGarbage()
    try rename("1", "b")
    #expect(first == nil && second.data?.person?.name == "b")
    try await server.next().resolve(data: data("2", "c"))
    try await environment.settle()
    #expect(second.data?.person?.name == "c")
    #expect(environment.store.statistics.retainedOperations == 1)
  }

  // MARK: Waiting

  @Test("refetch() and load(_:) return with the response in the model, or throw its error")
  func waiting() async throws {
    let model = model("1")
    async let loading: Void = model.refetch()
    try await server.next().resolve(data: data("1", "a"))
    try await loading
    #expect(model.data?.person?.name == "a" && !model.isLoading)
    let failing = Task { try await model.load(FollowersQuery(id: "2")) }
    try await server.next().reject(RelayError(.transport, "lost"))
    let error = await #expect(throws: RelayError.self) { try await failing.value }
    #expect(error?.message == "lost" && model.error?.message == "lost" && model.query.id == "2")
    try await model.load(FollowersQuery(id: "1"))
    #expect(model.data?.person?.name == "a" && server.requests.count == 2)
  }

  @Test("cancelling the task that waits for a refetch does not end the request")
  func cancelledWait() async throws {
    let model = model("1")
    let waiting = Task { try await model.refetch() }
    let request = try await server.next()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(model.isLoading && model.error == nil)
    request.resolve(data: data("1", "a"))
    try await environment.settle()
    #expect(model.data?.person?.name == "a")
  }

  @Test("a fragment model is loading during its own refetch, and has its error")
  func fragment() async throws {
    try environment.commitPayload(
      FriendsQuery(id: "1"), data: ["person": ["id": "1", "followers": page("2")]])
    let person = try #require(environment.read(FriendsQuery(id: "1")).data?.person)
    var model: FragmentModel? = FragmentModel(person.fragments.friends_person, in: environment)
    let view = DrawnView { [weak model] in _ = model?.isLoading }
    let errors = DrawnView { [weak model] in _ = model?.error }
    begin { model?.refetch() }
    #expect(model?.isLoading == true)
    try await server.next().reject(RelayError(.transport, "lost"))
    try await eventually(false) { model?.isLoading }
    view.draw()
    errors.draw()
    #expect(view.drawCount == 2 && errors.drawCount == 2 && model?.error?.message == "lost")
    let waiting = Task { [model] in try await model?.refetch() }
    let request = try await server.next()
    #expect(model?.isLoading == true && model?.error == nil)
    request.resolve(data: ["node": ["__typename": "Person", "id": "1", "followers": page("3")]])
    try await waiting.value
    #expect(model?.data?.followers?.nodes.map(\.id) == ["3"] && model?.isLoading == false)
    begin { model?.refetch() }
    _ = try await server.next()
    model = nil
    try await eventually(0) { server.pending.count }
  }

  private func page(_ id: String) -> JSONValue {
    [
      "edges": [
        ["cursor": "c", "node": ["__typename": "Person", "id": .string(id), "name": "n"]]
      ],
      "pageInfo": [
        "endCursor": "c", "startCursor": "c", "hasNextPage": true, "hasPreviousPage": true,
      ],
    ]
  }

  @Test("loadNext, loadPrevious and refetch of a list return with the response in the model")
  func list() async throws {
    try environment.commitPayload(
      FriendsQuery(id: "1"), data: ["person": ["id": "1", "followers": page("2")]])
    let person = try #require(environment.read(FriendsQuery(id: "1")).data?.person)
    let model = PaginationModel(person.fragments.friends_person, in: environment)
    func node(_ id: String) -> JSONValue {
      ["node": ["__typename": "Person", "id": "1", "followers": page(id)]]
    }
    let next = Task { try await model.loadNext(1) }
    try await server.next().resolve(data: node("3"))
    try await next.value
    let previous = Task { try await model.loadPrevious(1) }
    try await server.next().resolve(data: node("1"))
    try await previous.value
    #expect(model.data?.followers?.nodes.map(\.id) == ["1", "2", "3"])
    let failing = Task { try await model.loadNext(1) }
    try await server.next().reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await failing.value }
    #expect(model.error?.message == "lost")
    let refetch = Task { try await model.refetch { $0.order = .some(.age) } }
    try await server.next().resolve(data: node("9"))
    try await refetch.value
    #expect(model.data?.followers?.nodes.map(\.id) == ["9"] && model.error == nil)
  }
}
