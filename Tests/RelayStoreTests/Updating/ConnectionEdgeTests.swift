import Testing

@testable import RelayStore

@Suite("Edges of connections")
struct ConnectionEdgeTests {
  private let list = FriendsList()

  @Test("a first page that comes again writes nothing")
  func polled() throws {
    try list.write(["2", "3"], ["first": 2])
    let (before, revision) = (list.test.store.dump(), list.test.read(FriendsList.read).revision)
    for _ in 0..<5 { try list.write(["2", "3"], ["first": 2]) }
    #expect(list.test.store.dump() == before)
    #expect(list.test.read(FriendsList.read).revision == revision)
  }

  @Test("a first page of other order or with new nodes makes edges for those alone")
  func moved() throws {
    try list.write(["2", "3"], ["first": 2])
    #expect(try list.edges == ["edges:0", "edges:1"])
    try list.write(["4", "2"], ["first": 2])
    #expect(try list.nodes == ["4", "2"] && list.edges == ["edges:2", "edges:0"])
    try list.write(["2", "4"], ["first": 2])
    #expect(try list.nodes == ["2", "4"] && list.edges == ["edges:0", "edges:2"])
  }

  @Test("a list that is polled does not fill the store")
  func growth() throws {
    try list.write(["2", "3"], ["first": 2])
    try list.write(["4"], ["first": 2, "after": "c3"])
    try list.write(["2", "3"], ["first": 2])
    let count = try list.recordCount
    for _ in 0..<10 {
      try list.write(["4"], ["first": 2, "after": "c3"])
      try list.write(["2", "3"], ["first": 2])
      #expect(list.nodes == ["2", "3"])
    }
    // A second page is there anew each time: the list had lost it.
    #expect(try list.recordCount == count + 10)
  }

  @Test("a page of the list's end finds its edges there")
  func last() throws {
    try list.write(["5", "6"], ["last": 2])
    try list.write(["3", "4"], ["last": 2, "before": "c5"])
    try list.write(["5", "6"], ["last": 2])
    #expect(try list.nodes == ["5", "6"] && list.edges == ["edges:0", "edges:1"])
  }

  @Test("an edge that is found again has what the page says of it")
  func rewritten() throws {
    try list.write(["2"], ["first": 1])
    let other: JSONValue = [
      "edges": [["cursor": "new", "node": ["id": "2", "name": "n2"]]],
      "pageInfo": ["endCursor": "new", "hasNextPage": true],
    ]
    try list.write(other, ["first": 1])
    #expect(list.connection?["edges"]?.array?.first?.object?["cursor"] == "new")
    try list.write(["3"], ["first": 1, "after": "new"])
    #expect(list.nodes == ["2", "3"])
  }

  @Test("an edge made by hand has the cursor that it is given")
  func cursors() throws {
    let read = Plan(
      "Query{me User{friends:__Feed_friends_connection FriendsConnection{edges [FriendsEdge{cursor String!}]}}}"
    )
    func cursors() -> [JSONValue]? {
      let friends = list.test.json(read)?.object?["me"]?.object?["friends"]?.object
      return friends?["edges"]?.array?.map { $0.object?["cursor"] ?? .null }
    }
    try list.write(["2"], ["first": 1])
    try update { friends, four in
      try friends.insertEdgeAfter(friends.createEdge(to: four, type: "FriendsEdge"))
    }
    #expect(list.nodes == ["2", "4"] && cursors() == ["c2", .null])
    try update { friends, four in
      _ = try friends.createEdge(to: four, type: "FriendsEdge", cursor: "c4")
      _ = try friends.createEdge(to: four, type: "FriendsEdge")
    }
    #expect(cursors() == ["c2", "c4"])
  }

  @Test("an edge to a node that the list has is not inserted")
  func insertion() throws {
    try list.write(["2", "4", "3"], ["first": 3])
    try update { friends, four in
      let edge = try friends.createEdge(to: four, type: "FriendsEdge")
      try friends.insertEdgeAfter(edge)
      try friends.insertEdgeBefore(edge, cursor: "c2")
    }
    #expect(list.nodes == ["2", "4", "3"])
    try update { friends, four in
      try friends.deleteNode(four.id)
      try friends.insertEdgeBefore(friends.createEdge(to: four, type: "FriendsEdge"))
    }
    #expect(list.nodes == ["4", "2", "3"])
  }

  /// Runs an updater with the list and the user "4".
  private func update(
    _ body: @escaping @Sendable (ConnectionProxy, RecordProxy) throws -> Void
  ) throws {
    try list.test.environment.commitUpdate { store in
      let friends = try #require(try store["1"]?.getConnection("Feed_friends"))
      let four = try store["4"] ?? store.create("4", type: "User")
      try four.setValue("4", for: "id")
      try body(friends, four)
    }
  }

  @Test("of two edges to one node the first stays, in the first page too")
  func duplicates() throws {
    try list.write(["2", "2", "3"], ["first": 3])
    #expect(list.nodes == ["2", "3"])
    try list.write(["3", "4", "4"], ["first": 3])
    #expect(list.nodes == ["3", "4"])
  }
}
