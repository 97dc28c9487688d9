import RelayStore
import RelayStoreTesting
import SeededRandom
import Testing

@Suite("The schema server as a transport", .timeLimit(.minutes(1)))
struct ServerTests {
  private let request = GraphQLRequest(
    operationName: "Book", kind: .query, text: "query Book($id: ID!) { book(id: $id) { title } }",
    variables: ["id": "1"])

  @Test("the response to a request is JSON")
  func execute() async throws {
    let response = try await Library.server().execute(request)
    #expect(try JSONValue(parsing: response.body) == ["data": ["book": ["title": "Emma"]]])
  }

  @Test("beforeExecuting is called before each request, and its error is thrown")
  func beforeExecuting() async throws {
    let counter = Counter()
    let server = try SchemaServer(schema: Library.schema) { request in
      counter.add()
      if request.variables["id"] == "2" { throw RelayError(.transport, "No network.") }
    }
    _ = try await server.execute(request)
    var second = request
    second.variables["id"] = "2"
    let failure = await #expect(throws: RelayError.self) { try await server.execute(second) }
    #expect(failure?.code == .transport)
    #expect(counter.count == 2)
  }

  @Test("a request gets its response while another one waits at a gate")
  func gate() async throws {
    let gate = Gate()
    let server = try Library.server([
      "Query.int": { _ in
        try await gate.wait()
        return 1
      }
    ])
    async let held = server.respond(to: "{ int }")
    try await gate.arrivals(1)
    #expect(try await server.respond(to: "{ float }") == ["data": ["float": nil]])
    gate.open()
    #expect(try await held == ["data": ["int": 1]])
    #expect(try await server.respond(to: "{ int }") == ["data": ["int": 1]])
  }

  @Test("a task cancelled at a gate throws CancellationError, and others keep waiting")
  func cancellation() async throws {
    let gate = Gate()
    let server = try Library.server([
      "Query.int": { _ in
        try await gate.wait()
        return 1
      }
    ])
    let cancelled = Task { try await server.respond(to: "{ int }") }
    let other = Task { try await server.respond(to: "{ int }") }
    try await gate.arrivals(2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    gate.open()
    #expect(try await other.value == ["data": ["int": 1]])
  }

  @Test("a gate that is closed again suspends later tasks")
  func closing() async throws {
    let gate = Gate(isOpen: true)
    try await gate.wait()
    gate.close()
    let late = Task { try await gate.wait() }
    try await gate.arrivals(2)
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test("resolvers get arguments as Swift values, and an error for those of another type")
  func arguments() async throws {
    let response = try await Library.respond(
      #"{ defaulted(filter: {text: "x", genres: [NOVEL], nested: {}}) }"#,
      resolvers: [
        "Query.defaulted": { call in
          let text: String = try call.argument("filter", "text")
          let genres: [String] = try call.argument("filter", "genres")
          let missing: Int? = try call.argument("filter", "nested", "nested", "limit")
          let limit: Double = try call.argument("filter", "limit")
          let raw: JSONValue = try call.argument("filter", "nested", "text")
          return [
            JSONValue(text), JSONValue(genres), JSONValue(missing), JSONValue(limit), raw,
            JSONValue(call.hasArgument("filter", "genres")), JSONValue(call.hasArgument("no")),
            JSONValue(call.typeName + "." + call.fieldName), JSONValue("\(call.path)"),
          ]
        }
      ])
    #expect(
      response["data"]?["defaulted"]
        == ["x", ["NOVEL"], nil, 7, "any", true, false, "Query.defaulted", "defaulted"],
      "\(response)")
    let wrong = try await Library.respond(
      "{ strict(value: 1) }",
      resolvers: ["Query.strict": { call in JSONValue(try call.argument("value") as String) }])
    #expect(
      Library.messages(wrong) == [
        #"The resolver of "Query.strict" asked for "value" as String, but it has another type."#
      ])
  }

  @Test("a generated object has the schema's first possible type")
  func generatedType() async throws {
    let server = try SchemaServer(
      schema: """
        type Query { titled: Titled thing: Thing }
        interface Titled { title: String }
        union Thing = Song | Poem
        type Letter { text: String }
        type Poem implements Titled { title: String }
        type Song implements Titled { title: String }
        """, generating: GeneratedValues())
    let response = try await server.respond(to: "{ titled { __typename } thing { __typename } }")
    #expect(
      response["data"] == ["titled": ["__typename": "Poem"], "thing": ["__typename": "Poem"]])
  }

  @Test("thousands of random documents and variables never trap the server")
  func randomDocuments() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let words = [
      "{", "}", "{", "}", "(", ")", "[", "]", ":", "...", "on", "$v", "@include", "if", "book",
      "books",
      "id", "title", "things", "Book", "Film", "Thing", "echo", "int", "any", "F", "fragment",
      "query",
      "mutation", "1", "\"x\"", "null", "true", "NOVEL", "__typename", "!", "=", "Int",
    ]
    let server = try Library.server()
    var withData = 0
    for _ in 0..<2000 {
      let document = (0..<Int.random(in: 1...30, using: &random))
        .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
      // Half of the documents are certain to parse.
      let text = Bool.random(using: &random) ? document : wellFormed(&random, depth: 0)
      let response = try await server.respond(to: text, variables: ["v": 1])
      #expect(response["data"] != nil || response["errors"] != nil, "seed \(seed): \(text)")
      if response["data"] != nil { withData += 1 }
    }
    print("random documents: seed \(seed), \(withData) of 2000 responses have data")
    #expect(withData > 100, "seed \(seed)")
  }

  private func wellFormed(_ random: inout SeededGenerator, depth: Int) -> String {
    let fields = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      switch Int.random(in: 0...(depth < 3 ? 5 : 2), using: &random) {
      case 0: "__typename"
      case 1: "...{ __typename }"
      case 2: "x\(Int.random(in: 0...3, using: &random)): __typename @skip(if: true)"
      case 3: "...on Query { books(first: \(Int.random(in: -1...3, using: &random))) { id title } }"
      case 4: "things { ...on Book { sequels { id } author { name } } ...on Film { minutes } }"
      default: "... @include(if: true) \(wellFormed(&random, depth: depth + 1))"
      }
    }
    return "{ \(fields.joined(separator: " ")) }"
  }
}
