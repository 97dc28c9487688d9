import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("Views track each property of a model apart", .timeLimit(.minutes(1)))
struct ModelTrackingTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func person(
    _ name: String, _ followers: [String] = ["2"], next: Bool = true, previous: Bool = true
  ) -> JSONValue {
    let edges = followers.map { id -> JSONValue in
      ["cursor": "c", "node": ["__typename": "Person", "id": .string(id), "name": "n"]]
    }
    return [
      "__typename": "Person", "id": "1", "name": .string(name),
      "followers": [
        "edges": .array(edges),
        "pageInfo": [
          "endCursor": .string("e\(followers)"), "startCursor": .string("s\(followers)"),
          "hasNextPage": .bool(next), "hasPreviousPage": .bool(previous),
        ],
      ],
    ]
  }

  private func data(_ name: String) -> JSONValue { ["person": person(name)] }

  /// A view of each property, by name.
  private typealias Views = [String: DrawnView]

  private func views(of model: QueryModel<FollowersQuery>) -> Views {
    [
      "data": DrawnView { _ = model.data }, "state": DrawnView { _ = model.state },
      "isLoading": DrawnView { _ = model.isLoading }, "error": DrawnView { _ = model.error },
      "query": DrawnView { _ = model.query },
      "isPreviousData": DrawnView { _ = model.isPreviousData },
    ]
  }

  private func views(of model: PaginationModel<Friends_person>) -> Views {
    [
      "data": DrawnView { _ = model.data }, "state": DrawnView { _ = model.state },
      "error": DrawnView { _ = model.error },
      "hasNext": DrawnView { _ = model.hasNext },
      "hasPrevious": DrawnView { _ = model.hasPrevious },
      "isLoadingNext": DrawnView { _ = model.isLoadingNext },
      "isLoadingPrevious": DrawnView { _ = model.isLoadingPrevious },
      "isRefetching": DrawnView { _ = model.isRefetching },
    ]
  }

  /// Draws a frame and returns the names of the views that were drawn.
  private func drawn(_ views: Views) -> [String] {
    views.keys.sorted().filter { name in
      let before = views[name]?.drawCount
      views[name]?.draw()
      return views[name]?.drawCount != before
    }
  }

  // MARK: Queries

  private func loadedQuery() async throws -> QueryModel<FollowersQuery> {
    let model = used(QueryModel(FollowersQuery(id: "1"), in: environment))
    try await server.next().resolve(data: data("a"))
    try await environment.settle()
    return model
  }

  @Test("refetches that bring equal data redraw neither the data nor the error")
  func equalData() async throws {
    let model = try await loadedQuery()
    let views = views(of: model)
    for _ in 0..<5 {
      begin { model.refetch() }
      #expect(drawn(views) == ["isLoading", "state"])
      try await server.next().resolve(data: data("a"))
      try await environment.settle()
      #expect(drawn(views) == ["isLoading", "state"])
    }
    #expect(views["data"]?.drawCount == 1)
  }

  @Test("new data redraws the data alone, and an error the error alone")
  func newData() async throws {
    let model = try await loadedQuery()
    let views = views(of: model)
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("b"))
    #expect(drawn(views) == ["data", "state"] && model.data?.person?.name == "b")
    begin { model.refetch() }
    #expect(drawn(views) == ["isLoading", "state"])
    try await server.next().reject(RelayError(.transport, "lost"))
    try await environment.settle()
    #expect(drawn(views) == ["error", "isLoading", "state"])
    begin { model.refetch() }
    #expect(drawn(views) == ["error", "isLoading", "state"] && model.error == nil)
    try await server.next().resolve(data: data("c"))
    try await environment.settle()
    #expect(drawn(views) == ["data", "isLoading", "state"])
  }

  @Test("another query redraws the query, and the data once it has arrived")
  func anotherQuery() async throws {
    let model = try await loadedQuery()
    let views = views(of: model)
    begin { model.load(FollowersQuery(id: "9")) }
    #expect(drawn(views) == ["isLoading", "isPreviousData", "query", "state"])
    try await server.next().resolve(data: ["person": ["id": "9", "name": "z", "followers": nil]])
    try await environment.settle()
    #expect(drawn(views) == ["data", "isLoading", "isPreviousData", "state"])
    #expect(model.data?.person?.name == "z")
  }

  @Test("what only a response has, its errors and extensions, redraws the state alone")
  func responseOnly() async throws {
    let model = try await loadedQuery()
    let views = views(of: model)
    begin { model.refetch() }
    _ = drawn(views)
    let status = DrawnView { _ = model.isLoading }
    try await server.next().resolve(
      data: data("a"), errors: [["message": "slow", "path": ["other"]]], extensions: ["cost": 1])
    try await environment.settle()
    #expect(drawn(views) == ["isLoading", "state"])
    #expect(model.state.snapshot?.responseErrors.count == 1)
    #expect(model.state.snapshot?.responseExtensions == ["cost": 1])
    status.draw()
    #expect(status.drawCount == 2)
    environment.reset()
    #expect(drawn(views) == ["data", "state"])
  }

  // MARK: Fragments

  @Test("a view of a fragment's isLoading is not redrawn by new data")
  func fragment() throws {
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("a"))
    let model = FragmentModel(FragmentRef<Follower_person>(id: "2"), in: environment)
    let views: Views = [
      "data": DrawnView { _ = model.data }, "snapshot": DrawnView { _ = model.snapshot },
      "isLoading": DrawnView { _ = model.isLoading },
      "reference": DrawnView { _ = model.reference },
    ]
    try environment.commitUpdate { try $0["2"]?.setValue("m", for: "name") }
    #expect(drawn(views) == ["data", "snapshot"] && model.data?.name == "m")
    model.show(FragmentRef(id: "1"))
    #expect(drawn(views) == ["data", "reference", "snapshot"])
  }

  @Test("isLoading of a fragment is redrawn when its data becomes incomplete and is requested")
  func fragmentWithoutData() async throws {
    try environment.commitPayload(FollowersQuery(id: "1"), data: data("a"))
    let model = FragmentModel(FragmentRef<Follower_person>(id: "1"), in: environment)
    let view = DrawnView { _ = model.isLoading }
    environment.reset()
    view.draw()
    #expect(view.drawCount == 1 && !model.isLoading)
    try environment.commitUpdate { store in
      try store.root.setLinkedRecord(
        try store.create("1", type: "Person"), for: "person", arguments: ["id": "1"])
    }
    let loaded = environment.load(FollowersQuery(id: "1"), policy: .networkOnly)
    view.draw()
    #expect(view.drawCount == 2 && model.isLoading)
    try await server.next().resolve(data: data("a"))
    try await environment.settle()
    view.draw()
    #expect(view.drawCount == 3 && !model.isLoading)
    loaded.release()
  }

  // MARK: Lists

  @Test("each property of a list is redrawn by its own changes, at once when a request begins")
  func pages() async throws {
    let person = try #require(try readPerson())
    let model = PaginationModel(person, in: environment)
    let views = views(of: model)
    begin { model.loadNext(1) }
    #expect(drawn(views) == ["isLoadingNext", "state"] && model.isLoadingNext)
    try await server.next().resolve(data: ["node": self.person("a", ["3"], next: false)])
    try await environment.settle()
    #expect(drawn(views) == ["data", "hasNext", "isLoadingNext", "state"])
    begin { model.loadPrevious(1) }
    #expect(drawn(views) == ["isLoadingPrevious", "state"] && model.isLoadingPrevious)
    try await server.next().reject(RelayError(.transport, "lost"))
    try await environment.settle()
    #expect(drawn(views) == ["error", "isLoadingPrevious", "state"])
    begin { model.loadPrevious(1) }
    #expect(drawn(views) == ["error", "isLoadingPrevious", "state"] && model.error == nil)
    try await server.next().resolve(data: ["node": self.person("a", ["0"], previous: false)])
    try await environment.settle()
    #expect(drawn(views) == ["data", "hasPrevious", "isLoadingPrevious", "state"])
    #expect(model.data?.followers?.nodes.map(\.id) == ["0", "2", "3"])
    begin { model.refetch { $0.order = .some(.age) } }
    #expect(drawn(views) == ["isRefetching", "state"] && model.isRefetching)
    try await server.next().resolve(data: ["node": self.person("a", ["9"])])
    while model.isRefetching { try await environment.settle() }
    #expect(drawn(views) == ["data", "hasNext", "hasPrevious", "isRefetching", "state"])
  }

  private func readPerson() throws -> FragmentRef<Friends_person>? {
    try environment.commitPayload(FriendsQuery(id: "1"), data: data("a"))
    return environment.read(FriendsQuery(id: "1")).data?.person?.fragments.friends_person
  }

  // MARK: Mutations

  @Test("a mutation is in flight before its commit first suspends, and not when it has returned")
  func mutation() async throws {
    let model = MutationModel<RenameMutation>(in: environment)
    let views: Views = [
      "isInFlight": DrawnView { _ = model.isInFlight }, "error": DrawnView { _ = model.error },
    ]
    let first = Task {
      _ = try? await model.commit(RenameMutation(id: "1", name: "b"))
      return model.isInFlight
    }
    // The main actor runs this task when the other one suspends for the first time.
    await Task { #expect(model.isInFlight) }.value
    #expect(drawn(views) == ["isInFlight"])
    try await server.next().reject(RelayError(.transport, "lost"))
    #expect(await first.value == false)
    #expect(drawn(views) == ["error", "isInFlight"])
    let both = (0..<2).map { _ in
      Task { try? await model.commit(RenameMutation(id: "1", name: "c")) }
    }
    for _ in both { try await server.next().reject(RelayError(.transport, "gone")) }
    for task in both { _ = await task.value }
    #expect(drawn(views) == ["error", "isInFlight"] && !model.isInFlight)
  }
}
