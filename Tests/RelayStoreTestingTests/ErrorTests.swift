import RelayStore
import RelayStoreTesting
import Testing

@Suite("Errors of the schema server", .timeLimit(.minutes(1)))
struct ErrorTests {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  @Test("a resolver's error has a message, location and path, and its field is null")
  func nullableField() async throws {
    let response = try await Library.respond(
      "{\n  book(id: 1) { title\n   who: author { name } }\n}",
      resolvers: ["Book.author": { _ in throw Broken(description: "No author today.") }])
    #expect(
      response == [
        "errors": [
          [
            "message": "No author today.", "locations": [["line": 3, "column": 4]],
            "path": ["book", "who"],
          ]
        ],
        "data": ["book": ["title": "Emma", "who": nil]],
      ])
  }

  @Test("a GraphQLError keeps its extensions")
  func extensions() async throws {
    let response = try await Library.respond(
      "{ int }",
      resolvers: [
        "Query.int": { _ in
          throw GraphQLError(message: "Not yours.", extensions: ["code": "FORBIDDEN"])
        }
      ])
    #expect(response["errors"]?[0]?["extensions"] == ["code": "FORBIDDEN"])
    #expect(Library.messages(response) == ["Not yours."])
  }

  @Test("null in a non-null field is an error, and nulls the nearest nullable parent")
  func propagation() async throws {
    let response = try await Library.respond(
      "{ book(id: 1) { title requiredAuthor { name } } int }", resolvers: ["Query.int": { _ in 4 }])
    #expect(response["data"] == ["book": nil, "int": 4])
    #expect(
      Library.messages(response) == [
        "Cannot return null for non-nullable field Book.requiredAuthor."
      ])
    #expect(Library.paths(response) == [#"["book","requiredAuthor"]"#])
  }

  @Test("an error in a nullable list item nulls only that item")
  func nullableItems() async throws {
    let response = try await Library.respond(
      "{ books { id title } }",
      resolvers: [
        "Book.title": { call in
          if call.parent["id"]?.int == 2 { throw Broken(description: "Torn.") }
          return call.parent["title"]
        }
      ])
    #expect(response["data"] == ["books": [["id": "1", "title": "Emma"], nil]])
    #expect(Library.paths(response) == [#"["books",1,"title"]"#])
  }

  @Test("an error in a non-null list item nulls the list")
  func nonNullItems() async throws {
    let response = try await Library.respond(
      "{ book(id: 1) { title sequels { title } } }",
      resolvers: ["Book.sequels": { _ in [Library.odes, nil, Library.emma] }])
    #expect(response["data"] == ["book": ["title": "Emma", "sequels": nil]])
    #expect(Library.paths(response) == [#"["book","sequels",1]"#])
  }

  @Test("null that propagates to the root makes data null")
  func nullData() async throws {
    let response = try await Library.respond(
      "{ int required { id } }",
      resolvers: ["Query.required": { _ in throw Broken(description: "Gone.") }])
    #expect(response["data"] == .null)
    #expect(Library.paths(response) == [#"["required"]"#])
  }

  @Test("several errors are reported once each, in the order of the request")
  func several() async throws {
    let response = try await Library.respond(
      "{ int float genre }",
      resolvers: [
        "Query.int": { _ in throw Broken(description: "one") },
        "Query.genre": { _ in throw Broken(description: "two") },
      ])
    #expect(Library.messages(response) == ["one", "two"])
    #expect(response["data"] == ["int": nil, "float": nil, "genre": nil])
  }

  @Test(
    "a value that is not of the field's type is an error",
    arguments: [
      ("int", 2_147_483_648), ("int", 1.5), ("int", "1"), ("float", "1.5"), ("float", true),
      ("id", 1.5), ("id", true), ("genre", "DRAMA"), ("genre", 1), ("boolean", 1),
      ("boolean", "true"),
      ("int", [1]), ("id", ["a": 1]),
    ] as [(String, JSONValue)])
  func leaves(field: String, value: JSONValue) async throws {
    let response = try await Library.respond(
      "{ \(field) }", resolvers: ["Query.\(field)": { _ in value }])
    #expect(response["data"] == .object([field: .null]))
    #expect(Library.paths(response) == ["[\"\(field)\"]"])
  }

  @Test(
    "a value of the wrong shape, or of an impossible object type, is an error",
    arguments: [
      ("books { id }", "Query.books", "three", "Expected a list for field Query.books."),
      ("things { __typename }", "Query.things", [4], "Expected an object for field Query.things."),
      (
        "things { __typename }", "Query.things", [["title": "?"]],
        "The object for field Query.things does not name its type; give it a \"__typename\"."
      ),
      (
        "things { __typename }", "Query.things", [["__typename": "Author"]],
        "The object for field Query.things says it is a \"Author\", expected \"Thing\"."
      ),
      (
        "things { __typename }", "Query.things", [["__typename": "Titled"]],
        "The object for field Query.things says it is a \"Titled\", expected \"Thing\"."
      ),
    ] as [(String, String, JSONValue, String)])
  func shapes(selection: String, field: String, value: JSONValue, message: String) async throws {
    let response = try await Library.respond("{ \(selection) }", resolvers: [field: { _ in value }])
    #expect(Library.messages(response) == [message])
    #expect(response["data"] != nil)
  }

  @Test(
    "a document that cannot be executed is a request error, without data",
    arguments: [
      ("{ book(id: 1) { ", "Syntax Error: "),
      ("", "Syntax Error: "),
      ("fragment A on Book { id }", #"Fragment "A" is never used."#),
      ("{ nothing }", #"Cannot query field "nothing" on type "Query"."#),
      ("{ things { title } }", #"Cannot query field "title" on type "Thing"."#),
      ("{ __schema { types { name } } }", "The schema server does not support introspection."),
      ("{ book(id: 1) }", #"Field "book" of type "Book" must have a selection of subfields."#),
      ("{ book(id: $id) { id } }", #"Variable "$id" is not defined."#),
      ("{ book(id: 1) { ...Gone } }", #"Unknown fragment "Gone"."#),
      (
        "{ book(id: 1) { ...A } } fragment A on Book { sequels { ...A } }",
        #"Cannot spread fragment "A" within itself"#
      ),
      ("{ strict }", #"Field "strict" argument "value" of type "Int!" is required"#),
      ("query ($v: String) { strict(value: $v) }", #"Variable "$v" of type "String" used"#),
      (
        "subscription { added { id } }",
        "The schema server executes a subscription only as a stream of responses."
      ),
      ("type Query { a: Int }", #"The "Query" definition is not executable."#),
    ])
  func requestErrors(document: String, message: String) async throws {
    let response = try await Library.respond(document)
    let found = Library.messages(response)
    #expect(found.count >= 1)
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
    #expect(response["data"] == nil)
  }

  @Test("a document nested too deeply, directly or through fragments, is an error")
  func depth() async throws {
    let deep = String(repeating: "sequels { ", count: 500)
    let response = try await Library.respond(
      "{ book(id: 1) { " + deep + "id" + String(repeating: " }", count: 502))
    #expect(Library.messages(response).first?.hasPrefix("Syntax Error: Nested deeper") == true)
    let fragments = (0..<300).map { "fragment F\($0) on Book { sequels { ...F\($0 + 1) } }" }
    let chained = try await Library.respond(
      "{ book(id: 1) { ...F0 } } fragment F300 on Book { id } " + fragments.joined(separator: " "))
    #expect(Library.messages(chained) == ["The selections are nested more than 200 deep."])
  }

  @Test("an invalid default value in the schema is an error at the field that uses it")
  func wrongDefault() async throws {
    let server = try SchemaServer(
      schema: #"type Query { odd(n: Int = "x"): Int @nope even: Int }"#,
      resolvers: ["Query.odd": { _ in 1 }, "Query.even": { _ in 2 }])
    let response = try await server.respond(to: "{ odd even given: odd(n: 1) }")
    #expect(response["data"] == ["odd": .null, "even": 2, "given": 1])
    #expect(Library.messages(response).count == 1)
  }

  @Test("creating a server with an invalid schema or resolver name throws")
  func construction() throws {
    let broken = #expect(throws: SchemaServerFailure.self) {
      try SchemaServer(schema: "type Query {\n  a: }")
    }
    #expect(
      broken?.problems.first?.hasPrefix("schema.graphql:2:") == true, "\(broken?.problems ?? [])")
    let misnamed = #expect(throws: SchemaServerFailure.self) {
      try Library.server([
        "Query.bok": { _ in nil }, "Book": { _ in nil }, "Film.title": { _ in nil },
      ])
    }
    #expect(misnamed?.problems.count == 2)
    #expect(misnamed?.problems.last?.contains(#""Query.bok""#) == true)
  }
}
