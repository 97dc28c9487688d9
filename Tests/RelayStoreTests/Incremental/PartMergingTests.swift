import Testing

@testable import RelayStore

/// Parts that overlap with other parts, other fields or other paths.
@Suite("Parts of one object", .timeLimit(.minutes(1)))
struct PartMergingTests {
  private static let schema = """
    type Query { me: User any: Any users: [User] }
    union Any = User | Bot
    interface Named { name: String }
    type User implements Named {
      id: ID! name: String age: Int pet: Pet best: Any tags: [String] rows: [[String]]
      friends: [User] grid: [[User]] list(first: Int): UserConnection
    }
    type Bot implements Named { name: String }
    type Pet { id: ID! name: String age: Int }
    type UserConnection { edges: [UserEdge] pageInfo: PageInfo! total: Int }
    type UserEdge { cursor: String node: User note: String }
    type PageInfo {
      hasNextPage: Boolean! hasPreviousPage: Boolean! endCursor: String startCursor: String
    }
    """

  private static func fixture(_ document: String) throws -> PartsFixture {
    PartsFixture(try TestSelection(compiling: document, schema: schema), text: document)
  }

  /// Expects that payloads lead to the same store as a plain response.
  private static func expect(
    _ document: String, _ payloads: [JSONValue], leadTo plain: JSONValue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let expected = try fixture(document)
    _ = try await expected.fetch([plain])
    let parts = try fixture(document)
    _ = try await parts.fetch(payloads)
    #expect(parts.store.dump() == expected.store.dump(), sourceLocation: sourceLocation)
  }

  private static func part(_ path: JSONValue, _ label: JSONValue, _ data: JSONValue) -> JSONValue {
    ["path": path, "label": label, "data": data, "hasNext": true]
  }

  // MARK: Deferred fragments

  @Test("many parts at one path are read once each")
  func manyParts() async throws {
    let document =
      "query TestQuery { me { id ...F @defer } } fragment F on User { name pet { id } }"
    let test = try Self.fixture(document)
    let parts: [JSONValue] = (0..<60).map { ["id": "0", "data": ["name": .string("\($0)")]] }
    _ = try await test.fetch([
      [
        "data": ["me": ["id": "1"]], "hasNext": true,
        "pending": [["id": "0", "path": ["me"], "label": "TestQuery$defer$F"]],
      ],
      ["incremental": .array(parts), "completed": [["id": "0"]], "hasNext": false],
    ])
    #expect(test.read("fragment F on User { name }", of: "1").row?.json["name"] == "59")
  }

  @Test("a fragment is pending although others have brought the objects of its fields")
  func sharedObject() async throws {
    let test = try Self.fixture(
      """
      query TestQuery { me { id ...A @defer ...B @defer } ...C @defer }
      fragment A on User { pet { id name } } fragment B on User { age }
      fragment C on Query { me { id pet { id } } }
      """)
    let fragment = try TestSelection(
      compiling: "query Q { me { ...A } } fragment A on User { pet { id name } }",
      schema: Self.schema)
    let task = test.fetch()
    await test.transport.send(["data": ["me": ["id": "1"]], "hasNext": true])
    await test.transport.send(
      Self.part([], "TestQuery$defer$C", ["me": ["id": "1", "pet": ["id": "p"]]]))
    await test.transport.send(Self.part(["me"], "TestQuery$defer$B", ["age": 3]))
    let plan = try #require(fragment.fragments["A"])
    let snapshot = test.store.read(.record("1", plan, in: test.request.scope))
    #expect(snapshot.pending == [PendingPart(qualifiedLabel: "TestQuery$defer$A")])
    #expect(!snapshot.missing.isEmpty)
    test.transport.finish()
    _ = try? await task.value
  }
  @Test(
    "a fragment is pending until others have brought its fields, and those of their objects",
    arguments: [("pet", 0), ("friends", 1), ("grid", 2)])
  func sharedField(field: String, listDepth: Int) async throws {
    let fragmentA = "fragment A on User { \(field) { id name } age }"
    let test = try Self.fixture(
      """
      query TestQuery { me { id ...A @defer ...B @defer ...C @defer } } \(fragmentA)
      fragment B on User { \(field) { id } age } fragment C on User { \(field) { name } }
      """)
    let fragment = try TestSelection(
      compiling: "query Q { me { ...A } } \(fragmentA)", schema: Self.schema)
    let plan = try #require(fragment.fragments["A"])
    func snapshot() -> RowSnapshot { test.store.read(.record("1", plan, in: test.request.scope)) }
    func value(_ object: JSONValue) -> JSONValue {
      (0..<listDepth).reduce(object) { value, _ in [value, nil] }
    }
    let task = test.fetch()
    await test.transport.send(["data": ["me": ["id": "1"]], "hasNext": true])
    await test.transport.send(
      Self.part(["me"], "TestQuery$defer$B", [field: value(["id": "p"]), "age": 3]))
    #expect(snapshot().pending == [PendingPart(qualifiedLabel: "TestQuery$defer$A")])
    #expect(!snapshot().missing.isEmpty)
    await test.transport.send(
      Self.part(["me"], "TestQuery$defer$C", [field: value(["id": "p", "name": "Rex"])]))
    #expect(snapshot().pending.isEmpty && snapshot().missing.isEmpty)
    test.transport.finish()
    _ = try? await task.value
  }

