import RelayStore
import RelayStoreTesting
import Testing

/// The requests that owners of data send when other responses leave fields missing.
@MainActor
@Suite("Requests for missing data", .timeLimit(.minutes(1)))
struct MissingRequestTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func person(_ id: String, isNamed: Bool = true) -> JSONValue {
    isNamed ? ["id": .string(id), "name": .string("n" + id)] : ["id": .string(id)]
  }

  private func account(_ friends: JSONValue...) -> JSONValue {
    ["account": ["id": "a", "friends": .array(friends)]]
  }

  /// Returns a model whose first response had one friend.
  private func model(
    _ policy: FetchPolicy = .storeOrNetwork
  ) async throws -> QueryModel<FriendNamesQuery> {
    let model = QueryModel(FriendNamesQuery(), in: environment, policy: policy)
    if policy == .storeOnly {
      try environment.commitPayload(FriendNamesQuery(), data: account(person("1")))
    }
    _ = model.data
    if policy != .storeOnly {
      try await server.next().resolve(data: account(person("1")))
      try await environment.settle()
    }
    #expect(names(model) == ["n1"] && !model.isLoading)
    return model
  }

  private func names(_ model: QueryModel<FriendNamesQuery>) -> [String]? {
    model.data?.account?.friends.map(\.name)
  }

  /// Commits another screen's response, whose friends have no names.
  private func leaveOut(_ ids: String...) throws {
    let friends = ids.map { person($0, isNamed: false) }
    try environment.commitPayload(
      FriendIDsQuery(), data: ["account": ["id": "a", "friends": .array(friends)]])
  }

  // MARK: Queries

  @Test("a query shows its rows and fetches once what another response has left out")
  func query() async throws {
    let model = try await model()
    try leaveOut("2", "1")
    #expect(names(model) == ["n1"] && model.error == nil && model.isLoading)
    #expect(model.state.snapshot?.missing.map(\.description) == ["account.friends[0].name"])
    let request = try await server.next()
    #expect(request.request.operationName == "FriendNamesQuery")
    // More missing names while the request is in flight cause no other request.
    try leaveOut("2", "1", "3")
    request.resolve(data: account(person("2"), person("1"), person("3")))
    try await environment.settle()
    #expect(names(model) == ["n2", "n1", "n3"] && !model.isLoading)
    #expect(server.pending.isEmpty)
  }

  @Test("what a response does not bring is not fetched again until it was complete once")
  func once() async throws {
    let model = try await model()
    try leaveOut("1", "2")
    try await server.next().resolve(data: account(person("1"), person("2", isNamed: false)))
    try await environment.settle()
    #expect(names(model) == ["n1"] && !model.isLoading && server.pending.isEmpty)
    // The same record at another position is the same hole.
    try leaveOut("2", "1")
    #expect(!model.isLoading)
    try leaveOut("2", "1", "3")
    try await server.next().reject(RelayError(.transport, "down"))
    try await environment.settle()
    #expect(names(model) == ["n1"] && model.error?.code == .transport && server.pending.isEmpty)
    try environment.commitUpdate { store in
      for id in ["2", "3"] { try store[DataID(id)]?.setValue("x", for: "name") }
    }
    #expect(names(model) == ["x", "n1", "x"] && !model.isLoading)
    try environment.commitUpdate { try $0["3"]?.removeValue("name") }
    #expect(names(model) == ["x", "n1", "x"] && model.isLoading && model.state.isStale)
    try await server.next().resolve(data: account(person("3")))
    try await environment.settle()
    #expect(names(model) == ["n3"] && !model.state.isStale)
  }

  @Test("no request is sent under storeOnly, for an optimistic update's hole, or after a reset")
  func none() async throws {
    let offline = try await model(.storeOnly)
    try leaveOut("1", "2")
    #expect(names(offline) == ["n1"] && !offline.isLoading && offline.error == nil)
    environment.reset()
    let model = try await model()
    let update = try environment.applyUpdate { store in
      let new = try store.create("9", type: "Person")
      try new.setValue("9", for: "id")
      let friends = try store["a"]?.getLinkedRecords("friends") ?? []
      try store["a"]?.setLinkedRecords([new] + friends, for: "friends")
    }
    #expect(names(model) == ["n1"] && !model.isLoading)
    #expect(model.state.snapshot?.missing.map(\.description) == ["account.friends[0].name"])
    update.revert()
    environment.reset()
    #expect(!model.isLoading && model.data == nil)
    try await environment.settle()
    #expect(server.pending.isEmpty)
  }

  @Test("a request after a reset that fails is not sent again for what it should have brought")
  func afterReset() async throws {
    let model = try await model()
    environment.reset()
    let refetch: () -> Void = model.refetch
    refetch()
    try await server.next().reject(RelayError(.transport, "down"))
    try await environment.settle()
    #expect(model.error?.code == .transport && !model.isLoading && server.pending.isEmpty)
  }

  @Test("read and fetch leave out what is missing, and send nothing for it")
  func withoutHistory() async throws {
    try environment.commitPayload(FriendNamesQuery(), data: account(person("1")))
    try leaveOut("1", "2")
    let read = environment.read(FriendNamesQuery())
    #expect(read.data?.account?.friends.map(\.name) == ["n1"])
    #expect(read.missing.map(\.description) == ["account.friends[1].name"])
    async let fetched = environment.fetch(FriendNamesQuery())
    try await server.next().resolve(data: account(person("1"), person("2", isNamed: false)))
    #expect(try await fetched.data?.account?.friends.map(\.name) == ["n1"])
    #expect(server.pending.isEmpty)
  }

  // MARK: Lists and fragments

  private func page(_ ids: String...) -> JSONValue {
    [
      "edges": .array(
        ids.map { id in
          [
            "cursor": .string("c" + id),
            "node": ["__typename": "Person", "id": .string(id), "name": .string("n" + id)],
          ]
        }),
      "pageInfo": [
        "endCursor": .string("c" + (ids.last ?? "")), "hasNextPage": true, "hasPreviousPage": false,
        "startCursor": .string("c" + (ids.first ?? "")),
      ],
    ]
  }

  @Test("a list that is paged keeps its rows, and fetches as many edges as it has")
  func paged() async throws {
    let query = FriendsQuery(id: "1")
    try environment.commitPayload(
      query, data: ["person": ["id": "1", "followers": page("2", "3", "4")]])
    let person = try #require(environment.read(query).data?.person)
    let list = PaginationModel(person.fragments.friends_person, in: environment)
    func names() -> [String]? { list.data?.followers?.nodes.map(\.name) }
    #expect(names() == ["n2", "n3", "n4"])
    let connection = try #require(environment.connections("Friends_followers", of: "1").first)
    try environment.commitUpdate { store in
      let new = try store.create("5", type: "Person")
      try new.setValue("5", for: "id")
      let edges = try store[connection]?.getLinkedRecords("edges")
      try edges?[1]?.setLinkedRecord(new, for: "node")
    }
    #expect(names() == ["n2", "n3", "n4"] && list.error == nil && list.isRefetching)
    #expect(list.state.snapshot.missing.map(\.description) == ["followers.edges[1].node.name"])
    #expect(list.state.snapshot.isStale)
    let request = try await server.next()
    #expect(request.request.operationName == "FriendsPaginationQuery")
    #expect(request.request.variables["count"] == 3)
    request.resolve(
      data: ["node": ["__typename": "Person", "id": "1", "followers": page("2", "5", "4")]])
    try await environment.settle()
    #expect(names() == ["n2", "n5", "n4"] && !list.isRefetching && server.pending.isEmpty)
  }

  @Test("a list that has lost its connection is fetched with the page size that it was read with")
  func lostConnection() async throws {
    let query = AllFriendsQuery(id: "1")
    try environment.commitPayload(
      query, data: ["person": ["id": "1", "followers": page("2", "3")]])
    let person = try #require(environment.read(query).data?.person)
    let list = PaginationModel(person.fragments.allFriends_person, in: environment)
    func names() -> [String]? { list.data?.followers?.nodes.map(\.name) }
    #expect(names() == ["n2", "n3"])
    try environment.commitUpdate { try $0.delete("1") }
    try environment.commitUpdate { try $0.create("1", type: "Person").setValue("1", for: "id") }
    #expect(list.isRefetching)
    let request = try await server.next()
    #expect(request.request.operationName == "AllFriendsPaginationQuery")
    #expect(request.request.variables["count"] ?? nil == nil)
    request.resolve(
      data: ["node": ["__typename": "Person", "id": "1", "followers": page("2", "3", "4")]])
    try await environment.settle()
    #expect(names() == ["n2", "n3", "n4"] && server.pending.isEmpty)
  }

  private func crowd(_ node: JSONValue) -> JSONValue {
    ["id": "1", "friends": ["edges": [["node": node]]]]
  }

  @Test("a refetchable fragment keeps its rows, and fetches itself while its query is retained")
  func fragment() async throws {
    let query = CrowdQuery()
    try environment.commitPayload(query, data: ["person": crowd(person("2"))])
    let reference = try #require(environment.read(query).data?.person?.fragments.crowd_person)
    let model = FragmentModel(reference, in: environment)
    func names() -> [String?]? { model.data?.friends?.edges?.map { $0?.node?.name } }
    func leaveOut(_ id: String) throws {
      try environment.commitUpdate { store in
        let new = try store.create(DataID(id), type: "Person")
        try new.setValue(id, for: "id")
        let friends = try store["1"]?.getLinkedRecord("friends", arguments: ["first": 2])
        let edges = try friends?.getLinkedRecords("edges")
        try edges?[0]?.setLinkedRecord(new, for: "node")
      }
    }
    try leaveOut("3")
    #expect(names() == ["n2"] && !model.isLoading && model.snapshot.isStale)
    try environment.commitUpdate { try $0["3"]?.setValue("n3", for: "name") }
    #expect(names() == ["n3"] && !model.snapshot.isStale)
    let retention = environment.retain(query)
    try leaveOut("4")
    #expect(names() == ["n3"] && model.isLoading)
    let request = try await server.next()
    #expect(request.request.operationName == "CrowdRefetchQuery")
    request.resolve(
      data: [
        "node": ["__typename": "Person", "id": "1", "friends": ["edges": [["node": person("4")]]]]
      ]
    )
    try await environment.settle()
    #expect(names() == ["n4"] && !model.isLoading && server.pending.isEmpty)
    retention.release()
  }
}
