import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Streamed lists that fail", .timeLimit(.minutes(1)))
struct FailedListTests {
  private static let schema = """
    type Query { me: User }
    type User { id: ID! friends: [User!]! guests: [User] list(first: Int): UserConnection }
    type UserConnection { edges: [UserEdge!]! pageInfo: PageInfo! }
    type UserEdge { cursor: String node: User }
    type PageInfo {
      hasNextPage: Boolean! hasPreviousPage: Boolean! endCursor: String startCursor: String
    }
    """
  private static let errors: JSONValue = [["message": "no", "path": ["me", "friends", 1]]]

  private static func fixture(_ document: String) throws -> PartsFixture {
    PartsFixture(try TestSelection(compiling: document, schema: schema), text: document)
  }

  /// The payload that reports the failure of the list's remaining elements, by format.
  static let failures: [String: JSONValue] = [
    "2020": [
      "path": ["me", "friends", 1], "label": "TestQuery$stream$friends", "data": nil,
      "errors": errors, "hasNext": true,
    ],
    "2022": [
      "incremental": [
        [
          "path": ["me", "friends", 1], "label": "TestQuery$stream$friends", "items": nil,
          "errors": errors,
        ]
      ], "hasNext": true,
    ],
    "2023": ["completed": [["id": "0", "errors": errors]], "hasNext": true],
  ]

  @Test(
    "what has arrived of the list stays, with an error, and the operation is not fetched",
    arguments: failures.keys.sorted())
  func failure(format: String) async throws {
    let test = try Self.fixture(
      "query TestQuery { me { id friends @stream(initialCount: 1) { id } } }")
    let task = test.fetch()
    var first: JSONObject = [
      "data": ["me": ["id": "1", "friends": [["id": "2"]]]], "hasNext": true,
    ]
    if format == "2023" {
      first["pending"] = [
        ["id": "0", "path": ["me", "friends"], "label": "TestQuery$stream$friends"]
      ]
    }
    await test.transport.send(.object(first))
    let failure = try #require(Self.failures[format])
    await test.transport.send(failure)
    let snapshot = test.store.read(.record(.root, test.selection.reader, in: test.request.scope))
    #expect(snapshot.row?.json["me"] == ["id": "1", "friends": [["id": "2"]]])
    #expect(snapshot.errors.map(\.message) == ["no"])
    #expect(snapshot.errors.map(\.path.description) == ["me.friends[1]"])
    #expect(snapshot.pending.isEmpty && snapshot.missing.isEmpty)
    await test.transport.send(["hasNext": false])
    let fetched = try await task.value
    #expect(fetched.response.errors.map(\.message) == ["no"])
    #expect(!test.request.isAvailable(in: test.store))
  }

  @Test("a list of nullable elements has null in place of one that fails, and goes on")
  func nullableElements() async throws {
    let test = try Self.fixture(
      "query TestQuery { me { id guests @stream(initialCount: 1) { id } } }")
    let label: JSONValue = "TestQuery$stream$guests"
    _ = try await test.fetch([
      ["data": ["me": ["id": "1", "guests": [["id": "2"]]]], "hasNext": true],
      [
        "path": ["me", "guests", 1], "label": label, "data": nil, "hasNext": true,
        "errors": [["message": "no", "path": ["me", "guests", 1]]],
      ],
      ["path": ["me", "guests", 2], "label": label, "data": ["id": "3"], "hasNext": false],
    ])
    let snapshot = test.store.read(.record(.root, test.selection.reader, in: test.request.scope))
    #expect(
      snapshot.row?.json["me"] == ["id": "1", "guests": [["id": "2"], nil, ["id": "3"]]])
    #expect(test.request.isAvailable(in: test.store))
  }

  @Test("the next page of a connection begins after the last edge that has arrived")
  func connection() async throws {
    let test = try Self.fixture(
      """
      query TestQuery { me { id list(first: 3) @connection(key: "TestQuery_list") {
        edges @stream(initialCount: 1) { node { id } }
      } } }
      """)
    let edge: JSONValue = ["cursor": "c1", "node": ["id": "2", "__typename": "User"]]
    _ = try await test.fetch([
      [
        "pending": [
          ["id": "0", "path": ["me", "list", "edges"], "label": "TestQuery$stream$edges"]
        ],
        "hasNext": true,
        "data": [
          "me": [
            "id": "1",
            "list": [
              "edges": [edge],
              "pageInfo": ["hasNextPage": false, "endCursor": "c3", "hasPreviousPage": false],
            ],
          ]
        ],
      ],
      ["completed": [["id": "0", "errors": [["message": "no"]]]], "hasNext": false],
    ])
    let id = DataID("1").child(storageKey: #"__TestQuery_list_connection"#)
    let info = test.store.read(
      .record(
        id,
        SelectionPlan("F UserConnection{pageInfo PageInfo{endCursor String hasNextPage Boolean}}"),
        in: test.request.scope))
    #expect(info.row?.json["pageInfo"] == ["endCursor": "c1", "hasNextPage": true])
    let snapshot = test.store.read(.record(.root, test.selection.reader, in: test.request.scope))
    #expect(snapshot.errors.map(\.message) == ["no"] && snapshot.pending.isEmpty)
    #expect(!test.request.isAvailable(in: test.store))
  }
}
