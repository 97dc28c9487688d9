import RelayStore
import Testing

@Suite("Connections", .timeLimit(.minutes(1)))
struct ConnectionTests {
  private let friends = FriendsList()
  private var test: TestStore { friends.test }
  private let list = FriendsList.id

  private func write(
    _ ids: [String], next: Bool = false, previous: Bool = false, _ variables: JSONObject
  ) throws {
    try friends.write(FriendsList.page(ids, next: next, previous: previous), variables)
  }

  private func nodes(_ variables: JSONObject = [:]) -> [String]? { friends.nodes(variables) }

  private func info(_ field: String) -> JSONValue? { friends.info(field) }

  @Test("a first page is copied to the connection's own record")
  func firstPage() throws {
    try write(["2", "3"], next: true, ["first": 2])
    #expect(nodes() == ["2", "3"])
    #expect(info("hasNextPage") == true)
    #expect(info("endCursor") == "c3")
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
    let record = dump?[list.rawValue]?.object
    #expect(record?["__connection_next_edge_index"] == 2)
    #expect(
      record?["edges"] == ["__refs": [.string("\(list):edges:0"), .string("\(list):edges:1")]])
    #expect(record?["pageInfo"] == ["__ref": .string("\(list):pageInfo")])
    #expect(dump?["client:1:friends(first:2)"] != nil)
  }

  @Test("a page after the end is appended, and one before the start is prepended")
  func pages() throws {
    try write(["4", "5"], next: true, previous: true, ["first": 2])
    try write(["6", "7"], ["first": 2, "after": "c5"])
    #expect(nodes() == ["4", "5", "6", "7"])
    #expect(info("hasNextPage") == false)
    #expect(info("hasPreviousPage") == true)
    #expect(info("endCursor") == "c7")
    try write(["2", "3"], ["last": 2, "before": "c4"])
    #expect(nodes() == ["2", "3", "4", "5", "6", "7"])
    #expect(info("hasPreviousPage") == false)
    #expect(info("startCursor") == "c2")
    #expect(info("endCursor") == "c7")
  }

  @Test("the first of two edges to one node is kept")
  func duplicates() throws {
    try write(["2", "3"], next: true, ["first": 2])
    try write(["3", "4", "4"], ["first": 2, "after": "c3"])
    #expect(nodes() == ["2", "3", "4"])
  }

  @Test("a page that does not continue the list is not merged")
  func discontinuous() throws {
    try write(["2", "3"], next: true, ["first": 2])
    try write(["8", "9"], ["first": 2, "after": "c7"])
    #expect(nodes() == ["2", "3"])
    #expect(info("endCursor") == "c3")
    try write(["8", "9"], ["last": 2, "before": "c1"])
    #expect(nodes() == ["2", "3"])
  }

  @Test("a page that is not merged is logged with the connection's key")
  func logged() throws {
    let events = Locked<[StoreEvent]>([])
    let test = TestStore(
      .init(garbageCollection: .manual, log: { event in events.withLock { $0.append(event) } }))
    let friends = FriendsList(test: test)
    try friends.write(["2"], ["first": 1])
    #expect(!events.withLock { $0.contains(.pageNotMerged(key: "Feed_friends")) })
    try friends.write(["9"], ["first": 1, "after": "c7"])
    #expect(events.withLock { $0.contains(.pageNotMerged(key: "Feed_friends")) })
  }

  @Test("fetching again without a cursor replaces the list")
  func refetch() throws {
    try write(["2", "3"], next: true, ["first": 2])
    try write(["4"], ["first": 2, "after": "c3"])
    try write(["3", "9"], next: true, ["first": 2])
    #expect(nodes() == ["3", "9"])
    #expect(info("hasNextPage") == true)
    #expect(info("endCursor") == "c9")
  }

  @Test("filters distinguish connections; other arguments do not")
  func filters() throws {
    try write(["2"], ["first": 1, "orderBy": "name"])
    try write(["3"], ["first": 1, "orderBy": "age"])
    #expect(nodes(["orderBy": "name"]) == ["2"])
    #expect(nodes(["orderBy": "age"]) == ["3"])
    #expect(nodes() == nil)
  }

  @Test("a connection that is null reads as null")
  func null() throws {
    try friends.write(.null, ["first": 2])
    #expect(friends.connection == nil)
    #expect(test.read(FriendsList.read).missing == [])
    try write(["2"], ["first": 2])
    #expect(nodes() == ["2"])
  }

  @Test("reverting an optimistic page restores the previous records exactly")
  func optimistic() throws {
    try write(["2"], next: true, ["first": 1])
    let before = test.store.dump()
    let variables: JSONObject = ["first": 1, "after": "c2"]
    let reader = ResponseReader(
      plan: test.store.bind(FriendsList.written, variables: variables), root: .root,
      operationName: "TestQuery"
    )
    let body: JSONValue = ["data": FriendsList.data(FriendsList.page(["3"]))]
    let payload = try reader.response(body.jsonBytes).payload
    try test.store.publish([.apply(1, payload: payload, root: .root)])
    #expect(nodes() == ["2", "3"])
    try test.environment.commitUpdate { try $0["2"]?.setValue("changed", for: "name") }
    #expect(nodes() == ["2", "3"])
    test.store.revert(1)
    try test.environment.commitUpdate { try $0["2"]?.setValue("n2", for: "name") }
    #expect(nodes() == ["2"])
    #expect(test.store.dump() == before)
  }

  @Test(
    "records reachable only through a connection's list are kept while its operation is retained")
  func collection() throws {
    try write(["2", "3"], next: true, ["first": 2])
    let first: JSONObject = ["first": 2]
    let plan = test.store.bind(FriendsList.written, variables: first)
    let identity = RequestIdentity(documentHash: FriendsList.written.documentHash, variables: first)
    let retention = test.store.retain(identity, plan, root: .root)
    defer { retention.release() }
    try write(["4"], ["first": 2, "after": "c3"])
    test.store.collectGarbage()
    #expect(nodes() == ["2", "3", "4"])
    #expect(test.read(FriendsList.read).missing == [])
  }

  @Test("a list that was collected while its parent was kept is created again by the next page")
  func collectedList() throws {
    try write(["2", "3"], next: true, ["first": 2])
    let parent = TestSelection("fragment F on User { id }").reader
    let subscription = test.store.subscribe(.record("1", parent, in: VariableScope(operation: [:])))
    #expect(test.store.collectGarbage().collected > 0)
    #expect(nodes() == nil)
    try write(["4"], next: true, ["first": 1])
    #expect(nodes() == ["4"])
    try write(["5"], ["first": 1, "after": "c4"])
    #expect(nodes() == ["4", "5"])
    withExtendedLifetime(subscription) {}
  }

  @Test("updaters insert and remove edges")
  func updater() throws {
    try write(["2", "3"], ["first": 2])
    try test.environment.commitUpdate { store in
      let friends = try #require(try store["1"]?.getConnection("Feed_friends"))
      let four = try store.create("4", type: "User")
      let five = try store.create("5", type: "User")
      try four.setValue("4", for: "id")
      try five.setValue("5", for: "id")
      try friends.insertEdgeAfter(
        try friends.createEdge(to: four, type: "FriendsEdge"), cursor: "c2")
      try friends.insertEdgeBefore(try friends.createEdge(to: five, type: "FriendsEdge"))
      try friends.deleteNode("3")
    }
    #expect(nodes() == ["5", "2", "4"])
    #expect(DataID.connection("Feed_friends", of: "1") == list)
  }
}
