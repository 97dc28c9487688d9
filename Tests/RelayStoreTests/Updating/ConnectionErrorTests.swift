import Testing

@testable import RelayStore

@Suite("Errors of connections")
struct ConnectionErrorTests {
  private let list = FriendsList()

  @Test("the error of a connection is read with it, until a page of it is fine")
  func connection() throws {
    try list.write(.null, ["first": 2], failed: [[]])
    #expect(list.connection == nil && list.errors == ["me.friends"])
    try list.write(["2"], ["first": 2])
    #expect(list.nodes == ["2"] && list.errors == [])
    try list.write(.null, ["first": 2], failed: [["pageInfo", "endCursor"]])
    #expect(list.connection == nil && list.errors == ["me.friends.pageInfo.endCursor"])
  }

  @Test("errors inside a first page are read where they are, until a page is fine")
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

  @Test("the error of an edge stays at its place when an edge before it goes")
  func places() throws {
    try list.write(
      FriendsList.page(["2", "2", "null", "3"]), ["first": 4], failed: [["edges", 2]])
    #expect(list.nodes == ["2", "null", "3"] && list.errors == ["me.friends.edges[1]"])
  }

  @Test("the error of a later page's edge is that of the list, which has no nulls then")
  func insideLater() throws {
    try list.write(["2"], ["first": 1])
    try list.write(
      FriendsList.page(["3", "null"]), ["first": 2, "after": "c2"], failed: [["edges", 1]])
    #expect(list.nodes == ["2", "3"] && list.errors == ["me.friends.edges"])
    try list.write(["4"], ["first": 1, "after": "c3"])
    #expect(list.nodes == ["2", "3", "4"] && list.errors == [])
  }

  @Test("a first page without edges takes them away, with the error")
  func edges() throws {
    try list.write(["2"], ["first": 1])
    try list.write(
      ["edges": nil, "pageInfo": ["hasNextPage": false]], ["first": 1], failed: [["edges"]])
    #expect(list.connection?["edges"] == .null && list.errors == ["me.friends.edges"])
    try list.write(["3"], ["first": 1])
    #expect(list.nodes == ["3"] && list.errors == [])
  }

  @Test("a page that is null takes nothing from the list, a first page does")
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
}
