import Testing

@testable import RelayStore

@Suite(.timeLimit(.minutes(10))) struct ReaderTests {
  @Test("an object of unknown type is missing once, regardless of the number of type conditions")
  func missingOnce() throws {
    let test = TestStore()
    try test.write(SelectionPlan("Query{node Node{id ID!}}"), ["node": ["id": "n"]])
    try test.environment.commitUpdate { store in
      let node = try store.create("unknown", type: "Other")
      try store.root.setLinkedRecord(node, for: "node")
    }
    let plan = SelectionPlan(
      "Query{node *Node{__typename String! ...on *A{a Int} ...on *B{b Int}}}")
    #expect(test.read(plan).missing.map(\.description) == ["node"])
  }

  @Test("a fragment reads nothing and misses nothing if its type condition excludes the record")
  func wrongType() throws {
    let test = TestStore()
    try test.write(
      SelectionPlan("Query{node *Node{__typename String! id ID!}}"),
      ["node": ["__typename": "Post", "id": "p"]])
    let onUser = SelectionPlan("User{id ID! name String}")
    let wrong = test.read(onUser, id: "p")
    #expect(wrong.row == nil && wrong.missing.isEmpty && !wrong.isDeleted)
    let types = AbstractTypes("Named=User;Node=User|Post")
    let onNamed = test.read(
      SelectionPlan("*Named{__typename String! name String}", types: types), id: "p")
    #expect(onNamed.row == nil && onNamed.missing.isEmpty)
    let onNode = test.read(SelectionPlan("*Node{__typename String! id ID!}", types: types), id: "p")
    #expect(onNode.row != nil)
    // The server's discriminator overrides the compiled schema.
    try test.write(
      SelectionPlan(
        "Query{node *Node{__typename String! id ID! ...on *Named{__isNamed:__typename String! name String}}}"
      ),
      ["node": ["__typename": "Post", "id": "p", "__isNamed": "Post", "name": "n"]])
    let now = SelectionPlan("*Named{__typename String! name String}", types: types)
    #expect(test.json(now, id: "p")?["name"] == "n")
  }

  @Test("written values are read under the reader's own aliases")
  func roundTrip() throws {
    let test = TestStore()
    try test.write(
      SelectionPlan("Query{me User{id ID! name String! tags [String] score Float blob Any}}"),
      ["me": ["id": "u", "name": "Ada", "tags": ["a", nil], "score": 1, "blob": ["k": [1]]]])
    let read = test.json(
      SelectionPlan("Query{user:me User{label:name String! tags [String] score Float blob Any}}"))
    #expect(
      read == ["user": ["label": "Ada", "tags": ["a", nil], "score": 1, "blob": ["k": [1]]]])
  }

  @Test("fields that were never written are missing, each with its path")
  func missing() throws {
    let test = TestStore()
    try test.write(
      SelectionPlan("Query{me User{id ID! friends [User{id ID!}]}}"),
      ["me": ["id": "u", "friends": [["id": "f1"], ["id": "f2"]]]])
    let snapshot = test.read(
      SelectionPlan("Query{me User{id ID! age Int friends [User{name String}]}}"))
    #expect(
      snapshot.missing.map(\.description) == ["me.age", "me.friends[0].name", "me.friends[1].name"])
    #expect(snapshot.row?.json["me"]?["id"] == "u")
  }

  @Test("a null in a non-null position propagates to the nearest nullable one")
  func bubbling() throws {
    let test = TestStore()
    try test.write(
      SelectionPlan("Query{me User{id ID! pets [Pet{id ID! name String}]}}"),
      ["me": ["id": "u", "pets": [["id": "p1", "name": "Rex"], ["id": "p2", "name": nil]]]])
    let item = test.read(SelectionPlan("Query{me User{id ID! pets [Pet{name String!}]}}"))
    #expect(item.row?.json == ["me": ["id": "u", "pets": [["name": "Rex"], nil]]])
    #expect(item.missing.map(\.description) == ["me.pets[1].name"])
    let list = test.read(SelectionPlan("Query{me User{id ID! pets [Pet{name String!}!]}}"))
    #expect(list.row?.json == ["me": ["id": "u", "pets": nil]])
    let object = test.read(SelectionPlan("Query{me User{id ID! pets [Pet{name String!}!]!}}"))
    #expect(object.row?.json == ["me": nil])
    let root = test.read(SelectionPlan("Query{me User{id ID! pets [Pet{name String!}!]!}!}"))
    #expect(root.row == nil)
    #expect(root.missing.map(\.description) == ["me.pets[1].name"])
  }

  @Test("a value of another kind than the reader expects is missing")
  func wrongKinds() throws {
    let test = TestStore()
    try test.write(
      SelectionPlan("Query{a Any b Any c Any d Any}"), ["a": 1, "b": "x", "c": [1], "d": ["k": 1]])
    let snapshot = test.read(
      SelectionPlan("Query{a String b Int c Boolean d [Float] b2:b User{id ID} a2:a [Int]}"))
    #expect(snapshot.missing.map(\.description) == ["a", "b", "c", "d", "b2", "a2"])
    try test.write(SelectionPlan("Query{f Any}"), body: Array(#"{"data":{"f":1e400}}"#.utf8))
    #expect(test.read(SelectionPlan("Query{f Float}")).missing.map(\.description) == ["f"])
  }

  @Test("a condition on a concrete type holds for that type only; otherwise its slots are absent")
  func conditions() throws {
    let test = TestStore()
    let plan = SelectionPlan(
      "Query{hero *Character{__typename String! id ID! ...on Droid{model String} ...on Human{height Float}}}"
    )
    try test.write(plan, ["hero": ["__typename": "Droid", "id": "d", "model": "R2"]])
    let snapshot = test.read(plan)
    #expect(snapshot.row?.json == ["hero": ["__typename": "Droid", "id": "d", "model": "R2"]])
    #expect(snapshot.missing.isEmpty)
  }

  @Test("a type condition on the root is decided by the root's type")
  func rootConditions() throws {
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
    let types = AbstractTypes("Actor=User")
    let read = SelectionPlan(
      "Query{node *Node{__typename String! ...on *Actor{login String}}}", types: types)
    func snapshot(_ typeName: String, serverSays: String?) throws -> RowSnapshot {
      let test = TestStore()
      if serverSays != nil {
        try test.write(
          SelectionPlan(
            "Query{node *Node{__typename String! id ID! ...on *Actor{__isActor:__typename String! login String}}}"
          ),
          [
            "node": [
              "__typename": .string(typeName), "id": "x", "login": "ada",
              "__isActor": .string(typeName),
            ]
          ])
      } else {
        try test.write(
          SelectionPlan("Query{node *Node{__typename String! id ID! login String}}"),
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
      SelectionPlan("Query{a User{id ID! name String} list [User{id ID!}]}"),
      ["a": ["id": "u", "name": "Ada"], "list": [["id": "u"], ["id": "v"]]])
    try test.environment.commitUpdate { try $0.delete("u") }
    let plan = SelectionPlan("Query{a User{id ID!} list [User{id ID!}]}")
    let snapshot = test.read(plan)
    #expect(snapshot.row?.json == ["a": nil, "list": [nil, ["id": "v"]]])
    #expect(snapshot.missing.isEmpty)
    #expect(test.read(SelectionPlan("User{id ID!}"), id: "u").isDeleted)
    let unknown = test.read(SelectionPlan("User{id ID!}"), id: "nobody")
    #expect(unknown.row == nil && !unknown.isDeleted && unknown.missing == [[]])
  }

  @Test("a field excluded by variables is absent and not missing")
  func variableConditions() throws {
    let test = TestStore()
    let plan = SelectionPlan("Query{a Int ...if $on{b Int} ...if !$on{c Int}}")
    try test.write(plan, ["a": 1, "b": 2], variables: ["on": true])
    #expect(test.json(plan, variables: ["on": true]) == ["a": 1, "b": 2])
    #expect(test.read(plan, variables: ["on": false]).missing.map(\.description) == ["c"])
  }

  @Test("records with cyclic links are read to the depth of the plan")
  func cycles() throws {
    let test = TestStore()
    let plan = SelectionPlan("Query{a User{id ID! friend User{id ID! friend User{id ID!}}}}")
    try test.write(plan, ["a": ["id": "x", "friend": ["id": "y", "friend": ["id": "x"]]]])
    #expect(test.json(plan)?["a"]?["friend"]?["friend"]?["id"] == "x")
  }

  @Test(
    "a spread refers to its record with its own arguments and the operation variables that it uses"
  )
  func spreads() throws {
    let test = TestStore()
    try test.write(
      SelectionPlan("Query{me User{id ID! photo(size:$size) Photo{url String!}}}"),
      ["me": ["id": "u", "photo": ["url": "p"]]], variables: ["size": 3])
    let snapshot = test.read(
      SelectionPlan("Query{me User{...Avatar(big:$size)<$dark>}}"),
      variables: ["size": 3, "dark": true])
    guard case .row(let me)? = snapshot.row?.slots[0].value else { return #expect(Bool(false)) }
    let reference: FragmentRef<User_name> = Row(me).spread(0)
    #expect(
      reference.target
        == .record("u", VariableScope(operation: ["dark": true], arguments: ["big": 3])))
  }
}
