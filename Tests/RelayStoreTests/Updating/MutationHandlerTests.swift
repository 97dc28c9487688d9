import RelayStore
import Testing

@Suite("Declarative mutation directives", .timeLimit(.minutes(1)))
struct MutationHandlerTests {
  private static let list = TestSelection(
    """
    query Feed($first: Int) {
      me {
        friends(first: $first) @connection(key: "Feed_friends") {
          edges { cursor node { id } }
        }
      }
    }
    """, schema: FriendsList.schema)
  private static let connection: DataID = .connection("Feed_friends", of: "1")

  private let test = TestStore()

  init() throws {
    let edges: [JSONValue] = ["2", "3"].map {
      ["cursor": "c", "node": ["__typename": "User", "id": .string($0)]]
    }
    try test.write(
      Self.list, ["me": ["id": "1", "friends": ["edges": .array(edges)]]], variables: ["first": 2])
  }

  private func nodes() -> [String]? {
    test.json(Self.list)?.object?["me"]?.object?["friends"]?.object?["edges"]?.array?.map {
      $0.object?["node"]?.object?["id"]?.string ?? "null"
    }
  }

  private func run(_ mutation: String, _ data: JSONValue) throws {
    try test.write(
      TestSelection(mutation, schema: FriendsList.schema), data,
      variables: ["connections": [.string(Self.connection.rawValue), "client:none"]])
  }

  @Test("edges are appended and prepended, at most once for each node")
  func edges() throws {
    let append = """
      mutation Append($connections: [ID!]!) {
        edge @appendEdge(connections: $connections) { cursor node { id } }
      }
      """
    let prepend = """
      mutation Prepend($connections: [ID!]!) {
        edges @prependEdge(connections: $connections) { node { id } }
      }
      """
    try run(append, ["edge": ["cursor": "x", "node": ["id": "4"]]])
    try run(append, ["edge": ["cursor": "x", "node": ["id": "2"]]])
    try run(append, ["edge": nil])
    try run(prepend, ["edges": [["node": ["id": "5"]], nil, ["node": nil]]])
    #expect(nodes() == ["5", "2", "3", "4"])
  }

  @Test("nodes are appended and prepended in edges of the type edgeTypeName")
  func nodeDirectives() throws {
    let append = """
      mutation Append($connections: [ID!]!) {
        node @appendNode(connections: $connections, edgeTypeName: "FriendsEdge") { id }
      }
      """
    let prepend = """
      mutation Prepend($connections: [ID!]!) {
        nodes @prependNode(connections: $connections, edgeTypeName: "FriendsEdge") { id }
      }
      """
    try run(append, ["node": ["id": "4"]])
    try run(append, ["node": ["id": "4"]])
    try run(prepend, ["nodes": [["id": "5"], ["id": "3"]]])
    #expect(nodes() == ["5", "2", "3", "4"])
    #expect(test.store.dump().contains(#""client:1:__Feed_friends_connection:4""#))
  }

  @Test("a node that the same response deletes is not appended")
  func deletedNode() throws {
    let mutation = """
      mutation Replace($connections: [ID!]!) {
        id @deleteRecord
        node @appendNode(connections: $connections, edgeTypeName: "FriendsEdge") { id }
      }
      """
    try run(mutation, ["id": "2", "node": ["id": "2"]])
    #expect(nodes() == ["null", "3"])
    try run(mutation, ["id": "4", "node": ["id": "4"]])
    #expect(nodes() == ["null", "3"])
  }

  @Test("edges are removed by the id of their node, and records by their id")
  func deletion() throws {
    try run(
      "mutation Remove($connections: [ID!]!) { id @deleteEdge(connections: $connections) }",
      ["id": "2"])
    #expect(nodes() == ["3"])
    #expect(test.store.dump().contains(#""__id":"2""#))
    try run("mutation Delete { ids @deleteRecord }", ["ids": ["3", "client:root"]])
    #expect(!test.store.dump().contains(#""__id":"3""#))
    #expect(nodes() == ["null"])
  }
}
