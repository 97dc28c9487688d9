import Testing

@testable import RelayStore

@Suite(.timeLimit(.minutes(1))) struct ReaderTests {
  private static let schema = """
    scalar Any

    type Query {
      me: User
      node: Node
      hero: Character
      list: [User]
      a: Int
      b: Int
      c: Int
    }

    interface Node { id: ID! }
    interface Named { name: String }
    interface Rated { score: Float }

    type User implements Node & Named & Rated {
      id: ID!
      name: String
      age: Int
      tags: [String]
      score: Float
      blob: Any
      friend: User
      friends: [User]
      photo(size: Int): Photo
    }
    type Post implements Node { id: ID! }
    type Photo { url: String! }

    interface Character { id: ID! }
    type Droid implements Character { id: ID! model: String }
    type Human implements Character { id: ID! height: Float }
    """

  private func selection(_ document: String) -> TestSelection {
    TestSelection(document, schema: Self.schema)
  }

  @Test("each of many plans is bound to its own variables, also when it is bound again")
  func manyPlans() {
    var reader = RecordReader()
    let (bindings, names) = (PlanBindings(), KeyTable())
    let plans = (0..<300).map { _ in SelectionPlan("Query{a(first:$first) Int}") }
    let scopes = (0..<3).map { VariableScope(operation: ["first": .number(JSONNumber($0))]) }
    for _ in 0..<2 {
      for plan in plans {
        for scope in scopes + scopes.reversed() {
          let bound = reader.bind(plan, in: scope, isRoot: false, bindings, names: names)
          let first = scope.operation["first"].map { "a(first:\($0))" }
          #expect(bound.plan === plan && bound.storageKeys.first == first)
        }
      }
    }
  }

  @Test("an object of unknown type is missing once, regardless of the number of type conditions")
  func missingOnce() throws {
    let test = TestStore()
    try test.write(selection("{ node { id } }"), ["node": ["__typename": "Post", "id": "n"]])
    try test.environment.commitUpdate { store in
      let node = try store.create("unknown", type: "Other")
      try store.root.setLinkedRecord(node, for: "node")
    }
    let query = selection("{ node { ... on Named { name } ... on Rated { score } } }")
    #expect(test.read(query).missing.map(\.description) == ["node"])
  }

  @Test("a fragment reads nothing and misses nothing if its type condition excludes the record")
  func wrongType() throws {
    let test = TestStore()
    try test.write(selection("{ node { id } }"), ["node": ["__typename": "Post", "id": "p"]])
    let wrong = test.read(selection("fragment F on User { id name }"), id: "p")
    #expect(wrong.row == nil && wrong.missing.isEmpty && !wrong.isDeleted)
    let named = selection("fragment F on Named { name }")
    let onNamed = test.read(named, id: "p")
    #expect(onNamed.row == nil && onNamed.missing.isEmpty)
    let onNode = test.read(selection("fragment F on Node { id }"), id: "p")
    #expect(onNode.row != nil)
    // The server's discriminator overrides the compiled schema.
    try test.write(
      selection("{ node { id ... on Named { name } } }"),
      ["node": ["__typename": "Post", "id": "p", "__isNamed": "Post", "name": "n"]])
    #expect(test.json(named, id: "p")?["name"] == "n")
  }

  @Test("written values are read under the reader's own aliases")
  func roundTrip() throws {
    let test = TestStore()
    try test.write(
      selection("{ me { id name tags score blob } }"),
      ["me": ["id": "u", "name": "Ada", "tags": ["a", nil], "score": 1, "blob": ["k": [1]]]])
    let read = test.json(selection("{ user: me { label: name tags score blob } }"))
    #expect(
      read == ["user": ["label": "Ada", "tags": ["a", nil], "score": 1, "blob": ["k": [1]]]])
  }

  @Test("fields that were never written are missing, each with its path")
  func missing() throws {
    let test = TestStore()
    try test.write(
      selection("{ me { id friends { id } } }"),
      ["me": ["id": "u", "friends": [["id": "f1"], ["id": "f2"]]]])
    let snapshot = test.read(selection("{ me { id age friends { name } } }"))
    #expect(
      snapshot.missing.map(\.description) == ["me.age", "me.friends[0].name", "me.friends[1].name"])
    #expect(snapshot.row?.json["me"]?["id"] == "u")
  }

  @Test("a null in a non-null position propagates to the nearest nullable one")
  func bubbling() throws {
    func query(me: String, pets: String) -> TestSelection {
      TestSelection(
        "{ me { id pets { name } } }",
        schema: """
          type Query { me: \(me) }
          type User { id: ID! pets: \(pets) }
          type Pet { id: ID! name: String! }
          """)
    }
    let test = TestStore()
    try test.write(
      query(me: "User", pets: "[Pet]"),
      ["me": ["id": "u", "pets": [["id": "p1", "name": "Rex"], ["id": "p2", "name": nil]]]])
    let item = test.read(query(me: "User", pets: "[Pet]"))
    #expect(item.row?.json == ["me": ["id": "u", "pets": [["name": "Rex"], nil]]])
    #expect(item.missing.map(\.description) == ["me.pets[1].name"])
    let list = test.read(query(me: "User", pets: "[Pet!]"))
    #expect(list.row?.json == ["me": ["id": "u", "pets": nil]])
    let object = test.read(query(me: "User", pets: "[Pet!]!"))
    #expect(object.row?.json == ["me": nil])
    let root = test.read(query(me: "User!", pets: "[Pet!]!"))
    #expect(root.row == nil)
    #expect(root.missing.map(\.description) == ["me.pets[1].name"])
  }

  @Test("a value of another kind than the reader expects is missing")
  func wrongKinds() throws {
    func selection(_ document: String, fields: String) -> TestSelection {
      TestSelection(
        document,
        schema: """
          scalar Any
          type Query { \(fields) }
          type User { id: ID }
          """)
    }
    let test = TestStore()
    try test.write(
      selection("{ a b c d }", fields: "a: Any b: Any c: Any d: Any"),
      ["a": 1, "b": "x", "c": [1], "d": ["k": 1]])
    let leaves = selection("{ a b c d }", fields: "a: String b: Int c: Boolean d: [Float]")
    #expect(test.read(leaves).missing.map(\.description) == ["a", "b", "c", "d"])
    let others = selection("{ b2: b { id } a2: a }", fields: "b: User a: [Int]")
    #expect(test.read(others).missing.map(\.description) == ["b2", "a2"])
    try test.write(
      selection("{ f }", fields: "f: Any").normalization,
      body: Array(#"{"data":{"f":1e400}}"#.utf8))
    let number = selection("{ f }", fields: "f: Float")
    #expect(test.read(number).missing.map(\.description) == ["f"])
  }

  @Test("a condition on a concrete type holds for that type only; otherwise its slots are absent")
  func conditions() throws {
    let test = TestStore()
    let query = selection("{ hero { id ... on Droid { model } ... on Human { height } } }")
    try test.write(query, ["hero": ["__typename": "Droid", "id": "d", "model": "R2"]])
    let snapshot = test.read(query)
    #expect(snapshot.row?.json == ["hero": ["__typename": "Droid", "id": "d", "model": "R2"]])
    #expect(snapshot.missing.isEmpty)
  }

  @Test("a type condition on the root is decided by the root's type")
  func rootConditions() throws {
    // A handwritten plan: in a document's plan, conditions that always hold are dissolved.
    let test = TestStore()
    let plan = SelectionPlan(
      "Query{__typename String! ...on *Node{a Int} ...on Query{b Int}}",
      types: AbstractTypes("Node=Query"))
    try test.write(plan, ["__typename": "Query", "a": 1, "b": 2])
    #expect(test.json(plan) == ["__typename": "Query", "a": 1, "b": 2])
    #expect(test.read(plan).missing.isEmpty)
  }

  @Test(
    "an abstract type condition is decided by the server, then by the schema; otherwise the object is missing"
  )
  func abstractConditions() throws {
    func selection(_ document: String) -> TestSelection {
      TestSelection(
        document,
        schema: """
          type Query { node: Node }
          interface Node { id: ID! login: String }
          interface Actor { login: String }
          type User implements Node & Actor { id: ID! login: String }
          """)
    }
    let read = selection("{ node { ... on Actor { login } } }")
    func snapshot(_ typeName: String, serverSays: String?) throws -> RowSnapshot {
      let test = TestStore()
      if serverSays != nil {
        try test.write(
          selection("{ node { id ... on Actor { login } } }"),
          [
            "node": [
              "__typename": .string(typeName), "id": "x", "login": "ada",
              "__isActor": .string(typeName),
            ]
          ])
      } else {
        try test.write(
          selection("{ node { id login } }"),
          ["node": ["__typename": .string(typeName), "id": "x", "login": "ada"]])
      }
      return test.read(read)
    }
    #expect(try snapshot("Comet", serverSays: "yes").row?.json["node"]?["login"] == "ada")
    #expect(try snapshot("User", serverSays: nil).row?.json["node"]?["login"] == "ada")
    let unknown = try snapshot("Comet", serverSays: nil)
    #expect(unknown.row?.json["node"]?["login"] == nil)
    #expect(unknown.missing.map(\.description) == ["node"])
  }

  @Test("a link to a deleted record is null, and a link to an unknown record is missing")
  func deletedAndUnknown() throws {
    let test = TestStore()
    try test.write(
      selection("{ a: me { id name } list { id } }"),
      ["a": ["id": "u", "name": "Ada"], "list": [["id": "u"], ["id": "v"]]])
    try test.environment.commitUpdate { try $0.delete("u") }
    let snapshot = test.read(selection("{ a: me { id } list { id } }"))
    #expect(snapshot.row?.json == ["a": nil, "list": [nil, ["id": "v"]]])
    #expect(snapshot.missing.isEmpty)
    let user = selection("fragment F on User { id }")
    #expect(test.read(user, id: "u").isDeleted)
    let unknown = test.read(user, id: "nobody")
    #expect(unknown.row == nil && !unknown.isDeleted && unknown.missing == [[]])
  }

  @Test("a field excluded by variables is absent and not missing")
  func variableConditions() throws {
    let test = TestStore()
    let query = selection("query Q($on: Boolean!) { a b @include(if: $on) c @skip(if: $on) }")
    try test.write(query, ["a": 1, "b": 2], variables: ["on": true])
    #expect(test.json(query, variables: ["on": true]) == ["a": 1, "b": 2])
    #expect(test.read(query, variables: ["on": false]).missing.map(\.description) == ["c"])
  }

  @Test("records with cyclic links are read to the depth of the selection")
  func cycles() throws {
    let test = TestStore()
    let query = selection("{ a: me { id friend { id friend { id } } } }")
    try test.write(query, ["a": ["id": "x", "friend": ["id": "y", "friend": ["id": "x"]]]])
    #expect(test.json(query)?["a"]?["friend"]?["friend"]?["id"] == "x")
  }

  @Test(
    "a spread refers to its record with its own arguments and the operation variables that it uses"
  )
  func spreads() throws {
    let test = TestStore()
    try test.write(
      selection("query Q($size: Int) { me { id photo(size: $size) { url } } }"),
      ["me": ["id": "u", "photo": ["url": "p"]]], variables: ["size": 3])
    let snapshot = test.read(
      selection(
        """
        query Q($size: Int, $dark: Boolean!) {
          me { ...Avatar @arguments(big: $size) }
        }
        fragment Avatar on User @argumentDefinitions(big: { type: "Int" }) {
          photo(size: $big) { url }
          name @include(if: $dark)
        }
        """), variables: ["size": 3, "dark": true])
    guard case .row(let me)? = snapshot.row?.slots[0].value else { return #expect(Bool(false)) }
    let reference: FragmentRef<User_name> = Row(me).spread(0)
    #expect(
      reference.target
        == .record("u", VariableScope(operation: ["dark": true], arguments: ["big": 3])))
  }

  @Test("a row is whole if no field is missing, nullable ones included")
  func whole() throws {
    let test = TestStore()
    let user = selection("{ me { id age friend { id } } }")
    try test.write(user, ["me": ["id": "u", "age": nil, "friend": nil]])
    let whole = test.read(user)
    #expect(whole.row != nil && whole.isWhole && whole.missing.isEmpty)
    let named = test.read(selection("{ me { id name } }"))
    #expect(named.row != nil && !named.isWhole)
    #expect(named.missing.map(\.description) == ["me.name"])
    guard case .failure(let errors) = Snapshot<Row>(named, data: named.row.map { Row($0) }).result
    else { return #expect(Bool(false)) }
    #expect(errors.map(\.path) == [["me", "name"]])
  }

  @Test("an excluded field that another type condition also selects has that condition's value")
  func mergedFromCondition() throws {
    let test = TestStore()
    let query = TestSelection(
      """
      query Q($isNamed: Boolean!, $count: Int) {
        node {
          ... on Named { best @include(if: $isNamed) { name ...F @arguments(count: $count) } }
          ... on Rated { best { ...F @arguments(count: $count) name } }
        }
      }
      fragment F on User @argumentDefinitions(count: {type: "Int"}) {
        friends(first: $count) { id }
      }
      """,
      schema: """
        type Query { node: Node }
        interface Node { id: ID! }
        interface Named { best: User }
        interface Rated { best: User }
        type User implements Node & Named & Rated {
          id: ID! name: String best: User friends(first: Int): [User]
        }
        """)
    let variables: JSONObject = ["isNamed": false, "count": 3]
    try test.write(
      query,
      [
        "node": [
          "__typename": "User", "id": "a", "__isNamed": "User", "__isRated": "User",
          "best": ["id": "b", "name": "Bob", "friends": []],
        ]
      ], variables: variables)
    let row = test.read(query, variables: variables).row?.slot(at: 0).row
    let node = try #require(row)
    let rows = node.plan.slots.indices.filter { node.plan.slots[$0].field?.responseKey == "best" }
      .map { node.slot(at: $0).row }
    #expect(rows.count == 2)
    for best in rows {
      let best = try #require(best)
      #expect(best.json["name"] == "Bob")
      let spread = best.plan.slots.firstIndex {
        if case .spread = $0.content { true } else { false }
      }
      guard case .record(let id, let scope) = best.reference(toSpreadIn: try #require(spread))
      else { return #expect(Bool(false)) }
      #expect(id == "b" && scope.arguments == ["count": 3])
    }
  }
}
