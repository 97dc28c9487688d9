import SeededRandom
import Testing

@testable import RelayStore

@Suite(.timeLimit(.minutes(1))) struct NormalizerTests {
  private static let schema = """
    scalar Any
    scalar BigInt
    enum Role { ADMIN GUEST }

    type Query {
      me: User
      boss: User
      bot: Bot
      viewer: Viewer
      other: Thing
      hero: Character
      node(id: ID): Node
      nodes: [Node]
      items: [Item]
      todos(first: Int): [Todo!]!
      count(of: ID): Int
      grid: [[Cell]!]!
      tags: [[String]]
      blob: Any
      n: Int
      big: BigInt
      f: Float
    }

    interface Node { id: ID! }
    interface Actor { login: String }
    interface Owner { url: String }
    interface Machine { power: Int }
    interface Robot { model: String }

    type User implements Node & Actor {
      id: ID!
      login: String
      name: String
      age: Int
      mail: String
      isAdmin: Boolean
      role: Role
      tags: [String]
      address: Address
      pets: [Pet]
      friends: [User]
      blob: Any
    }
    type Address { city: String! }
    type Pet { name: String! tag: Tag }
    type Tag { n: Int }
    type Todo implements Node { id: ID! text: String! author: User }
    type Bot { id: ID! model: String }
    type Cell { x: Int }
    type Viewer { name: String age: Int }
    type Thing { id: ID! viewer: Viewer }

    type Repo implements Node & Owner { id: ID! url: String }
    type Cyborg implements Node & Actor & Machine & Robot {
      id: ID!
      login: String
      power: Int
      model: String
    }
    type A implements Node { id: ID! foo: Int }
    type B implements Node { id: ID! bar(n: Int): Int }

    interface Character { id: ID! friend: User }
    type Droid implements Character & Node & Machine { id: ID! friend: User power: Int }

    interface Item { id: ID! a: Int b: Int c: Int }
    """

  private func selection(_ document: String) -> TestSelection {
    TestSelection(document, schema: Self.schema)
  }

  private func dump(
    _ document: String, _ data: JSONValue, errors: JSONValue = [], variables: JSONObject = [:]
  ) throws -> JSONValue {
    let test = TestStore()
    try test.write(selection(document), data, errors: errors, variables: variables)
    return try dump(test)
  }

  private func dump(_ test: TestStore) throws -> JSONValue {
    try JSONValue(parsing: Array(test.store.dump().utf8))
  }

  @Test("objects with an id become records of their own, others are identified by their path")
  func identities() throws {
    let dump = try dump(
      "{ me { id name address { city } pets { name } } }",
      [
        "me": [
          "id": "u1", "name": "Ada", "address": ["city": "Turin"],
          "pets": [["name": "Rex"], nil, ["name": "Tom"]],
        ]
      ])
    #expect(
      dump == [
        "client:root": ["__id": "client:root", "__typename": "__Root", "me": ["__ref": "u1"]],
        "u1": [
          "__id": "u1", "__typename": "User", "name": "Ada", "id": "u1",
          "address": ["__ref": "client:u1:address"],
          "pets": ["__refs": ["client:u1:pets:0", nil, "client:u1:pets:2"]],
        ],
        "client:u1:address": [
          "__id": "client:u1:address", "__typename": "Address", "city": "Turin",
        ],
        "client:u1:pets:0": ["__id": "client:u1:pets:0", "__typename": "Pet", "name": "Rex"],
        "client:u1:pets:2": ["__id": "client:u1:pets:2", "__typename": "Pet", "name": "Tom"],
      ])
  }

  @Test(
    "an empty id, 0, false and null identify nothing; a number identifies by its digits",
    arguments: [
      (#""""#, "client:root:me"), ("0", "client:root:me"), ("null", "client:root:me"),
      ("-0.0", "client:root:me"),
      ("12", "12"), ("9007199254740993", "9007199254740993"),
      ("12345678901234567890123", "12345678901234567890123"), ("\"x\"", "x"),
    ])
  func usableIDs(_ id: String, _ expected: String) throws {
    let test = TestStore()
    let body = #"{"data":{"me":{"id":\#(id)}}}"#
    try test.write(selection("{ me { id } }").normalization, body: Array(body.utf8))
    #expect(try dump(test)["client:root"]?["me"] == ["__ref": .string(expected)])
  }

  @Test(
    "the parts of an operation that do not depend on its variables read the same with any variables"
  )
  func otherVariables() throws {
    let query = selection(
      """
      query Q($id: ID!) {
        node(id: $id) {
          id
          ... on User { name pets { name tag { n } } }
          ... on Todo { text author { id name } }
        }
        count(of: $id)
      }
      """)
    let user: JSONValue = [
      "__typename": "User", "id": "u", "name": "Ada",
      "pets": [["name": "Rex", "tag": ["n": 1]], ["name": "Tom", "tag": nil]],
    ]
    let todo: JSONValue = [
      "__typename": "Todo", "id": "t", "text": "Feed", "author": ["id": "u", "name": "Ada"],
    ]
    let test = TestStore()
    try test.write(query, ["node": user, "count": 1], variables: ["id": "u"])
    try test.write(query, ["node": todo, "count": 2], variables: ["id": "t"])
    #expect(test.json(query, variables: ["id": "u"]) == ["node": user, "count": 1])
    #expect(test.json(query, variables: ["id": "t"]) == ["node": todo, "count": 2])
    let root = try dump(test)["client:root"]
    #expect(root?[#"node(id:"t")"#] == ["__ref": "t"] && root?[#"count(of:"u")"#] == 1)
  }

  @Test("the id may come after the objects below it")
  func lateID() throws {
    let test = TestStore()
    let body = #"{"data":{"me":{"address":{"city":"Turin"},"junk":[{"id":"no"}],"id":"u1"}}}"#
    try test.write(
      selection("{ me { id address { city } } }").normalization, body: Array(body.utf8))
    #expect(try dump(test)["u1"]?["address"] == ["__ref": "client:u1:address"])
  }

  @Test("the ids of objects in nested lists have the index at every level")
  func nestedLists() throws {
    let dump = try dump(
      "{ grid { x } tags }",
      ["grid": [[["x": 1], nil], []], "tags": [["a", nil], nil]])
    #expect(
      dump["client:root"]?["grid"]
        == [["__refs": ["client:root:grid:0:0", nil]], ["__refs": []]])
    #expect(dump["client:root"]?["tags"] == [["a", nil], nil])
  }

  @Test("a Viewer without an id is one record everywhere")
  func viewer() throws {
    let dump = try dump(
      "{ viewer { name } other { id viewer { age } } }",
      ["viewer": ["name": "Ada"], "other": ["id": "t", "viewer": ["age": 36]]])
    #expect(dump["client:root:viewer"]?["name"] == "Ada")
    #expect(dump["client:root:viewer"]?["age"] == 36)
    #expect(dump["t"]?["viewer"] == ["__ref": "client:root:viewer"])
  }

  @Test("storage keys contain arguments but no aliases")
  func aliases() throws {
    let dump = try dump(
      "query Q($n: Int) { mine: todos(first: $n) { id label: text } }",
      ["mine": [["id": "1", "label": "a"]]], variables: ["n": 2])
    #expect(dump["client:root"]?["todos(first:2)"] == ["__refs": ["1"]])
    #expect(dump["1"]?["text"] == "a")
  }

  @Test("a record that occurs twice in a response has the fields of both; the last value wins")
  func sameRecordTwice() throws {
    let dump = try dump(
      "{ a: me { id name age } b: boss { id name mail } }",
      ["a": ["id": "u", "name": "old", "age": 1], "b": ["id": "u", "name": "new", "mail": "m"]])
    #expect(dump["u"]?["name"] == "new" && dump["u"]?["age"] == 1 && dump["u"]?["mail"] == "m")
  }

  @Test("a record of another type replaces the record with its id")
  func typeCollision() throws {
    let test = TestStore()
    try test.write(selection("{ a: me { id name } }"), ["a": ["id": "1", "name": "Ada"]])
    try test.write(selection("{ b: bot { id model } }"), ["b": ["id": "1", "model": "T"]])
    #expect(
      try dump(test)["1"] == ["__id": "1", "__typename": "Bot", "id": "1", "model": "T"])
  }

  @Test(
    "a response key shared by conditions is written for the object's type, wherever __typename stands"
  )
  func sharedKeys() throws {
    let query = selection("{ nodes { id ... on A { x: foo } ... on B { x: bar(n: 1) } } }")
    let test = TestStore()
    let body =
      #"{"data":{"nodes":[{"__typename":"A","id":"a","x":1},{"x":2,"id":"b","__typename":"B"}]}}"#
    try test.write(query.normalization, body: Array(body.utf8))
    let dump = try dump(test)
    #expect(dump["a"] == ["__id": "a", "__typename": "A", "id": "a", "foo": 1])
    #expect(dump["b"] == ["__id": "b", "__typename": "B", "id": "b", "bar(n:1)": 2])
  }

  @Test("a linked field selected by an object and by its type condition has the selections of both")
  func overlappingLinks() throws {
    let dump = try dump(
      "{ hero { id friend { id name } ... on Droid { friend { id age } } } }",
      ["hero": ["__typename": "Droid", "id": "d", "friend": ["id": "f", "name": "Ada", "age": 3]]])
    #expect(dump["f"]?["name"] == "Ada" && dump["f"]?["age"] == 3)
  }

  @Test("the server's discriminators are stored in the record of the concrete type")
  func abstractTypes() throws {
    let dump = try dump(
      "{ nodes { id ... on Actor { login } } }",
      [
        "nodes": [
          ["__typename": "User", "id": "u", "__isActor": "User", "login": "ada"],
          ["__typename": "Repo", "id": "r"],
        ]
      ])
    #expect(dump["client:__type:User"]?["__isActor"] == true)
    #expect(dump["client:__type:Repo"]?["__isActor"] == false)
    #expect(dump["u"] == ["__id": "u", "__typename": "User", "id": "u", "login": "ada"])
  }

  @Test(
    "a type is recorded as not implementing an interface only if its discriminator was requested")
  func unaskedDiscriminators() throws {
    let dump = try dump(
      """
      query Q($on: Boolean!) {
        nodes {
          id
          ... on Actor { login }
          ... on Owner @include(if: $on) { url }
          ... on Machine {
            ... on Robot { model }
            ... on Actor { login }
          }
        }
      }
      """,
      [
        "nodes": [
          ["__typename": "User", "id": "u", "__isActor": "User"],
          ["__typename": "Droid", "id": "d", "__isMachine": "Droid"],
        ]
      ], variables: ["on": false])
    #expect(
      dump["client:__type:User"]
        == [
          "__id": "client:__type:User", "__typename": "__TypeSchema", "__isActor": true,
          "__isMachine": false,
        ])
    #expect(
      dump["client:__type:Droid"] == [
        "__id": "client:__type:Droid", "__typename": "__TypeSchema", "__isActor": false,
        "__isMachine": true, "__isRobot": false,
      ])
  }

  @Test("the path of an error may have any length")
  func longErrorPath() throws {
    let path = JSONValue.array(["me"] + Array(repeating: 1, count: 200_000))
    let dump = try dump(
      "{ me { id } }", ["me": nil], errors: [["message": "deep", "path": path]])
    #expect(dump["client:root"]?["__errors"]?["me"]?[0]?["message"] == "deep")
  }

  /// The input is long enough that quadratic time would exceed the suite's time limit.
  @Test("the time to read a response is linear in its length, however often a key is repeated")
  func repeatedKeys() throws {
    let query = selection("{ node { ... on A { x: foo } ... on B { x: bar } } }")
    let body =
      #"{"data":{"node":{"__typename":"A","x":0"# + String(repeating: #","x":1"#, count: 400_000)
      + "}}}"
    let test = TestStore()
    try test.write(query.normalization, body: Array(body.utf8))
    #expect(test.json(query)?["node"] == ["__typename": "A", "x": 1])
  }

  /// The input is long enough that quadratic time would exceed the suite's time limit.
  @Test("the time to read a response is linear in its length, however many types it names")
  func manyTypes() throws {
    let query = selection("{ items { id } }")
    let items = (0..<100_000).map { #"{"__typename":"T\#($0)","id":"\#($0)"}"# }
    let body = #"{"data":{"items":["# + items.joined(separator: ",") + "]}}"
    let test = TestStore()
    try test.write(query.normalization, body: Array(body.utf8))
    let read = test.json(query)?["items"]
    for number in [0, 31, 32, 33, 99_999] {
      #expect(read?[number]?["__typename"] == .string("T\(number)"))
    }
  }

  @Test("objects of one selection set may have many types and lack many fields, in any order")
  func manyShapes() throws {
    let query = selection("{ items { id a b c } }")
    let item = selection("fragment F on Item { id a b c }")
    var random = SeededGenerator(seed: 7)
    var shapes: Set<JSONValue> = []
    let items = (0..<2_000).map { number -> JSONValue in
      var shape: JSONObject = ["__typename": .string("T\(Int.random(in: 0..<9, using: &random))")]
      for field in ["a", "b", "c"] where Bool.random(using: &random) { shape[field] = 1 }
      shapes.insert(.object(shape))
      shape["id"] = .string("i\(number)")
      return .object(shape)
    }
    let test = TestStore()
    let body: JSONValue = ["data": ["items": .array(items)]]
    let reader = ResponseReader(
      plan: test.store.bind(query.normalization, variables: [:]), root: .root,
      operationName: "TestQuery")
    let payload = try #require(try reader.response(body.jsonBytes).payload)
    #expect(shapes.count == 72)
    let own = payload.shapes.filter { $0.typeName?.hasPrefix("T") == true }
    #expect(own.count == 72)
    try test.store.publish([.commit(payload, root: .root)])
    for (number, written) in items.enumerated() {
      let object = try #require(written.object)
      let read = test.json(item, id: DataID("i\(number)"))
      for member in object.members { #expect(read?.object?[member.key] == member.value) }
      for field in ["a", "b", "c"] where object[field] == nil {
        #expect(read?.object?[field] ?? .null == .null)
      }
    }
  }

  @Test("errors are stored with the field that became null, with the rest of their path")
  func errors() throws {
    let dump = try dump(
      "{ me { id name friends { id name } } }",
      ["me": ["id": "u", "name": nil, "friends": [nil, ["id": "f", "name": "Bob"]]]],
      errors: [
        ["message": "no name", "path": ["me", "name"]],
        ["message": "lost", "path": ["me", "friends", 0, "name"]],
        ["message": "general"],
      ])
    #expect(
      dump["u"]?["__errors"] == [
        "name": [["message": "no name", "path": []]],
        "friends": [["message": "lost", "path": [0, "name"]]],
      ])
  }

  @Test("writing a field without an error removes its error")
  func errorsRemoved() throws {
    let query = selection("{ me { id name } }")
    let test = TestStore()
    try test.write(
      query, ["me": ["id": "u", "name": nil]],
      errors: [["message": "no name", "path": ["me", "name"]]])
    #expect(test.read(query).errors.map(\.message) == ["no name"])
    #expect(test.read(query).errors.map(\.path) == [["me", "name"]])
    try test.write(query, ["me": ["id": "u", "name": nil]])
    #expect(test.read(query).errors.isEmpty)
  }

  @Test("a scalar with the form of a link stays a scalar")
  func forgedLinks() throws {
    let dump = try dump("{ blob }", ["blob": ["__ref": "client:root"]])
    #expect(dump["client:root"]?["blob"] == ["__json": ["__ref": "client:root"]])
  }

  @Test(
    "a value of another type than the schema's is an error with its path",
    arguments: [
      (#"{"me":[]}"#, "me", "a list", "User"),
      (#"{"me":{"name":7}}"#, "me.name", "a number", "String"),
      (#"{"me":{"name":{}}}"#, "me.name", "an object", "String"),
      (#"{"me":{"age":1.5}}"#, "me.age", "a number", "Int"),
      (#"{"me":{"age":"1"}}"#, "me.age", "a string", "Int"),
      (#"{"me":{"friends":[{"tags":["a",[]]}]}}"#, "me.friends[0].tags[1]", "a list", "String"),
      (#"{"me":{"friends":{}}}"#, "me.friends", "an object", "a list"),
      (#"{"me":{"isAdmin":"yes"}}"#, "me.isAdmin", "a string", "Boolean"),
      (#"{"me":{"role":1}}"#, "me.role", "a number", "Role"),
    ])
  func mismatches(data: String, path: String, found: String, expected: String) throws {
    let query = selection("{ me { name age isAdmin role friends { tags } } }")
    let test = TestStore()
    let before = test.store.dump()
    let error = #expect(throws: RelayError.self) {
      try test.write(query.normalization, body: Array(#"{"data":\#(data)}"#.utf8))
    }
    #expect(error?.code == .response)
    #expect(error?.path.description == path)
    #expect(
      error?.message
        == "Response for \"TestQuery\" has \(found) at \"\(path)\", expected \(expected). The schema may be out of date; update it and run relay-compiler."
    )
    #expect(test.store.dump() == before)
  }

  @Test(
    "bytes that are not a response are an error and change nothing",
    arguments: [
      "", "not json", "[]", "{}", #"{"data":3}"#, #"{"data":{}} x"#, #"{"errors":3}"#,
      #"{"data":{"a":1"#,
      #"{"data":{"a":1e}}"#,
    ])
  func notResponses(_ body: String) throws {
    let test = TestStore()
    let before = test.store.dump()
    let error = #expect(throws: RelayError.self) {
      try test.write(selection("{ a: n }").normalization, body: Array(body.utf8))
    }
    #expect(error?.code == .response)
    #expect(error?.message.contains("TestQuery") == true)
    #expect(test.store.dump() == before)
  }

  @Test("every prefix of a response is an error and changes nothing")
  func prefixes() throws {
    let query = selection("{ me { id pets { name } blob } }")
    let body = Array(
      #"{"data":{"me":{"id":"u","pets":[{"name":"Rex"}],"blob":{"a":[1]}}},"errors":[]}"#.utf8)
    for count in 0..<body.count {
      let test = TestStore()
      let before = test.store.dump()
      #expect(throws: RelayError.self) {
        try test.write(query.normalization, body: Array(body[..<count]))
      }
      #expect(test.store.dump() == before)
    }
    let test = TestStore()
    try test.write(query.normalization, body: body)
    #expect(test.read(query).missing.isEmpty)
  }

  @Test("integers of any size keep their digits")
  func bigNumbers() throws {
    let test = TestStore()
    let body = #"{"data":{"n":9007199254740993,"big":123456789012345678901234567890,"f":1.50}}"#
    try test.write(selection("{ n big f }").normalization, body: Array(body.utf8))
    #expect(
      test.store.dump().contains(
        #""big":123456789012345678901234567890,"f":1.50,"n":9007199254740993"#))
  }
}
