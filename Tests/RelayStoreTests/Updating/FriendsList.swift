import RelayStore

/// A store with one user's friends, in pages that a test writes.
struct FriendsList {
  /// A schema whose friends are a connection, and whose mutations return edges, nodes and ids.
  static let schema = """
    type Query {
      me: User
      user(id: ID!): User
    }

    type Mutation {
      edge: FriendsEdge
      edges: [FriendsEdge]
      node: User
      nodes: [User]
      id: ID
      ids: [ID!]
    }

    type User {
      id: ID!
      name: String
      friends(
        first: Int, after: String, last: Int, before: String, orderBy: String
      ): FriendsConnection
    }

    type FriendsConnection {
      total: Int
      edges: [FriendsEdge]
      pageInfo: PageInfo
    }

    type FriendsEdge {
      cursor: String
      node: User
    }

    type PageInfo {
      endCursor: String
      hasNextPage: Boolean
      hasPreviousPage: Boolean
      startCursor: String
    }
    """

  private static let query = TestSelection(
    """
    query Feed($first: Int, $after: String, $last: Int, $before: String, $orderBy: String) {
      me {
        friends(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy)
          @connection(key: "Feed_friends", filters: ["orderBy"]) {
          total
          edges { cursor node { id name } }
          pageInfo { endCursor hasNextPage hasPreviousPage startCursor }
        }
      }
    }
    """, schema: schema)
  static let written = query.normalization
  static let read = query.reader
  static let id: DataID = "client:1:__Feed_friends_connection"

  var test = TestStore()

  /// Returns a page as a server sends it.
  ///
  /// - Parameter ids: The ids of the nodes; each edge has the cursor `c<id>`. `null` stands for a
  ///   null edge, and `none` for an edge whose node is null.
  static func page(_ ids: [String], next: Bool = true, previous: Bool = true) -> JSONValue {
    let ends = ids.filter { $0 != "null" && $0 != "none" }
    return page(
      ids,
      info: [
        "endCursor": ends.last.map { .string("c" + $0) } ?? .null, "hasNextPage": .bool(next),
        "hasPreviousPage": .bool(previous),
        "startCursor": ends.first.map { .string("c" + $0) } ?? .null,
      ])
  }

  /// Returns a page with the given page info.
  static func page(_ ids: [String], info: JSONValue) -> JSONValue {
    let edges: [JSONValue] = ids.map { id in
      if id == "null" { return .null }
      let node: JSONValue = [
        "__typename": "User", "id": .string(id), "name": .string("n" + id),
      ]
      return ["cursor": .string("c" + id), "node": id == "none" ? .null : node]
    }
    return ["total": 9, "edges": .array(edges), "pageInfo": info]
  }

  /// Returns the data of a response with a page.
  static func data(_ page: JSONValue) -> JSONValue { ["me": ["id": "1", "friends": page]] }

  /// Writes a page.
  ///
  /// - Parameter failed: The paths, below the connection, of fields with a server error.
  func write(_ page: JSONValue, _ variables: JSONObject, failed: [[JSONValue]] = []) throws {
    let errors: [JSONValue] = failed.map { path in
      ["message": "no", "path": .array(["me", "friends"] + path)]
    }
    try test.write(
      Self.written, Self.data(page), errors: .array(errors), variables: variables)
  }

  func write(_ ids: [String], next: Bool = true, _ variables: JSONObject) throws {
    try write(Self.page(ids, next: next), variables)
  }

  var connection: JSONObject? { connection([:]) }

  /// Returns the connection with the given filter values.
  func connection(_ variables: JSONObject) -> JSONObject? {
    test.json(Self.read, variables: variables)?.object?["me"]?.object?["friends"]?.object
  }

  /// Returns a field of the list's page info.
  func info(_ field: String, _ variables: JSONObject = [:]) -> JSONValue? {
    connection(variables)?["pageInfo"]?.object?[field]
  }

  /// The ids of the list's nodes.
  var nodes: [String]? { nodes([:]) }

  func nodes(_ variables: JSONObject) -> [String]? {
    connection(variables)?["edges"]?.array?.map {
      $0.object?["node"]?.object?["id"]?.string ?? "null"
    }
  }

  /// The paths of the server errors found by reading the list.
  var errors: [String] {
    test.read(Self.read).errors.map { error in "\(error.path)" }
  }

  /// The ids of the list's edges.
  var edges: [String] {
    get throws {
      let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
      let links = dump?[Self.id.rawValue]?.object?["edges"]?.object?["__refs"]?.array ?? []
      return links.map { ($0.string ?? "null").replacing("\(Self.id):", with: "") }
    }
  }

  /// The number of records, including garbage.
  var recordCount: Int {
    get throws { try JSONValue(parsing: Array(test.store.dump().utf8)).object?.members.count ?? 0 }
  }
}
