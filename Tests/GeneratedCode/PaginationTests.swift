import RelayStore
import RelayStoreTesting
import Testing

@Suite("Connections at run time", .timeLimit(.minutes(1)))
struct PaginationTests {
  private func page(_ ids: [String], next: Bool) -> JSONValue {
    [
      "edges": .array(
        ids.map {
          [
            "cursor": .string("c" + $0),
            "node": ["__typename": "Person", "id": .string($0), "name": .string("n" + $0)],
          ]
        }),
      "pageInfo": ["endCursor": .string("c" + (ids.last ?? "")), "hasNextPage": .bool(next)],
    ]
  }

  /// An environment with the first page, and the reference to the fragment that reads it.
  private func first() throws -> (RelayEnvironment, FragmentRef<Followers_person>) {
    let query = FollowersQuery(id: "1")
    let environment = RelayEnvironment(transport: NoTransport())
    try environment.commitPayload(
      query,
      data: ["person": ["id": "1", "name": "Ann", "followers": page(["2", "3"], next: true)]])
    let person = try #require(environment.read(query).data?.person)
    return (environment, person.fragments.followers_person)
  }

  private func ids(
    _ environment: RelayEnvironment, _ person: FragmentRef<Followers_person>
  ) -> [String?] {
    environment.read(person).data?.followers?.edges?.map { $0?.node?.id } ?? []
  }

  @Test("a page of the refetch query is appended to the fragment's connection")
  func next() throws {
    let (environment, person) = try first()
    #expect(ids(environment, person) == ["2", "3"])
    let query = Followers_person.RefetchQuery(count: 2, cursor: "c3", id: "1")
    try environment.commitPayload(
      query,
      data: ["node": ["__typename": "Person", "id": "1", "followers": page(["4"], next: false)]])
    #expect(ids(environment, person) == ["2", "3", "4"])
    let last = environment.read(person).data?.followers?.edges?.last??.node
    let name = last.map { environment.read($0.fragments.follower_person).data?.name }
    #expect(name == "n4")
    #expect(environment.read(query).data?.node?.asPerson?.fragments.followers_person.id == "1")
  }

  @Test("one page fills two connections, and one mutation appends to both")
  func twoLists() throws {
    let query = TwoListsQuery(id: "1")
    let environment = RelayEnvironment(transport: NoTransport())
    try environment.commitPayload(
      query, data: ["person": ["id": "1", "followers": page(["2", "3"], next: false)]])
    let person = try #require(environment.read(query).data?.person).fragments
    func names() -> [[String]] {
      [
        environment.read(person.recent_person).data?.followers?.nodes.map(\.name) ?? [],
        environment.read(person.known_person).data?.followers?.nodes.map(\.name) ?? [],
      ]
    }
    #expect(names() == [["n2", "n3"], ["n2", "n3"]])
    let recent = DataID.connection("Recent_followers", of: "1")
    let known = DataID.connection("Known_followers", of: "1")
    try environment.commitPayload(
      FollowInTwoMutation(recent: [recent.rawValue], known: [known.rawValue]),
      data: ["follow": ["edge": ["cursor": "c4", "node": ["id": "4", "name": "n4"]]]])
    #expect(names() == [["n2", "n3", "n4"], ["n2", "n3", "n4"]])
  }

  @Test("a check covers every page of a connection")
  func check() throws {
    let (environment, _) = try first()
    let query = FollowersQuery(id: "1")
    try environment.commitPayload(
      Followers_person.RefetchQuery(count: 2, cursor: "c3", id: "1"),
      data: ["node": ["__typename": "Person", "id": "1", "followers": page(["4"], next: false)]])
    #expect(!environment.check(query).isMissing)
    try environment.commitUpdate { try $0["4"]?.removeValue("name") }
    #expect(environment.check(query).isMissing)
  }

  @Test("a later page that is null makes the connection null if it has no page yet")
  func nullWithoutList() throws {
    let environment = RelayEnvironment(transport: NoTransport())
    let person = FragmentRef<Followers_person>(id: "1")
    #expect(environment.read(person).isMissingData)
    try environment.commitPayload(
      Followers_person.RefetchQuery(count: 2, cursor: "c3", id: "1"),
      data: ["node": ["__typename": "Person", "id": "1", "followers": nil]])
    let snapshot = environment.read(person)
    #expect(snapshot.data != nil && snapshot.data?.followers == nil && !snapshot.isMissingData)
  }

