import Testing

@testable import RelayStore

/// A record is read on the fast path once the layout of its shape is cached. The result must equal
/// the first read's result.
@Suite("The fast path of reads", .timeLimit(.minutes(1)))
struct FastPathTests {
  private static let schema = """
    type Query { users: [User] node: Node }
    interface Node { id: ID! }
    type User implements Node { id: ID! name: String! age: Int score: Float best: User! friend: User }
    type Pet implements Node { id: ID! name: String! age: Int score: Float best: User! friend: User }
    """

  private static func selection(_ document: String) -> TestSelection {
    TestSelection(document, schema: schema)
  }

  private static let query = selection(
    "{ users { id name age score best { id name } friend { id name } } }")
  private static let fragments = [
    "fragment F on User { name age score best { name } friend { name } }",
    "fragment F on Node { ... on User { name } id }", "fragment F on Node { id }",
  ].map(selection)

  private static func user(_ id: String, _ changes: JSONObject = [:]) -> JSONValue {
    var user: JSONObject = [
      "id": .string(id), "name": "Ada", "age": 36, "score": 1.5,
      "best": ["id": "best", "name": "Bob"], "friend": ["id": "friend", "name": "Eve"],
    ]
    for member in changes.members { user[member.key] = member.value }
    return .object(user)
  }

  /// A store with users of one shape: the first is complete, and each of the others breaks an
  /// assumption of the fast path.
  private static func store() throws -> TestStore {
    let test = TestStore()
    try test.write(
      query,
      [
        "users": [
          user("whole"), user("no-best", ["best": nil]), user("no-friend", ["friend": nil]),
          user("no-name", ["name": nil]), user("wrong"),
          user("large", ["score": 1e300]), user("error", ["age": nil]),
          user("deleted-friend", ["friend": ["id": "deleted", "name": "Zoe"]]),
          user("deleted-best", ["best": ["id": "deleted", "name": "Zoe"]]), user("removed"),
        ]
      ],
      errors: [["message": "no age", "path": ["users", 6, "age"]]])
    let other = TestSelection(
      "{ users { id age } }",
      schema: "type Query { users: [User] } type User { id: ID! age: String }")
    try test.write(other, ["users": [["id": "wrong", "age": "old"]]])
    try test.environment.commitUpdate { store in
      try store.delete("deleted")
      try store.delete("removed")
    }
    return test
  }

  private static let ids: [DataID] = [
    "whole", "no-best", "no-friend", "no-name", "wrong", "large", "error", "deleted-friend",
    "deleted-best", "removed", "unknown",
  ]

  @Test("a record is read as in a store that has read nothing", arguments: fragments.indices)
  func sameAsFirst(_ fragment: Int) throws {
    let fragment = Self.fragments[fragment]
    let test = try Self.store()
    for id in Self.ids {
      let first = try Self.store().read(fragment, id: id)
      _ = test.read(fragment, id: "whole")
      let later = test.read(fragment, id: id)
      #expect(!later.isDifferent(from: first), "\(id)")
      #expect(later.row.map { $0.json } == first.row.map { $0.json }, "\(id)")
      #expect(later.missing == first.missing, "\(id)")
      #expect(later.seenIDs == first.seenIDs, "\(id)")
      #expect(Set(later.seen) == Set(first.seen), "\(id)")
      #expect(later.isWhole == first.isWhole, "\(id)")
    }
  }

  @Test("null that the schema forbids makes the object null, also after a whole one")
  func illegalNull() throws {
    let test = try Self.store()
    #expect(test.read(Self.fragments[0], id: "whole").row != nil)
    for _ in 0..<2 {
      let snapshot = test.read(Self.fragments[0], id: "no-best")
      #expect(snapshot.row == nil)
      #expect(snapshot.missing.map(\.description) == ["best"])
    }
  }

  @Test("a change of a record that the fast path has seen is delivered")
  func seen() throws {
    let test = try Self.store()
    _ = test.read(Self.fragments[0], id: "whole")
    let count = Locked(0)
    let observation = test.store.readAndObserve(
      .record(
        "large", Self.fragments[0].reader, in: VariableScope(operation: [:])
      )
    ) { _ in count.withLock { $0 += 1 } }.observation
    for (position, id) in ["large", "best", "friend"].enumerated() {
      try test.environment.commitUpdate { try $0[DataID(id)]?.setValue("New", for: "name") }
      #expect(count.withLock { $0 } == position + 1, "\(id)")
    }
    observation.cancel()
  }

  @Test("a type schema record that decides whether a fragment matches is seen")
  func typeSchema() throws {
    let test = TestStore()
    let named = Self.selection("fragment F on Node { id }")
    try test.write(
      Self.selection("{ node { __typename id } }"), ["node": ["__typename": "User", "id": "u"]])
    let first = Set(test.read(named, id: "u").seen)
    #expect(Set(test.read(named, id: "u").seen) == first)
    #expect(first.count == 2)
  }