  @Test("a part that is in the payload of its object is not pending")
  func samePayload() async throws {
    let test = try Self.fixture(
      """
      query TestQuery { ...A @defer }
      fragment A on Query { me { id ...B @defer } } fragment B on User { name }
      """)
    let task = test.fetch()
    await test.transport.send(["data": [:], "hasNext": true])
    await test.transport.send([
      "hasNext": true,
      "incremental": [
        ["path": [], "label": "TestQuery$defer$A", "data": ["me": ["id": "1"]]],
        ["path": ["me"], "label": "A$defer$B", "data": ["name": "Ann"]],
      ],
    ])
    let plan = try #require(test.selection.fragments["B"])
    #expect(test.store.read(.record("1", plan, in: test.request.scope)).pending == [])
    await test.transport.send(["hasNext": false])
    test.transport.finish()
    _ = try await task.value
  }

  @Test("a part whose fields are those of an object below is not pending when it has arrived")
  func fieldsBelow() async throws {
    let test = try Self.fixture(
      """
      query TestQuery { me { id pet { id } ...F @defer ...G @defer } }
      fragment F on User { pet { name } } fragment G on User { pet { age } }
      """)
    let task = test.fetch()
    await test.transport.send(["data": ["me": ["id": "1", "pet": ["id": "p"]]], "hasNext": true])
    func pending() -> Set<String> {
      Set(
        test.store.read(.record(.root, test.selection.reader, in: test.request.scope)).pending
          .map(\.label))
    }
    #expect(pending() == ["F", "G"])
    await test.transport.send(
      Self.part(["me"], "TestQuery$defer$F", ["pet": ["id": "p", "name": "Rex"]]))
    #expect(pending() == ["G"])
    await test.transport.send(
      Self.part(["me"], "TestQuery$defer$G", ["pet": ["id": "p", "age": 3]]))
    #expect(pending().isEmpty)
    await test.transport.send(["hasNext": false])
    test.transport.finish()
    _ = try await task.value
  }

  @Test("a nested fragment that arrives inline with the outer one is not pending any more")
  func inlineFragment() async throws {
    let test = try Self.fixture(
      """
      query TestQuery { me { id ...A @defer } }
      fragment A on User { name ...B @defer } fragment B on User { age }
      """)
    let task = test.fetch()
    await test.transport.send(["data": ["me": ["id": "1"]], "hasNext": true])
    await test.transport.send(Self.part(["me"], "TestQuery$defer$A", ["name": "Ann", "age": 3]))
    let plan = try #require(test.selection.fragments["B"])
    #expect(test.store.read(.record("1", plan, in: test.request.scope)).pending == [])
    await test.transport.send(["hasNext": false])
    test.transport.finish()
    _ = try await task.value
  }

  @Test("the types of new objects in a part are known, but not what a part does not ask for")
  func discriminators() async throws {
    try await Self.expect(
      """
      query TestQuery { ...F @defer any { __typename ... on Named { name } } }
      fragment F on Query { me { id best { __typename ... on Named { name } } } any { __typename } }
      """,
      [
        [
          "data": ["any": ["__typename": "Bot", "__isNamed": "Bot", "name": "b"]], "hasNext": true,
        ],
        Self.part(
          [], "TestQuery$defer$F",
          [
            "any": ["__typename": "Bot"],
            "me": ["id": "1", "best": ["__typename": "User", "id": "2"]],
          ]), ["hasNext": false],
      ],
      leadTo: [
        "data": [
          "any": ["__typename": "Bot", "__isNamed": "Bot", "name": "b"],
          "me": ["id": "1", "best": ["__typename": "User", "id": "2"]],
        ]
      ])
  }

  // MARK: Streamed lists

