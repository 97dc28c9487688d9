import Testing

@testable import RelayStore

/// Fields whose conditions do not hold. A response that contains them all the same writes none of
/// them.
@Suite(.timeLimit(.minutes(10))) struct ConditionWritingTests {
  private let types = AbstractTypes("Actor=User|Bot;Story=Post")

  private func write(
    _ text: StaticString, _ data: JSONValue, variables: JSONObject = [:], isClientMade: Bool = false
  ) throws -> TestStore {
    let test = TestStore()
    let reader = ResponseReader(
      plan: test.store.bind(SelectionPlan(text, types: types), variables: variables), root: .root,
      operationName: "TestQuery", isClientMade: isClientMade)
    try test.store.publish([.commit(reader.data(data.jsonBytes))])
    return test
  }

  private func fields(_ test: TestStore, _ id: String = "1") throws -> [String] {
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8))
    return (dump[id]?.object?.keys ?? []).filter { !$0.hasPrefix("__") }.sorted()
  }

  @Test(
    "a field excluded by its variables is not written, and neither is the record it links to",
    arguments: [true, false])
  func variables(_ isClientMade: Bool) throws {
    let test = try write(
      "Query{me User{id ID! ...if $no{name String friend User{id ID! name String}} ...if !$no{age Int}}}",
      ["me": ["id": "1", "name": "Ada", "friend": ["id": "2", "name": "Bob"], "age": 3]],
      variables: ["no": false], isClientMade: isClientMade)
    #expect(try fields(test) == ["age", "id"])
    #expect(try fields(test, "2").isEmpty)
  }

  @Test("a field under a condition that holds is written, even if another condition excludes it")
  func otherPlace() throws {
    let test = try write(
      """
      Query{thing *Thing{__typename String! id ID! ...if $no{best User{id ID! name String}} \
      ...on Page{best User{id ID! age Int}}}}
      """,
      ["thing": ["__typename": "Page", "id": "1", "best": ["id": "2", "name": "Ada", "age": 3]]],
      variables: ["no": false])
    #expect(try fields(test) == ["best", "id"])
    #expect(try fields(test, "2") == ["age", "id"])
  }

  @Test("a field of another type is not written, whether __typename comes first or last")
  func otherTypes() throws {
    let plan: StaticString = """
      Query{thing *Thing{__typename String! id ID! ...on User{name String best User{id ID!}} ...on Page{title String}}}
      """
    let data: JSONObject = ["id": "1", "name": "Ada", "best": ["id": "2"], "title": "Home"]
    var first: JSONObject = ["__typename": "Page"]
    for member in data.members { first[member.key] = member.value }
    var last = data
    last["__typename"] = "Page"
    for thing in [first, last] {
      let test = try write(plan, ["thing": .object(thing)])
      #expect(try fields(test) == ["id", "title"])
      #expect(try fields(test, "2").isEmpty)
    }
  }

  @Test("a nested condition holds only if the enclosing one does")
  func nested() throws {
    let plan: StaticString = """
      Query{thing *Thing{__typename String! id ID! ...on *Actor{__isActor:__typename String! ...on User{name String}}}}
      """
    for (type, expected) in [("User", ["id", "name"]), ("Bot", ["id"]), ("Post", ["id"])] {
      let test = try write(
        plan, ["thing": ["__typename": .string(type), "id": "1", "name": "Ada"]])
      #expect(try fields(test) == expected, "\(type)")
    }
  }

  @Test(
    "an abstract condition is decided by the response, then by the compiled schema; undecided fields are written",
    arguments: [
      // The type, whether the response has the discriminator, whether it comes last, and whether
      // the field is written.
      ("User", true, false, true), ("User", false, false, true), ("Post", false, false, false),
      ("Post", true, false, true), ("Post", true, true, true), ("Robot", false, false, true),
    ])
  func abstract(_ type: String, _ isTold: Bool, _ isLast: Bool, _ isWritten: Bool) throws {
    var thing: JSONObject = ["__typename": .string(type), "id": "1"]
    if isTold, !isLast { thing["__isActor"] = .string(type) }
    thing["login"] = "ada"
    if isTold, isLast { thing["__isActor"] = .string(type) }
    for isClientMade in [false, true] {
      let test = try write(
        """
        Query{thing *Thing{__typename String! id ID! ...on *Actor{__isActor:__typename String! login String}}}
        """, ["thing": .object(thing)], isClientMade: isClientMade)
      #expect(try fields(test) == (isWritten ? ["id", "login"] : ["id"]))
    }
  }

  @Test("field errors do not change which fields are written")
  func errors() throws {
    let test = TestStore()
    try test.write(
      SelectionPlan(
        "Query{thing *Thing{__typename String! id ID! ...on User{name String} ...if $no{age Int} title String}}"
      ),
      ["thing": ["__typename": "Page", "id": "1", "name": "Ada", "age": 3, "title": nil]],
      errors: [["message": "no", "path": ["thing", "title"]]], variables: ["no": false])
    #expect(try fields(test) == ["id", "title"])
  }

  @Test("the availability check does not count a field that was not requested")
  func checking() throws {
    let plan = SelectionPlan("Query{me User{id ID! ...if $yes{name String}}}")
    let test = TestStore()
    try test.write(plan, ["me": ["id": "1", "name": "Ada"]], variables: ["yes": false])
    let bound = test.store.bind(plan, variables: ["yes": true])
    let operation = WrittenOperation(
      RequestIdentity(plan, variables: ["yes": true]), bound, root: .root)
    #expect(test.store.check(operation) == .missing)
  }
}
