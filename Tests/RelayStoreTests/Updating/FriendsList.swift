@testable import RelayStore

/// A store with one user's friends, in the pages that a test writes.
struct FriendsList {
  private static let page = """
    FriendsConnection{total Int edges [FriendsEdge{cursor String node User{id ID! name String}}] \
    pageInfo PageInfo{endCursor String hasNextPage Boolean hasPreviousPage Boolean startCursor String}}
    """
  static let written = plan(
    "Query{me User{id ID! friends(after:$after,before:$before,first:$first,last:$last) "
      + page + #"%connection(key:"Feed_friends")}}"#)
  static let read = plan("Query{me User{friends:__Feed_friends_connection \(page)}}")
  static let id: DataID = "client:1:__Feed_friends_connection"

  private static func plan(_ text: String) -> Plan {
    var decoder = PlanDecoder(bytes: Array(text.utf8), types: nil, scalars: [:])
    return decoder.plan() ?? Plan("Query{}")
  }

  let test = TestStore()

  /// A page as a server sends it: ids of nodes, whose cursors are `c<id>`, and `null` for an edge that is null.
  static func page(_ ids: [String], next: Bool = true) -> JSONValue {
    let edges: [JSONValue] = ids.map { id in
      if id == "null" { return .null }
      return ["cursor": .string("c" + id), "node": ["id": .string(id), "name": .string("n" + id)]]
    }
    let ends = ids.filter { $0 != "null" }
    return [
      "total": 9, "edges": .array(edges),
      "pageInfo": [
        "endCursor": ends.last.map { .string("c" + $0) } ?? .null, "hasNextPage": .bool(next),
        "hasPreviousPage": true, "startCursor": ends.first.map { .string("c" + $0) } ?? .null,
      ],
    ]
  }

  /// Writes a page.
  ///
  /// - Parameter failed: The paths, below the connection, of fields that have an error.
  func write(_ page: JSONValue, _ variables: JSONObject, failed: [[JSONValue]] = []) throws {
    let errors: [JSONValue] = failed.map { path in
      ["message": "no", "path": .array(["me", "friends"] + path)]
    }
    try test.write(
      Self.written, ["me": ["id": "1", "friends": page]], errors: .array(errors),
      variables: variables)
  }

  func write(_ ids: [String], next: Bool = true, _ variables: JSONObject) throws {
    try write(Self.page(ids, next: next), variables)
  }

  private var snapshot: RowSnapshot { test.read(Self.read) }

  var connection: JSONObject? {
    let data = snapshot.row.map { JSONValue.object($0.json) }
    return data?.object?["me"]?.object?["friends"]?.object
  }

  /// The ids of the list's nodes.
  var nodes: [String]? {
    connection?["edges"]?.array?.map { $0.object?["node"]?.object?["id"]?.string ?? "null" }
  }

  /// Where reading the list finds errors of the server's.
  var errors: [String] {
    snapshot.errors.map { error in "\(error.path)" }
  }

  /// The ids of the list's edges.
  var edges: [String] {
    get throws {
      let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
      let links = dump?[Self.id.rawValue]?.object?["edges"]?.object?["__refs"]?.array ?? []
      return links.map { ($0.string ?? "null").replacing("\(Self.id):", with: "") }
    }
  }

  /// How many records there are, garbage included.
  var recordCount: Int {
    get throws { try JSONValue(parsing: Array(test.store.dump().utf8)).object?.members.count ?? 0 }
  }
}