  @Test("elements follow the list that a part has brought, in any order")
  func listInPart() async throws {
    let label: JSONValue = "F$stream$tags"
    try await Self.expect(
      """
      query TestQuery { me { id ...F @defer } }
      fragment F on User { age tags @stream(initialCount: 1) }
      """,
      [
        ["data": ["me": ["id": "1"]], "hasNext": true],
        Self.part(["me"], "TestQuery$defer$F", ["age": 3, "tags": ["a"]]),
        Self.part(["me", "tags", 2], label, "c"), Self.part(["me", "tags", 1], label, "b"),
        ["hasNext": false],
      ], leadTo: ["data": ["me": ["id": "1", "age": 3, "tags": ["a", "b", "c"]]]])
  }

  @Test("a list that is announced at two paths has each element once")
  func listAtTwoPaths() async throws {
    let user: JSONValue = ["id": "1", "tags": ["a"]]
    try await Self.expect(
      """
      query TestQuery { me { id ...F } users { id ...F } }
      fragment F on User { tags @stream(initialCount: 1) }
      """,
      [
        [
          "data": ["me": user, "users": [user]], "hasNext": true,
          "pending": [
            ["id": "0", "path": ["me", "tags"], "label": "F$stream$tags"],
            ["id": "1", "path": ["users", 0, "tags"], "label": "F$stream$tags"],
          ],
        ],
        ["incremental": [["id": "0", "items": ["b"]]], "hasNext": true],
        ["incremental": [["id": "1", "items": ["b", "c"]]], "hasNext": true],
        [
          "incremental": [["id": "0", "items": ["c"]]], "completed": [["id": "0"], ["id": "1"]],
          "hasNext": false,
        ],
      ],
      leadTo: [
        "data": ["me": ["id": "1", "tags": ["a", "b", "c"]], "users": [["id": "1"]]]
      ])
  }

  @Test(
    "a streamed list does not shorten that of another field, and continues at its own end",
    arguments: [
      "friends { id } s: friends @stream(initialCount: 1) { id age }",
      "s: friends @stream(initialCount: 1) { id age } friends { id }",
    ])
  func listOfTwoFields(selections: String) async throws {
    let document = "query TestQuery { me { id \(selections) } }"
    let all: JSONValue = [["id": "a"], ["id": "b"], ["id": "c"]]
    let test = try Self.fixture(document)
    let task = test.fetch()
    await test.transport.send([
      "data": ["me": ["id": "1", "s": [["id": "a", "age": 1]], "friends": all]], "hasNext": true,
      "pending": [["id": "0", "path": ["me", "s"], "label": "TestQuery$stream$s"]],
    ])
    func friends() -> JSONValue? {
      test.read("fragment F on User { friends { id } }", of: "1").row?.json["friends"]
    }
    #expect(friends() == all)
    await test.transport.send([
      "incremental": [["id": "0", "items": [["id": "b", "age": 2], ["id": "c", "age": 3]]]],
      "completed": [["id": "0"]], "hasNext": false,
    ])
    test.transport.finish()
    _ = try await task.value
    #expect(friends() == all)
    #expect(test.read("fragment F on User { age }", of: "c").row?.json["age"] == 3)
  }

  @Test("the elements of a list may be lists, whose objects have parts")
  func nestedLists() async throws {
    try await Self.expect(
      """
      query TestQuery {
        me { id rows @stream(initialCount: 0) grid @stream(initialCount: 1) { id ...F @defer } }
      }
      fragment F on User { name }
      """,
      [
        ["data": ["me": ["id": "1", "rows": [], "grid": [[]]]], "hasNext": true],
        [
          "hasNext": true,
          "incremental": [
            ["path": ["me", "rows", 0], "label": "TestQuery$stream$rows", "items": [["a"], []]],
            [
              "path": ["me", "grid", 1], "label": "TestQuery$stream$grid",
              "items": [[["id": "2"], nil], []],
            ],
          ],
        ],
        Self.part(["me", "grid", 1, 0], "TestQuery$defer$F", ["name": "Bob"]), ["hasNext": false],
      ],
      leadTo: [
        "data": [
          "me": [
            "id": "1", "rows": [["a"], []], "grid": [[], [["id": "2", "name": "Bob"], nil], []],
          ]
        ]
      ])
  }

  @Test("an element that is sent twice has its error once, and errors are in order")
  func elementErrors() async throws {
    let label: JSONValue = "TestQuery$stream$tags"
    func failed(_ index: Int) -> JSONValue {
      [
        "path": ["me", "tags", .number(JSONNumber(index))], "label": label, "data": nil,
        "hasNext": true,
        "errors": [
          ["message": "no", "path": ["me", "tags", .number(JSONNumber(index))]]
        ],
      ]
    }
    try await Self.expect(
      "query TestQuery { me { id tags @stream(initialCount: 0) } }",
      [
        ["data": ["me": ["id": "1", "tags": []]], "hasNext": true], failed(1), failed(0), failed(1),
        ["hasNext": false],
      ],
      leadTo: [
        "data": ["me": ["id": "1", "tags": [nil, nil]]],
        "errors": [
          ["message": "no", "path": ["me", "tags", 0]],
          ["message": "no", "path": ["me", "tags", 1]],
        ],
      ])
  }

