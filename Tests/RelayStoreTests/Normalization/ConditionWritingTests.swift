import RelayStore
import Testing

/// Fields whose conditions do not hold. A response that contains them anyway writes none of them.
@Suite(.timeLimit(.minutes(1))) struct ConditionWritingTests {
  private static let schema = """
    type Query { me: User thing: Thing }

    interface Thing { id: ID! title: String age: Int best: User }
    interface Actor { login: String }
    interface Story { text: String }

    type User implements Thing & Actor {
      id: ID!
      login: String
      name: String
      title: String
      age: Int
      best: User
      friend: User
    }
    type Bot implements Thing & Actor {
      id: ID!
      login: String
      title: String
      age: Int
      best: User
    }
    type Post implements Thing & Story {
      id: ID!
      text: String
      title: String
      age: Int
      best: User
    }
    type Page implements Thing { id: ID! title: String age: Int best: User }
    """

  private func selection(_ document: String) -> TestSelection {
    TestSelection(document, schema: Self.schema)
  }

  private func write(
    _ document: String, _ data: JSONValue, variables: JSONObject = [:], isClientMade: Bool = false
  ) throws -> TestStore {
    let test = TestStore()
    let reader = ResponseReader(
      plan: test.store.bind(selection(document).normalization, variables: variables), root: .root,
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
      """
      query Q($no: Boolean!) {
        me {
          id
          ... @include(if: $no) { name friend { id name } }
          age @skip(if: $no)
        }
      }
      """,
      ["me": ["id": "1", "name": "Ada", "friend": ["id": "2", "name": "Bob"], "age": 3]],
      variables: ["no": false], isClientMade: isClientMade)
    #expect(try fields(test) == ["age", "id"])
    #expect(try fields(test, "2").isEmpty)
  }

  @Test("a field under a condition that holds is written, even if another condition excludes it")
  func otherPlace() throws {
    let test = try write(
      """
      query Q($no: Boolean!) {
        thing {
          id
          best @include(if: $no) { id name }
          ... on Page { best { id age } }
        }
      }
      """,
      ["thing": ["__typename": "Page", "id": "1", "best": ["id": "2", "name": "Ada", "age": 3]]],
      variables: ["no": false])
    #expect(try fields(test) == ["best", "id"])
    #expect(try fields(test, "2") == ["age", "id"])
  }

  @Test("a field of another type is not written, whether __typename comes first or last")
  func otherTypes() throws {
    let query = "{ thing { id ... on User { name best { id } } ... on Page { title } } }"
    let data: JSONObject = ["id": "1", "name": "Ada", "best": ["id": "2"], "title": "Home"]
    var first: JSONObject = ["__typename": "Page"]
    for member in data.members { first[member.key] = member.value }
    var last = data
    last["__typename"] = "Page"
    for thing in [first, last] {
      let test = try write(query, ["thing": .object(thing)])
      #expect(try fields(test) == ["id", "title"])
      #expect(try fields(test, "2").isEmpty)
    }
  }

  @Test("a nested condition holds only if the enclosing one does")
  func nested() throws {
    let query = "{ thing { id ... on Actor { ... on User { name } } } }"
    for (type, expected) in [("User", ["id", "name"]), ("Bot", ["id"]), ("Post", ["id"])] {
      let test = try write(
        query, ["thing": ["__typename": .string(type), "id": "1", "name": "Ada"]])
      #expect(try fields(test) == expected, "\(type)")
    }
  }

  @Test(
    "an abstract condition is decided by the response, then by the compiled schema; undecided fields are written",
    arguments: [
      // The type, whether the response has the discriminator `__isActor`, whether it comes last,
      // and whether the field is written.
      ("User", true, false, true), ("User", false, false, true), ("Post", false, false, false),
      ("Post", true, false, true), ("Post", true, true, true), ("Robot", false, false, true),
    ])
  func abstract(type: String, hasDiscriminator: Bool, isLast: Bool, isWritten: Bool) throws {
    var thing: JSONObject = ["__typename": .string(type), "id": "1"]
    if hasDiscriminator, !isLast { thing["__isActor"] = .string(type) }
    thing["login"] = "ada"
    if hasDiscriminator, isLast { thing["__isActor"] = .string(type) }
    for isClientMade in [false, true] {
      let test = try write(
        "{ thing { id ... on Actor { login } } }", ["thing": .object(thing)],
        isClientMade: isClientMade)
      #expect(try fields(test) == (isWritten ? ["id", "login"] : ["id"]))
    }
  }

  @Test("field errors do not change which fields are written")
  func errors() throws {
    let test = TestStore()
    try test.write(
      selection(
        """
        query Q($no: Boolean!) {
          thing {
            id
            ... on User { name }
            age @include(if: $no)
            title
          }
        }
        """),
      ["thing": ["__typename": "Page", "id": "1", "name": "Ada", "age": 3, "title": nil]],
      errors: [["message": "no", "path": ["thing", "title"]]], variables: ["no": false])
    #expect(try fields(test) == ["id", "title"])
  }

  @Test("the availability check does not count a field that was not requested")
  func checking() throws {
    let query = selection("query Q($yes: Boolean!) { me { id name @include(if: $yes) } }")
    let test = TestStore()
    try test.write(query, ["me": ["id": "1", "name": "Ada"]], variables: ["yes": false])
    let bound = test.store.bind(query.normalization, variables: ["yes": true])
    let operation = WrittenOperation(
      RequestIdentity(documentHash: query.normalization.documentHash, variables: ["yes": true]),
      bound, root: .root)
    #expect(test.store.check(operation).isMissing)
  }
}