  @Test("what a response says about a type holds for reads after it")
  func typesLearnedLater() throws {
    let test = TestStore()
    let fragment = TestSelection("fragment F on Actor { login }")
    try test.write(
      TestSelection(#"{ node(id: "c") { ... on Owner { login } } }"#),
      ["node": ["__typename": "Comet", "id": "c", "__isOwner": "Comet", "login": "halley"]])
    for _ in 0..<2 { #expect(test.read(fragment, id: "c").row?.json["login"] == "halley") }
    for isActor in [false, true, false] {
      let name: JSONValue = isActor ? "Comet" : nil
      try test.write(
        TestSelection(#"{ other: node(id: "d") { ... on Actor { __typename } } }"#),
        ["other": ["__typename": "Comet", "id": "d", "__isActor": name]])
      for _ in 0..<2 { #expect((test.read(fragment, id: "c").row != nil) == isActor) }
    }
  }

  /// Selections on `Node`, with the values of a user and a pet.
  private static let conditions: [(String, user: JSONObject, pet: JSONObject)] = [
    ("... on User { name } ... on Pet { id }", ["name": "Ada"], ["id": "p"]),
    ("... on User { id age } ... on Pet { id }", ["id": "u", "age": 36], ["id": "p"]),
    ("... on User { ... on User { best { name } } }", ["best": ["name": "Bob"]], [:]),
    ("... on User { name @skip(if: true) age }", ["age": 36], [:]),
    ("... on User @include(if: false) { name } id", ["id": "u"], ["id": "p"]),
    ("id ... on User { id name }", ["id": "u", "name": "Ada"], ["id": "p"]),
    ("id @skip(if: true) ... on User { id }", ["id": "u"], [:]),
    (
      "... on User { best { id } } ... on User { best { name } }",
      ["best": ["id": "best", "name": "Bob"]], [:]
    ),
  ]

  @Test("the type of a record decides a condition on an object type", arguments: conditions.indices)
  func typeConditions(_ number: Int) throws {
    let (document, user, pet) = Self.conditions[number]
    let test = TestStore()
    try test.write(
      Self.selection("{ users { id name age best { id name } } }"),
      ["users": [["id": "u", "name": "Ada", "age": 36, "best": ["id": "best", "name": "Bob"]]]])
    try test.write(
      Self.selection("{ node { __typename id } }"), ["node": ["__typename": "Pet", "id": "p"]])
    let fragment = Self.selection("fragment F on Node { \(document) }")
    for (id, type, values) in [("u", "User", user), ("p", "Pet", pet), ("u", "User", user)] {
      let row = try #require(test.read(fragment, id: DataID(id)).row)
      var expected = values
      expected["__typename"] = .string(type)
      #expect(row.json == expected)
      #expect(row.layout.shape != nil, "refers to the record")
    }
  }

  @Test(
    "a row stores its values if the record's type does not decide which of them it has",
    arguments: [
      ("*Node{...on User{id ID!} ...on Pet{id ID!}}", true),
      ("*Node{...on Pet{id ID!} ...on User{name String!}}", true),
      ("*Node{...on Pet{age Int}}", true), ("*Node{...on User{age Int}}", false),
      ("*Node{id ID! ...on User{id ID!}}", false), ("*Node{...on *Node{id ID!}}", false),
      ("*Node{...on User{id ID!} ...on *Node{name String!}}", false),
    ] as [(StaticString, Bool)])
  func layouts(_ plan: StaticString, _ hasLayout: Bool) {
    let test = TestStore()
    let keys = test.store.state.withLock { $0.source.keys }
    let shape = RecordShape(
      typeName: "User", keys: .init([keys.intern("id"), keys.intern("name")]))
    let layout = RowLayout(test.store.bind(SelectionPlan(plan), variables: [:]), shape: shape)
    #expect((layout != nil) == hasLayout)
  }

  @Test("two pairs of plan and shape that are used in turn do not evict each other")
  func cachedPairs() {
    let store = TestStore().store
    let shapes = ["User", "Pet", nil].map { RecordShape(typeName: $0, keys: []) }
    let selection = SelectionPlan("T{a(n:$n) Int}")
    let pairs = (0..<200).flatMap { number in
      let plan = store.bind(selection, variables: ["n": .number(JSONNumber(number))])
      return shapes.map { (plan: plan, shape: $0) }
    }
    func isCached(_ pair: (plan: BoundPlan, shape: RecordShape), in cache: LayoutCache) -> Bool {
      cache.cached(planID: ObjectIdentifier(pair.plan), shapeID: ObjectIdentifier(pair.shape))
        != nil
    }
    for pair in pairs.dropFirst() {
      var cache = LayoutCache()
      for used in [pairs[0], pair] { cache.insert(nil, plan: used.plan, shape: used.shape) }
      #expect(isCached(pairs[0], in: cache) && isCached(pair, in: cache))
      #expect(pairs.filter { isCached($0, in: cache) }.count == 2)
    }
    var cache = LayoutCache()
    for pair in pairs { cache.insert(nil, plan: pair.plan, shape: pair.shape) }
    #expect(pairs.filter { isCached($0, in: cache) }.count <= 64)
  }
}