  // MARK: Connections

  @Test("a connection that would have come with a failed part is null")
  func failedConnection() async throws {
    let errors: JSONValue = [["message": "no", "path": ["me", "list"]]]
    try await Self.expect(
      """
      query TestQuery { me { id ...F @defer } }
      fragment F on User {
        list(first: 3) @connection(key: "F_list") { edges { node { id } } }
      }
      """,
      [
        ["data": ["me": ["id": "1"]], "hasNext": true],
        [
          "path": ["me"], "label": "TestQuery$defer$F", "data": nil, "errors": errors,
          "hasNext": false,
        ],
      ], leadTo: ["data": ["me": ["id": "1", "list": nil]], "errors": errors])
  }

  @Test("a connection follows the parts of its edges, its page info and its own fields")
  func connection() async throws {
    let label: JSONValue = "TestQuery$stream$edges"
    try await Self.expect(
      """
      query TestQuery {
        me { id list(first: 3) @connection(key: "TestQuery_list") {
          edges @stream(initialCount: 1) { node { id } ...E @defer }
          pageInfo { hasNextPage ...P @defer }
          ...C @defer
        } }
      }
      fragment E on UserEdge { note } fragment P on PageInfo { startCursor }
      fragment C on UserConnection { total }
      """,
      [
        [
          "hasNext": true,
          "data": [
            "me": [
              "id": "1",
              "list": [
                "edges": [["node": nil, "cursor": "x"]],
                "pageInfo": ["hasNextPage": false, "endCursor": "y"],
              ],
            ]
          ],
        ],
        Self.part(["me", "list", "edges", 1], label, ["node": ["id": "2"], "cursor": "y"]),
        Self.part(["me", "list", "edges", 0], "TestQuery$defer$E", ["note": "n"]),
        Self.part(["me", "list", "pageInfo"], "TestQuery$defer$P", ["startCursor": "x"]),
        Self.part(["me", "list", "edges", 1], "TestQuery$defer$E", ["note": nil]),
        [
          "path": ["me", "list"], "label": "TestQuery$defer$C", "data": nil, "hasNext": false,
          "errors": [["message": "no", "path": ["me", "list", "total"]]],
        ],
      ],
      leadTo: [
        "data": [
          "me": [
            "id": "1",
            "list": [
              "edges": [
                ["node": nil, "cursor": "x", "note": "n"],
                ["node": ["id": "2"], "cursor": "y", "note": nil],
              ], "pageInfo": ["hasNextPage": false, "endCursor": "y", "startCursor": "x"],
              "total": nil,
            ],
          ]
        ], "errors": [["message": "no", "path": ["me", "list", "total"]]],
      ])
  }
  @Test(
    "a connection is pending while its edges are streamed, and continues after the last of them")
  func interruptedConnection() async throws {
    let document = """
      query TestQuery { me { id list(first: 3) @connection(key: "TestQuery_list") {
        edges @stream(initialCount: 1) { node { id } }
      } } }
      """
    let test = try Self.fixture(document)
    let task = test.fetch()
    func edge(_ id: String) -> JSONValue {
      ["cursor": .string("c" + id), "node": ["id": .string(id), "__typename": "User"]]
    }
    await test.transport.send([
      "hasNext": true,
      "data": [
        "me": [
          "id": "1",
          "list": [
            "edges": [edge("2")],
            "pageInfo": ["hasNextPage": false, "endCursor": "c4", "hasPreviousPage": false],
          ],
        ]
      ],
    ])
    func snapshot() -> RowSnapshot {
      test.store.read(.record(.root, test.selection.reader, in: test.request.scope))
    }
    #expect(snapshot().pending == [PendingPart(owner: "TestQuery", label: "edges")])
    await test.transport.send(
      Self.part(["me", "list", "edges", 1], "TestQuery$stream$edges", edge("3")))
    #expect(snapshot().pending.count == 1)
    #expect(test.store.dump().contains(#""endCursor":"c4""#))
    test.transport.finish()
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(snapshot().pending.isEmpty && !test.request.isAvailable(in: test.store))
    let id = DataID("1").child(storageKey: #"__TestQuery_list_connection"#)
    let info = test.store.read(
      .record(
        id,
        SelectionPlan("F UserConnection{pageInfo PageInfo{endCursor String hasNextPage Boolean}}"),
        in: test.request.scope))
    #expect(info.row?.json["pageInfo"] == ["endCursor": "c3", "hasNextPage": true])
  }
}
