import RelayStore
import Testing

@Suite("Errors of connections", .timeLimit(.minutes(1)))
struct ConnectionErrorTests {
  private let list = FriendsList()

  @Test("the error of a connection is read with its list until a page succeeds")
  func connection() throws {
    try list.write(.null, ["first": 2], failed: [[]])
    #expect(list.connection == nil && list.errors == ["me.friends"])
    try list.write(["2"], ["first": 2])
    #expect(list.nodes == ["2"] && list.errors == [])
    try list.write(.null, ["first": 2], failed: [["pageInfo", "endCursor"]])
    #expect(list.connection == nil && list.errors == ["me.friends.pageInfo.endCursor"])
  }

  @Test("errors inside a first page are read at their paths until a page succeeds")
  func insideFirst() throws {
    let page: JSONValue = [
      "total": nil, "edges": [["cursor": "c2", "node": nil], nil],
      "pageInfo": ["endCursor": "c2", "hasNextPage": true],
    ]
    try list.write(
      page, ["first": 2], failed: [["total"], ["edges", 0, "node"], ["edges", 1]])
    let all: Set = ["me.friends.total", "me.friends.edges[0].node", "me.friends.edges[1]"]
    #expect(Set(list.errors) == all)
    try list.write(page, ["first": 2], failed: [["total"], ["edges", 0, "node"], ["edges", 1]])
    #expect(Set(list.errors) == all, "the same page again")
    try list.write(["2", "3"], ["first": 2])
    #expect(list.errors == [])
  }

  @Test("the error of an edge moves with the edge if an earlier edge is removed")
  func places() throws {
    try list.write(
      FriendsList.page(["2", "2", "null", "3"]), ["first": 4], failed: [["edges", 2]])
    #expect(list.nodes == ["2", "null", "3"] && list.errors == ["me.friends.edges[1]"])
  }

  @Test("the error of an edge in a later page becomes an error of the list, which omits null edges")
  func insideLater() throws {
    try list.write(["2"], ["first": 1])
    try list.write(
      FriendsList.page(["3", "null"]), ["first": 2, "after": "c2"], failed: [["edges", 1]])
    #expect(list.nodes == ["2", "3"] && list.errors == ["me.friends.edges"])
    try list.write(["4"], ["first": 1, "after": "c3"])
    #expect(list.nodes == ["2", "3", "4"] && list.errors == [])
  }

  @Test("a first page without edges replaces the list, with its error")
  func edges() throws {
    try list.write(["2"], ["first": 1])
    try list.write(
      ["edges": nil, "pageInfo": ["hasNextPage": false]], ["first": 1], failed: [["edges"]])
    #expect(list.connection?["edges"] == .null && list.errors == ["me.friends.edges"])
    try list.write(["3"], ["first": 1])
    #expect(list.nodes == ["3"] && list.errors == [])
  }

  @Test("a null page does not change the list, unless it is a first page")
  func erased() throws {
    try list.write(["2"], ["first": 1])
    let before = list.connection
    try list.write(.null, ["first": 1, "after": "c2"], failed: [[]])
    #expect(list.connection == before && list.errors == [])
    try list.write(.null, ["last": 1, "before": "c2"])
    #expect(list.connection == before)
    try list.write(
      ["total": nil, "edges": nil, "pageInfo": ["hasNextPage": false, "endCursor": nil]],
      ["first": 1, "after": "c2"], failed: [["edges"]])
    #expect(list.connection == before && list.errors == [])
    try list.write(.null, ["first": 1])
    #expect(list.connection == nil && list.errors == [])
    try list.write(.null, ["first": 1, "after": "c2"], failed: [[]])
    #expect(list.connection == nil && list.errors == [])
  }

  @Test(
    "a page that does not continue the list is not merged, even if it has no edges",
    arguments: [
      ["edges": [], "pageInfo": ["endCursor": "c9", "hasNextPage": false]],
      ["edges": nil, "pageInfo": ["endCursor": "c9", "hasNextPage": false]],
      ["edges": nil, "pageInfo": nil],
    ] as [JSONValue])
  func elsewhere(page: JSONValue) throws {
    try list.write(["2"], ["first": 1])
    try list.write(["3"], ["first": 1, "after": "c2"])
    try list.write(page, ["first": 1, "after": "c2"])
    #expect(list.nodes == ["2", "3"])
    #expect(list.info("hasNextPage") == true && list.info("endCursor") == "c3")
  }

  // MARK: Page info

