import RelayStore
import SeededRandom
import Testing

@Suite("Edges of connections", .timeLimit(.minutes(1)))
struct ConnectionEdgeTests {
  private let list = FriendsList()

  @Test("writing the same first page again changes nothing")
  func polled() throws {
    try list.write(["2", "3"], ["first": 2])
    let (before, revision) = (list.test.store.dump(), list.test.read(FriendsList.read).revision)
    for _ in 0..<5 { try list.write(["2", "3"], ["first": 2]) }
    #expect(list.test.store.dump() == before)
    #expect(list.test.read(FriendsList.read).revision == revision)
  }

  @Test("a first page with another order or new nodes creates edges for the new nodes only")
  func moved() throws {
    try list.write(["2", "3"], ["first": 2])
    #expect(try list.edges == ["edges:0", "edges:1"])
    try list.write(["4", "2"], ["first": 2])
    #expect(try list.nodes == ["4", "2"] && list.edges == ["edges:2", "edges:0"])
    try list.write(["2", "4"], ["first": 2])
    #expect(try list.nodes == ["2", "4"] && list.edges == ["edges:0", "edges:2"])
  }

  @Test("polling a list does not grow the store")
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
    // The second page creates a new edge each time, because the first page has removed the old one.
    #expect(try list.recordCount == count + 10)
  }

  @Test("a page at the end of the list reuses the list's edges")
  func last() throws {
    try list.write(["5", "6"], ["last": 2])
    try list.write(["3", "4"], ["last": 2, "before": "c5"])
    try list.write(["5", "6"], ["last": 2])
    #expect(try list.nodes == ["5", "6"] && list.edges == ["edges:0", "edges:1"])
  }

  @Test("a reused edge has the fields of the new page")
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

  @Test("a created edge has the given cursor")
  func cursors() throws {
    func cursors() -> [JSONValue]? {
      list.connection?["edges"]?.array?.map { $0.object?["cursor"] ?? .null }
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

  @Test("an edge to a node that is already in the list is not inserted")
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

  @Test("the first of two edges to one node is kept, in a first page too")
  func duplicates() throws {
    try list.write(["2", "2", "3"], ["first": 3])
    #expect(list.nodes == ["2", "3"])
    try list.write(["3", "4", "4"], ["first": 3])
    #expect(list.nodes == ["3", "4"])
  }

  /// Returns the ids of the nodes that `list` should have after a page.
  private func expected(_ list: [String]?, page: [String], at end: Direction) -> [String] {
    var seen: Set<String> = []
    let all =
      switch end {
      case .first, .last: page
      case .next: ((list ?? []) + page).filter { $0 != "null" }
      case .previous: (page + (list ?? [])).filter { $0 != "null" }
      }
    return all.filter { $0 == "null" || seen.insert($0).inserted }
  }

  private enum Direction: CaseIterable {
    case first, last, next, previous

    func variables(_ info: JSONObject?) -> JSONObject? {
      switch self {
      case .first: return ["first": 3]
      case .last: return ["last": 3]
      case .next:
        guard let end = info?["endCursor"], end != .null else { return nil }
        return ["first": 3, "after": end]
      case .previous:
        guard let start = info?["startCursor"], start != .null else { return nil }
        return ["last": 3, "before": start]
      }
    }
  }

  @Test(
    "after any pages, each edge has its own node and cursor, at the expected position")
  func anyPages() throws {
    var (firstPages, reusedEdges) = (0, 0)
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let list = FriendsList()
      var known: [String]?
      for _ in 0..<30 {
        let direction = Direction.allCases.randomElement(using: &random) ?? .first
        let info = list.connection?["pageInfo"]?.object
        guard let variables = direction.variables(info) else { continue }
        let page = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          Int.random(in: 0..<12, using: &random) == 0
            ? "null" : "u\(Int.random(in: 0..<8, using: &random))"
        }
        let before = try Set(list.edges)
        try list.write(page, variables)
        let new = expected(known, page: page, at: direction)
        known = new
        #expect(list.nodes == new, "seed \(seed)")
        let cursors = list.connection?["edges"]?.array?.map { $0.object?["cursor"]?.string }
        #expect(cursors == new.map { $0 == "null" ? nil : "c" + $0 }, "seed \(seed)")
        let edges = try list.edges.filter { $0 != "null" }
        #expect(Set(edges).count == edges.count, "seed \(seed): an edge occurs twice")
        if direction == .first || direction == .last {
          firstPages += 1
          reusedEdges += edges.filter(before.contains).count
        }
      }
    }
    print("Edges of connections: \(firstPages) first pages reused \(reusedEdges) edges.")
    #expect(firstPages > 200 && reusedEdges > 30)
  }
}
