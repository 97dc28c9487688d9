import RelayStore
import RelayStoreTesting
import Testing

@Suite("The testing kit", .timeLimit(.minutes(1)))
struct TestingKitTests {
  private static let schema = """
    interface Node { id: ID! }
    enum Order { NAME AGE }
    scalar Moment
    type Person implements Node {
      id: ID! name: String! age: Int score: Float born: Moment
      followers(first: Int, after: String, last: Int, before: String, by: Order): FollowerConnection
    }
    type FollowerConnection { edges: [FollowerEdge] pageInfo: PageInfo! }
    type FollowerEdge { cursor: String! node: Person }
    type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
    type Query { person(id: ID!): Person node(id: ID!): Node everyone: [Node!]! order: Order }
    """

  private func environment(
    _ values: GeneratedValues, _ resolvers: [String: FieldResolver] = [:]
  ) throws -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)),
      transport: try SchemaServer(
        schema: Self.schema, resolvers: resolvers, generating: values))
  }

  @Test("a server without resolvers responds with deterministic values generated from the schema")
  func generated() async throws {
    let server = try SchemaServer(schema: Self.schema, generating: GeneratedValues(listCount: 1))
    let text = "{ person(id: \"7\") { id name age score born } everyone { __typename id } order }"
    let response = try await server.respond(to: text)
    #expect(
      response["data"] == [
        "person": [
          "id": "7", "name": "<Person.name>", "age": 42, "score": 4.5, "born": "<Moment>",
        ],
        "everyone": [["__typename": "Person", "id": "Person:everyone.0"]], "order": "NAME",
      ])
    #expect(try await server.respond(to: text) == response)
  }

  @Test("generated values are overridden by field, by type and by response path")
  func overrides() async throws {
    let values = GeneratedValues(listCount: 2)
      .overriding("Person.name", with: "Ada")
      .overriding("Moment", with: "today")
      .overriding("Person", with: ["age": 7])
      .overriding(
        Friends_person.FollowerConnection_followers.FollowerEdge_edges.Person_node(
          id: "9", name: "Eve"), at: "person.followers.edges.1.node")
    let environment = try environment(values)
    let data = try await environment.fetch(FriendsQuery(id: "1")).data
    let person = try #require(data?.person)
    let nodes = environment.read(person.fragments.friends_person).data?.followers?.nodes
    #expect(nodes?.map(\.name) == ["Ada", "Eve"])
    #expect(nodes?.last?.id == "9" && nodes?.first?.id == "Person:person.followers.edges.0.node")
    let server = try SchemaServer(schema: Self.schema, generating: values)
    let response = try await server.respond(to: "{ person(id: 1) { age born } }")
    #expect(response["data"] == ["person": ["age": 7, "born": "today"]])
    #expect(throws: SchemaServerFailure.self) {
      try SchemaServer(
        schema: Self.schema, generating: GeneratedValues().overriding("Person.nam", with: "x"))
    }
  }

  @Test("an override of a connection applies to a field with an alias")
  func aliasedConnection() async throws {
    typealias Connection = AliasedFriends_person.FollowerConnection_friends
    typealias Edge = Connection.FollowerEdge_edges
    let edge = Edge(node: Edge.Person_node(id: "9", name: "Eve"))
    let environment = try environment(
      GeneratedValues().overriding(
        AliasedFriends_person(friends: Connection(edges: [edge])), at: "person"))
    let data = try await environment.fetch(AliasedFriendsQuery()).data
    let person = try #require(data?.person?.fragments.aliasedFriends_person)
    let friends = environment.read(person).data?.friends
    #expect(friends?.nodes.map(\.name) == ["Eve"])
  }

  @Test("an override at a path applies only to an object of its type")
  func overrideOfAnotherType() async throws {
    let person = Friends_person.FollowerConnection_followers.FollowerEdge_edges.Person_node(
      id: "9", name: "Eve")
    let server = try SchemaServer(
      schema: """
        type Query { robot: Named person: Named generated: Named }
        interface Named { name: String! }
        type Robot implements Named { id: ID! name: String! }
        type Person implements Named { id: ID! name: String! }
        """,
      resolvers: [
        "Query.robot": { _ in ["__typename": "Robot"] },
        "Query.person": { _ in ["__typename": "Person"] },
      ],
      generating: GeneratedValues().overriding(person, at: "robot")
        .overriding(person, at: "person").overriding(person, at: "generated"))
    let response = try await server.respond(
      to: "{ robot { name } person { name } generated { __typename name } }")
    #expect(
      response["data"] == [
        "robot": ["name": "<Robot.name>"], "person": ["name": "Eve"],
        "generated": ["__typename": "Person", "name": "Eve"],
      ])
  }

  @Test("resolvers take precedence, and fields that they omit are generated")
  func resolvers() async throws {
    let server = try SchemaServer(
      schema: Self.schema,
      resolvers: ["Query.person": { _ in ["name": "Ann", "age": nil] }],
      generating: GeneratedValues())
    let response = try await server.respond(to: "{ person(id: 1) { name age score } }")
    #expect(response["data"] == ["person": ["name": "Ann", "age": nil, "score": 4.5]])
  }

  @Test("a recorder keeps every element from its creation on")
  func recorder() async throws {
    let environment = try environment(GeneratedValues())
    try environment.commitPayload(ScoreQuery(id: "1"), data: ["person": ["id": "1", "age": 1]])
    environment.derive("Person.score") { (person: Score_person) in person.age }
    let recorder = StreamRecorder(environment.snapshots(of: ScoreQuery(id: "1")))
    for age in [2, 3] {
      try await environment.settle()
      try environment.commitUpdate { try $0["1"]?.setValue(age, for: "age") }
    }
    let scores = await recorder.elements(3).map { $0.data?.person?.score }
    #expect(scores == [1, 2, 3] && !recorder.isEnded)
    async let later = recorder.first { $0.data?.person?.score == 5 }
    try environment.commitUpdate { try $0["1"]?.setValue(5, for: "age") }
    #expect(await later != nil)
    recorder.cancel()
    try await eventually(true) { recorder.isEnded }
    #expect(environment.liveResources.isEmpty)
  }

  @Test("a recorder can be awaited on the main actor") @MainActor
  func recorderOnMainActor() async throws {
    let environment = try environment(GeneratedValues())
    let recorder = StreamRecorder(environment.snapshots(of: ScoreQuery(id: "1")))
    #expect(await recorder.first { !$0.missing.isEmpty } != nil)
  }

  @Test("settle() names the operations held at a gate, and live resources are counted")
  func settling() async throws {
    let gate = Gate()
    let environment = RelayEnvironment(
      transport: try SchemaServer(
        schema: Self.schema, generating: GeneratedValues(),
        beforeExecuting: { _ in try await gate.wait() }))
    let loaded = environment.load(FriendsQuery(id: "1"))
    try await gate.arrivals(1)
    #expect(
      "\(environment.liveResources)"
        == "operations in flight: query FriendsQuery {\"id\":\"1\"}; observers: FriendsQuery; "
        + "retained operations: FriendsQuery {\"id\":\"1\"}")
    let unsettled = await #expect(throws: UnsettledError.self) {
      try await environment.settle()
    }
    #expect(unsettled?.operations.map(\.name) == ["FriendsQuery"] && unsettled?.isHeld == true)
    gate.open()
    try await environment.settle()
    #expect(loaded.state.data != nil && !loaded.state.isLoading)
    loaded.release()
    #expect(environment.liveResources.isEmpty && "\(environment.liveResources)" == "nothing")
  }

  @Test("live resources name observers by fragment and updates by mutation, with their counts")
  func resources() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let rename = Task {
      try await environment.commit(
        RenameMutation(id: "1", name: "Bea"),
        optimisticUpdater: { try $0.create("1", type: "Person").setValue("Bea", for: "name") })
    }
    let request = try await server.next(RenameMutation.self)
    let draft = try environment.applyUpdate { try $0["1"]?.setValue("B", for: "name") }
    let person = FragmentRef<Friends_person>(id: "1")
    let observers = (0..<3).map { _ in environment.observe(person) { _ in } }
    let list = environment.paginate(person)
    let score = environment.readAndObserve(ScoreQuery(id: "1")) { _ in }.observation
    let live = environment.liveResources
    let shown = #"Rename {"id":"1","name":"Bea"}"#
    let parts = [
      "operations in flight: mutation \(shown)", "observers: 5 × Friends_person, ScoreQuery",
      "optimistic updates: \(shown), applyUpdate",
    ]
    #expect("\(live)" == parts.joined(separator: "; "))
    #expect(live.operations == 1 && live.observers == 6 && live.optimisticUpdates == 2)
    #expect(live.retainedOperations == environment.store.statistics.retainedOperations)
    #expect(live.observers == environment.store.statistics.observers)
    let error = await #expect(throws: UnsettledError.self) { try await environment.settle() }
    #expect(error?.liveResources == live)
    request.resolve(data: ["rename": nil])
    _ = try? await rename.value
    draft.revert()
    score.cancel()
    withExtendedLifetime((observers, list)) {}
  }

  @Test("a mock transport's next requests are those that wait, in order or by operation")
  func nextRequests() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let names = ["1", "2", "3"]
    let loads = names.map { environment.load(FollowersQuery(id: $0)) }
    let score = Task { try await environment.fetch(ScoreQuery(id: "4")) }
    // The operation's own request, regardless of earlier ones.
    let wanted = try await server.next(ScoreQuery.self)
    #expect(wanted.request.variables == ["id": "4"])
    try await eventually(4) { server.pending.count }
    let cancelled = Task { try await environment.fetch(ScoreQuery(id: "5")) }
    try await eventually(5) { server.pending.count }
    cancelled.cancel()
    _ = try? await cancelled.value
    // Resolved without `next()`.
    let first = try #require(server.pending.first)
    first.resolve(data: ["person": nil])
    var left = Set(names).subtracting([first.request.variables["id"]?.string ?? ""])
    for _ in 0..<2 {
      let next = try await server.next()
      #expect(next.request.operationName == "FollowersQuery")
      #expect(left.remove(next.request.variables["id"]?.string ?? "") != nil)
      next.resolve(data: ["person": nil])
    }
    wanted.resolve(data: ["person": nil])
    _ = try await score.value
    let last = Task { try await environment.fetch(ScoreQuery(id: "6")) }
    let next = try await server.next(named: "ScoreQuery")
    #expect(next.request.variables == ["id": "6"])
    next.resolve(data: ["person": nil])
    _ = try await last.value
    #expect(server.requests.count == 6)
    withExtendedLifetime(loads) {}
  }

  @Test("a list is paginated over generated values")
  func paging() async throws {
    let environment = try environment(
      GeneratedValues().overriding("PageInfo.hasNextPage", with: true))
    let person = try #require(try await environment.fetch(FriendsQuery(id: "1")).data?.person)
    let list = environment.paginate(person.fragments.friends_person)
    #expect(list.hasNext && list.data?.followers?.nodes.count == 2)
    // The refetch query's root field is `node`, so the generated ids differ from the first page's.
    try await environment.settle()
    try await list.loadNext(2)
    #expect(list.data?.followers?.nodes.count == 4)
  }
}