  @Test("errors of fields of the page info are read with the list until a later page succeeds")
  func pageInfoFields() throws {
    for field in ["endCursor", "hasNextPage"] {
      let list = FriendsList()
      try list.write(["2"], ["first": 1])
      var info: JSONObject = ["endCursor": "c3", "hasNextPage": true]
      info[field] = .null
      try list.write(
        FriendsList.page(["3"], info: .object(info)), ["first": 1, "after": "c2"],
        failed: [["pageInfo", .string(field)]])
      #expect(list.nodes == ["2", "3"] && list.errors == ["me.friends.pageInfo.\(field)"])
      #expect(list.info("hasNextPage") == true && list.info("endCursor") == "c3")
      try list.write(["4"], ["first": 1, "after": "c3"])
      #expect(list.nodes == ["2", "3", "4"] && list.errors == [])
      #expect(list.info("hasNextPage") == true && list.info("endCursor") == "c4")
    }
  }

  @Test("errors in the page info of a prepended page are read with the list")
  func pageInfoFieldsInFront() throws {
    try list.write(["5"], ["last": 1])
    try list.write(
      FriendsList.page(["4"], info: ["startCursor": nil, "hasPreviousPage": nil]),
      ["last": 1, "before": "c5"],
      failed: [["pageInfo", "startCursor"], ["pageInfo", "hasPreviousPage"]])
    #expect(
      Set(list.errors)
        == ["me.friends.pageInfo.startCursor", "me.friends.pageInfo.hasPreviousPage"])
    #expect(list.info("hasPreviousPage") == true && list.info("startCursor") == "c4")
    #expect(list.info("hasNextPage") == true && list.info("endCursor") == "c5")
    try list.write(["3"], ["last": 1, "before": "c4"])
    #expect(list.nodes == ["3", "4", "5"] && list.errors == [])
  }

  @Test("a later page without page info ends at its last edge, and the list continues there")
  func withoutPageInfo() throws {
    try list.write(["2"], ["first": 1])
    try list.write(
      FriendsList.page(["3", "null"], info: .null), ["first": 2, "after": "c2"],
      failed: [["pageInfo"]])
    #expect(list.nodes == ["2", "3"] && list.errors == ["me.friends.pageInfo"])
    #expect(list.info("hasNextPage") == true && list.info("endCursor") == "c3")
    try list.write(["4"], next: false, ["first": 1, "after": "c3"])
    #expect(list.nodes == ["2", "3", "4"] && list.errors == [])
    try list.write(FriendsList.page(["5"], info: .null), ["first": 1, "after": "c4"])
    #expect(list.info("hasNextPage") == false && list.info("endCursor") == "c5")
    try list.write(FriendsList.page(["0", "1"], info: .null), ["last": 2, "before": "c2"])
    #expect(list.nodes == ["0", "1", "2", "3", "4", "5"])
    #expect(list.info("hasPreviousPage") == true && list.info("startCursor") == "c0")
  }

  @Test(
    "a page without a cursor to continue from is the last",
    arguments: [
      FriendsList.page([], info: .null),
      FriendsList.page(["2"], info: .null),
      FriendsList.page([], info: ["endCursor": "c2", "hasNextPage": nil]),
      ["edges": [["cursor": nil, "node": ["id": "3"]]], "pageInfo": nil],
      ["edges": nil, "pageInfo": nil],
      FriendsList.page([], info: ["endCursor": nil, "hasNextPage": true]),
      FriendsList.page(["null"], info: ["endCursor": nil, "hasNextPage": true]),
    ])
  func withoutCursor(_ page: JSONValue) throws {
    try list.write(["1", "2"], ["first": 2])
    try list.write(page, ["first": 2, "after": "c2"])
    #expect(list.info("hasNextPage") == false && list.info("endCursor") == "c2")
    // The page may be fetched again, and be complete this time.
    try list.write(["3"], ["first": 1, "after": "c2"])
    #expect(list.nodes == ["1", "2", "3"])
    #expect(list.info("hasNextPage") == true && list.info("endCursor") == "c3")
  }

  @Test("a first page without page info does not keep the previous page info")
  func firstWithoutPageInfo() throws {
    try list.write(["2"], ["first": 1])
    try list.write(["3"], ["first": 1, "after": "c2"])
    try list.write(FriendsList.page(["2"], info: .null), ["first": 1], failed: [["pageInfo"]])
    #expect(list.nodes == ["2"] && list.errors == ["me.friends.pageInfo"])
    #expect(list.info("hasNextPage") == false && list.info("endCursor") == .null)
    #expect(list.info("hasPreviousPage") == false && list.info("startCursor") == .null)
    try list.write(["2"], ["first": 1])
    #expect(list.info("endCursor") == "c2" && list.errors == [])
  }

  @Test("a page without cursors does not continue a list whose end cursor is unknown")
  func unknownEnds() throws {
    try list.write(FriendsList.page(["2"], info: .null), ["first": 1])
    let nowhere: JSONValue = ["edges": [["cursor": nil, "node": ["id": "3"]]], "pageInfo": nil]
    try list.write(nowhere, ["first": 1, "after": "c7"])
    #expect(list.nodes == ["2"])
  }
}
