import RelayStore
import RelayStoreTesting
import Testing

@Suite("Overrides of generated values", .timeLimit(.minutes(1)))
struct OverrideTests {
  private static let schema = """
    interface Named { name: String! }
    interface Node { id: ID! }
    union Actor = User | Bot
    enum Role { ADMIN MEMBER }
    scalar Moment
    input Filter { name: String }
    type User implements Named & Node { id: ID! name: String! role: Role age: Int score: Float friends: [User!]! boss: Actor born: Moment }
    type Bot implements Named & Node { id: ID! name: String! owner: User }
    type Robot implements Node { id: ID! }
    type Query { actor: Actor node: Node named: Named me(filter: Filter): User actors: [Actor!]! count: Int }
    """

  private func data(_ values: GeneratedValues, _ text: String) async throws -> JSONValue? {
    let server = try SchemaServer(schema: Self.schema, generating: values)
    let response = try await server.respond(to: text)
    #expect(response["errors"] == nil)
    return response["data"]
  }

  @Test("the name of a possible type is the type of an interface or union")
  func abstractByName() async throws {
    let values = GeneratedValues(listCount: 1).overriding("Actor", with: "Bot")
      .overriding("Node", with: "Robot")
    #expect(
      try await data(values, "{ actor { __typename } actors { __typename } node { __typename } }")
        == [
          "actor": ["__typename": "Bot"], "actors": [["__typename": "Bot"]],
          "node": ["__typename": "Robot"],
        ])
  }

  @Test("an object for an interface or union gives its type, and fields at its positions only")
  func abstractByObject() async throws {
    let values = GeneratedValues(listCount: 1)
      .overriding("Actor", with: ["__typename": "User", "name": "Ada"])
      .overriding("User", with: ["age": 7])
    #expect(
      try await data(values, "{ actor { ... on User { name age } } me { name age } }")
        == ["actor": ["name": "Ada", "age": 7], "me": ["name": "<User.name>", "age": 7]])
  }

  @Test("a field of an interface is overridden in its types, unless these have their own override")
  func interfaceField() async throws {
    let values = GeneratedValues().overriding("Named.name", with: "x")
      .overriding("Bot.name", with: "y").overriding("Actor", with: "Bot")
    #expect(
      try await data(values, "{ me { name } actor { ... on Bot { name } } }")
        == ["me": ["name": "x"], "actor": ["name": "y"]])
  }

  @Test("fields of the root type are overridden")
  func root() async throws {
    let values = GeneratedValues().overriding("Query", with: ["count": 3, "me": ["name": "Ada"]])
    #expect(
      try await data(values, "{ n: count me { name age } }")
        == ["n": 3, "me": ["name": "Ada", "age": 42]])
  }

  @Test("every kind of value that a field or type can have is accepted")
  func accepted() throws {
    let rows: [(String, JSONValue)] = [
      ("User.age", nil), ("User.age", 3), ("User.role", "MEMBER"), ("Role", "MEMBER"),
      ("Moment", ["a": 1]), ("User.born", 7), ("ID", 7), ("Int", 7), ("Float", 1.5),
      ("Boolean", true), ("User.friends", [["name": "a"], [:]]), ("User.boss", ["name": "a"]),
      ("User.boss", ["__typename": "Bot", "owner": ["name": "a"]]), ("Query.actors", []),
      ("User", ["__typename": "User", "boss": nil]),
    ]
    for (name, value) in rows {
      #expect(throws: Never.self, "\(name)") {
        try SchemaServer(
          schema: Self.schema, generating: GeneratedValues().overriding(name, with: value))
      }
    }
  }

  @Test(
    "an override without an effect is an error with the reason",
    arguments: [
      ("Actor", "Robot", "\"Robot\" is not a possible type of \"Actor\""),
      ("Actor", "Named", "\"Named\" is not a possible type of \"Actor\""),
      (
        "Actor", ["name": "a"],
        "it is neither the name of a possible type nor an object with \"__typename\""
      ),
      (
        "Actor", ["__typename": "Bot", "age": 1], "\"Bot\" has no field \"age\""
      ),
      ("User", "Ada", "it is not an object with fields of \"User\""),
      ("User", ["nam": "a"], "\"User\" has no field \"nam\""),
      ("User", ["__typename": "Bot"], "\"Bot\" is not a possible type of \"User\""),
      ("User", ["age": "7"], "in field \"age\" it is not a value of type \"Int\""),
      (
        "User", ["boss": ["__typename": "Bot", "owner": ["age": 1.5]]],
        "in field \"boss\" in field \"owner\" in field \"age\" it is not a value of type \"Int\""
      ),
      ("Role", "OWNER", "it is not a value of type \"Role\""),
      ("Role", nil, "it is not a value of type \"Role\""),
      ("Int", 3_000_000_000, "it is not a value of type \"Int\""),
      ("String", 1, "it is not a value of type \"String\""),
      ("Filter", ["name": "a"], "\"Filter\" is an input type and never part of a response"),
      ("User.name", nil, "it is null for the type \"String!\""),
      ("User.name", ["a"], "it is not a value of type \"String\""),
      ("User.friends", ["name": "a"], "it is not a list, as \"[User!]!\" is"),
      ("User.friends", [nil], "it is null for the type \"User!\""),
      ("User.boss", "Bot", "it is not an object, as \"Actor\" is"),
    ] as [(String, JSONValue, String)])
  func refused(name: String, value: JSONValue, reason: String) throws {
    let failure = #expect(throws: SchemaServerFailure.self) {
      try SchemaServer(
        schema: Self.schema, generating: GeneratedValues().overriding(name, with: value))
    }
    #expect(failure?.problems == ["The value for \"\(name)\" has no effect: \(reason)."])
  }

  @Test(
    "all problems are listed, those of unknown names too", arguments: ["Use", "User.nam", "A.b.c"])
  func unknown(_ name: String) throws {
    let failure = #expect(throws: SchemaServerFailure.self) {
      try SchemaServer(
        schema: Self.schema,
        generating: GeneratedValues().overriding(name, with: "x").overriding("Zoo", with: "x"))
    }
    let problems = failure?.problems ?? []
    #expect(problems.count == 2)
    #expect(problems.contains { $0.hasPrefix("There is a value for \"\(name)\"") })
  }
}