  @Test("a fragment's metadata has the path of its connection and its refetch query")
  func metadata() {
    #expect(
      Followers_person.__connections
        == [ConnectionInfo(["followers"], first: "count", after: "cursor")])
    #expect(Followers_person.__refetch == RefetchInfo(field: "node", id: "id"))
    #expect(!FollowMutation.__operation.text.contains("connections"))
  }

  @Test("mutations change the connections whose ids they are passed")
  func mutations() async throws {
    let (environment, person) = try first()
    let list = try #require(environment.read(person).data?.followers?.__id)
    #expect(DataID(list) == .connection("Followers_followers", of: "1", filters: ["by": "NAME"]))
    let optimistic = FollowMutation.RawResponse(
      follow: .init(edge: .init(node: .init(id: "9", name: "Nine"))))
    // The transport fails the request, so the optimistic edge is reverted.
    await #expect(throws: RelayError.self) {
      try await environment.commit(
        FollowMutation(connections: [list]), optimisticResponse: optimistic)
    }
    #expect(ids(environment, person) == ["2", "3"])
    let server = Answers(
      json: ["data": ["follow": ["edge": ["node": ["id": "9", "name": "Nine"]]]]])
    let second = RelayEnvironment(store: environment.store, transport: server)
    try await second.commit(FollowMutation(connections: [list]))
    #expect(ids(second, person) == ["9", "2", "3"])
    let removal = Answers(json: ["data": ["unfollow": ["person": "2", "gone": ["3"]]]])
    let third = RelayEnvironment(store: environment.store, transport: removal)
    try await third.commit(UnfollowMutation(connections: [list]))
    #expect(ids(third, person) == ["9", nil])
  }

  @Test("connection ids are not sent, because the query text does not declare them")
  func notSent() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let task = Task { try await environment.commit(FollowMutation(connections: ["list"])) }
    let request = try await server.next()
    #expect(request.request.variables.isEmpty)
    #expect(!String(decoding: request.request.httpBody, as: UTF8.self).contains("connections"))
    request.resolve(data: ["follow": nil])
    _ = try await task.value
  }

  @Test("a refetch sends the variables that it changes, and those that the fragment was read with")
  func changedVariables() async throws {
    let (filled, person) = try first()
    let server = MockTransport()
    let environment = RelayEnvironment(store: filled.store, transport: server)
    func variables(
      _ change: @escaping @Sendable (inout RefetchVariables<FollowersPaginationQuery>) -> Void = {
        _ in
      }
    ) async throws -> JSONObject {
      async let reference = environment.refetch(person, changing: change)
      let request = try await server.next()
      request.resolve(data: ["node": nil])
      _ = try await reference
      return request.request.variables
    }
    let unchanged = try await variables()
    let changed = try await variables {
      $0.count = 1
      $0.count = 7
    }
    #expect(unchanged["id"] == "1" && changed["id"] == "1" && changed["count"] == 7)
    var expected = unchanged
    expected["count"] = 7
    #expect(changed == expected)
    #expect(try await variables { $0.count = .null }["count"] == .null)
    #expect(try await variables { $0.count = .none }["count"] == nil)
  }

  @Test("objects are identified by the key fields of the configuration")
  func keys() throws {
    let environment = RelayEnvironment(transport: NoTransport())
    try environment.commitPayload(
      CountriesQuery(),
      data: [
        "countries": [["code": "NL", "name": "Holland"]],
        "place": ["__typename": "Country", "code": "NL", "name": "Netherlands"],
      ])
    let data = try #require(environment.read(CountriesQuery()).data)
    #expect(data.countries?.map(\.name) == ["Netherlands"])
    #expect(environment.store.dump().contains(#""Country:NL":{"#))
  }

  @Test("a deferred fragment has missing data until its payload is committed")
  func deferral() throws {
    let query = DeferredQuery(id: "1")
    #expect(
      DeferredQuery.__operation.text.contains(#"@defer(label:"DeferredQuery$defer$late",if:$late)"#)
    )
    let environment = RelayEnvironment(transport: NoTransport())
    try environment.commitPayload(query, data: ["person": ["id": "1", "name": "Ann"]])
    let person = try #require(environment.read(query).data?.person)
    #expect(environment.read(query).missing.isEmpty)
    let late = environment.read(person.fragments.late_person)
    #expect(late.data?.age == nil && !late.missing.isEmpty)
    try environment.commitPayload(
      query,
      data: [
        "person": [
          "id": "1", "name": "Ann", "age": 4,
          "pets": [["__typename": "Dog", "id": "7", "__isNamed": "Dog", "called": "Rex"]],
        ]
      ])
    let whole = environment.read(person.fragments.late_person)
    #expect(whole.data?.age == 4 && whole.missing.isEmpty)
    let pet = try #require(whole.data?.pets?.first)
    #expect(environment.read(pet.fragments.late_animal).data?.asNamed?.called == "Rex")
  }
}

/// A transport that responds to every request with `json`.
private struct Answers: Transport {
  let json: JSONValue

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    GraphQLResponse(json: json)
  }
}
