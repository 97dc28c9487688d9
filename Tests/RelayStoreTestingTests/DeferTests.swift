import RelayStore
import RelayStoreTesting
import Testing

@Suite("@defer in the schema server", .timeLimit(.minutes(1)))
struct DeferTests {
  private let document = """
    { book(id: 1) { id ... @defer(label: "A") { title author { name } } } }
    """

  @Test(
    "a deferred fragment is a payload of its own",
    arguments: [
      (
        IncrementalFormat.payloads2020,
        [
          #"{"data":{"book":{"id":"1"}},"hasNext":true}"#,
          #"{"label":"A","path":["book"],"data":{"title":"Emma","author":{"name":"Jane Austen"}},"hasNext":false}"#,
        ]
      ),
      (
        .payloads2022,
        [
          #"{"data":{"book":{"id":"1"}},"hasNext":true}"#,
          #"{"incremental":[{"label":"A","path":["book"],"data":{"title":"Emma","author":{"name":"Jane Austen"}}}],"hasNext":false}"#,
        ]
      ),
      (
        .payloads2023,
        [
          #"{"data":{"book":{"id":"1"}},"pending":[{"id":"0","path":["book"],"label":"A"}],"hasNext":true}"#,
          #"{"incremental":[{"id":"0","data":{"title":"Emma","author":{"name":"Jane Austen"}}}],"completed":[{"id":"0"}],"hasNext":false}"#,
        ]
      ),
      (
        .none, [#"{"data":{"book":{"id":"1","title":"Emma","author":{"name":"Jane Austen"}}}}"#]
      ),
    ])
  func formats(format: IncrementalFormat, expected: [String]) async throws {
    #expect(try await Library.payloads(document, format: format) == expected)
  }

  @Test("a request that does not allow parts, or is not a stream, gets one response")
  func inline() async throws {
    let server = try Library.server()
    let expected: JSONValue = [
      "data": ["book": ["id": "1", "title": "Emma", "author": ["name": "Jane Austen"]]]
    ]
    var request = Library.request(document)
    #expect(try JSONValue(parsing: await server.execute(request).body) == expected)
    request.allowsIncrementalDelivery = false
    let payloads = Payloads()
    try await server.stream(request, payloads.receive)
    #expect(payloads.responses == [expected])
    #expect(try await server.respond(to: document) == expected)
  }

  @Test("the argument if decides whether a fragment is deferred", arguments: [true, false])
  func condition(isDeferred: Bool) async throws {
    let payloads = try await Library.payloads(
      "query ($on: Boolean!) { book(id: 1) { id ...T @defer(if: $on) } } fragment T on Book { title }",
      ["on": .bool(isDeferred)])
    #expect(payloads.count == (isDeferred ? 2 : 1))
    if !isDeferred { #expect(payloads == [#"{"data":{"book":{"id":"1","title":"Emma"}}}"#]) }
  }

  @Test("a nested deferred fragment follows the one around it, whatever is released first")
  func nested() async throws {
    let gate = Gate()
    let server = try Library.server { part in
      if part.label == "Outer" { try await gate.wait() }
    }
    let payloads = Payloads()
    let request = Library.request(
      """
      { book(id: 1) { id ... @defer(label: "Outer") { title ... @defer(label: "Inner") { genre } } } }
      """)
    let task = Task { try await server.stream(request, payloads.receive) }
    try await gate.arrivals(1)
    #expect(payloads.texts.count == 1)
    gate.open()
    try await task.value
    #expect(
      payloads.texts == [
        #"{"data":{"book":{"id":"1"}},"pending":[{"id":"0","path":["book"],"label":"Outer"}],"hasNext":true}"#,
        #"{"pending":[{"id":"1","path":["book"],"label":"Inner"}],"incremental":[{"id":"0","data":{"title":"Emma"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","data":{"genre":"NOVEL"}}],"completed":[{"id":"1"}],"hasNext":false}"#,
      ])
  }

  @Test("parts are sent in the order in which the test releases them")
  func order() async throws {
    let gates = ["A": Gate(), "B": Gate()]
    let server = try Library.server(format: .payloads2022) { part in
      try await gates[part.label ?? ""]?.wait()
    }
    let payloads = Payloads()
    let request = Library.request(
      #"{ book(id: 1) { id ... @defer(label: "A") { title } ... @defer(label: "B") { genre } } }"#)
    let task = Task {
      try await server.stream(request) { event in
        payloads.receive(event)
        if payloads.responses.count == 2 { gates["A"]?.open() }
      }
    }
    try await gates["A"]?.arrivals(1)
    try await gates["B"]?.arrivals(1)
    gates["B"]?.open()
    try await task.value
    #expect(
      payloads.texts == [
        #"{"data":{"book":{"id":"1"}},"hasNext":true}"#,
        #"{"incremental":[{"label":"B","path":["book"],"data":{"genre":"NOVEL"}}],"hasNext":true}"#,
        #"{"incremental":[{"label":"A","path":["book"],"data":{"title":"Emma"}}],"hasNext":false}"#,
      ])
  }

  @Test("a fragment is deferred on each object of a list")
  func lists() async throws {
    let payloads = try await Library.payloads(
      #"{ books { id ... @defer(label: "T") { title } } }"#, format: .payloads2020)
    #expect(
      payloads == [
        #"{"data":{"books":[{"id":"1"},{"id":"2"}]},"hasNext":true}"#,
        #"{"label":"T","path":["books",0],"data":{"title":"Emma"},"hasNext":true}"#,
        #"{"label":"T","path":["books",1],"data":{"title":"Odes"},"hasNext":false}"#,
      ])
  }

  @Test(
    "fields that were sent before are repeated only in the older formats",
    arguments: [
      (
        IncrementalFormat.payloads2022,
        #"{"incremental":[{"path":[],"data":{"book":{"id":"1","title":"Emma","author":{"name":"Jane Austen"}}}}],"hasNext":false}"#
      ),
      (
        .payloads2023,
        #"{"incremental":[{"id":"0","subPath":["book"],"data":{"title":"Emma"}},{"id":"0","subPath":["book","author"],"data":{"name":"Jane Austen"}}],"completed":[{"id":"0"}],"hasNext":false}"#
      ),
    ])
  func duplicates(format: IncrementalFormat, expected: String) async throws {
    let payloads = try await Library.payloads(
      """
      {
        book(id: 1) { id author { __typename } }
        ... @defer { book(id: 1) { id title author { name } } }
      }
      """, format: format)
    #expect(payloads.count == 2)
    #expect(payloads.last == expected)
  }

  @Test("a field of two deferred fragments is sent with the first that is released")
  func shared() async throws {
    let gate = Gate()
    let server = try Library.server { part in
      if part.label == "A" { try await gate.wait() }
    }
    let payloads = Payloads()
    let request = Library.request(
      """
      { book(id: 1) { ... @defer(label: "A") { id title } ... @defer(label: "B") { title genre } } }
      """)
    try await server.stream(request) { event in
      payloads.receive(event)
      if payloads.responses.count == 2 { gate.open() }
    }
    #expect(
      payloads.texts == [
        #"{"data":{"book":{}},"pending":[{"id":"0","path":["book"],"label":"A"},{"id":"1","path":["book"],"label":"B"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","data":{"title":"Emma"}},{"id":"1","data":{"genre":"NOVEL"}}],"completed":[{"id":"1"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"id":"1"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ])
  }

  @Test("a field of a fragment and of the one inside it is sent with the outer one")
  func outer() async throws {
    let payloads = try await Library.payloads(
      """
      { book(id: 1) { ... @defer { title id ... @defer(label: "Inner") { title author { name } } } } }
      """)
    #expect(
      payloads.dropFirst() == [
        #"{"pending":[{"id":"1","path":["book"],"label":"Inner"}],"incremental":[{"id":"0","data":{"title":"Emma","id":"1"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","data":{"author":{"name":"Jane Austen"}}}],"completed":[{"id":"1"}],"hasNext":false}"#,
      ])
  }

  @Test("a field of fragments at different depths is sent to the innermost")
  func depths() async throws {
    let payloads = try await Library.payloads(
      """
      {
        ... @defer(label: "A") { book(id: 1) { author { name } } }
        book(id: 1) { id ... @defer(label: "B") { author { name } } }
      }
      """)
    #expect(
      payloads == [
        #"{"data":{"book":{"id":"1"}},"pending":[{"id":"0","path":[],"label":"A"},{"id":"1","path":["book"],"label":"B"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","data":{"author":{"name":"Jane Austen"}}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"completed":[{"id":"1"}],"hasNext":false}"#,
      ])
  }

  @Test(
    "a fragment that is spread with and without @defer is in the first payload",
    arguments: [
      (IncrementalFormat.payloads2022, 2), (.payloads2023, 1),
    ])
  func spreadTwice(format: IncrementalFormat, count: Int) async throws {
    let payloads = try await Library.payloads(
      "{ book(id: 1) { ... @defer { ...F } ...F } } fragment F on Book { title }", format: format)
    #expect(payloads.count == count)
    #expect(payloads[0].hasPrefix(#"{"data":{"book":{"title":"Emma"}}"#))
    if count == 2 { #expect(payloads[1].contains(#""data":{"title":"Emma"}"#)) }
  }

  @Test("fragments that spread each other with @defer do not take exponential time")
  func manyFragments() async throws {
    let fragments = (0..<40).map {
      "fragment F\($0) on Book { ...F\($0 + 1) @defer(label: \"a\") ...F\($0 + 1) @defer(label: \"b\") }"
    }
    let payloads = try await Library.payloads(
      "{ book(id: 1) { ...F0 } } fragment F40 on Book { id } " + fragments.joined(separator: " "))
    #expect(payloads.count == 1)
    #expect(payloads[0].contains("More than 10000 fragments are deferred."))
  }

  @Test(
    "an error in a deferred fragment is in its payload",
    arguments: [
      (
        IncrementalFormat.payloads2020,
        #"{"path":["book"],"data":{"author":null},"errors":[{"message":"Unknown.","locations":[{"line":1,"column":33}],"path":["book","author"]}],"hasNext":false}"#,
        #"{"path":["book"],"data":null,"errors":[{"message":"Cannot return null for non-nullable field Book.requiredAuthor.","locations":[{"line":1,"column":33}],"path":["book","requiredAuthor"]}],"hasNext":false}"#
      ),
      (
        .payloads2022,
        #"{"incremental":[{"path":["book"],"data":{"author":null},"errors":[{"message":"Unknown.","locations":[{"line":1,"column":33}],"path":["book","author"]}]}],"hasNext":false}"#,
        #"{"incremental":[{"path":["book"],"data":null,"errors":[{"message":"Cannot return null for non-nullable field Book.requiredAuthor.","locations":[{"line":1,"column":33}],"path":["book","requiredAuthor"]}]}],"hasNext":false}"#
      ),
      (
        .payloads2023,
        #"{"incremental":[{"id":"0","data":{"author":null},"errors":[{"message":"Unknown.","locations":[{"line":1,"column":33}],"path":["book","author"]}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
        #"{"completed":[{"id":"0","errors":[{"message":"Cannot return null for non-nullable field Book.requiredAuthor.","locations":[{"line":1,"column":33}],"path":["book","requiredAuthor"]}]}],"hasNext":false}"#
      ),
    ])
  func errors(format: IncrementalFormat, nullable: String, nonNull: String) async throws {
    let first = try await Library.payloads(
      "{ book(id: 1) { id ... @defer { author { name } } } }", format: format,
      resolvers: ["Book.author": { _ in throw GraphQLError(message: "Unknown.") }])
    #expect(first.last == nullable)
    let second = try await Library.payloads(
      "{ book(id: 1) { id ... @defer { requiredAuthor { name } } } }", format: format)
    #expect(second.last == nonNull)
  }

  @Test("a fragment below an object that a null has removed is not deferred")
  func removed() async throws {
    let payloads = try await Library.payloads(
      "{ book(id: 1) { ... @defer { title } requiredAuthor { name } } int }")
    #expect(payloads.count == 1)
    #expect(payloads[0].hasSuffix(#""data":{"book":null,"int":null}}"#))
  }

  @Test("beforePart ends the request with its error, and a cancelled request ends at a gate")
  func ends() async throws {
    await #expect(throws: RelayError.self) {
      _ = try await Library.payloads(document) { _ in throw RelayError(.transport, "Lost.") }
    }
    let gate = Gate()
    let task = Task { try await Library.payloads(document) { _ in try await gate.wait() } }
    try await gate.arrivals(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a request whose part waits at a gate waits for the test")
  func hold() async throws {
    let (gate, hold) = (Gate(), RequestHold())
    let task = Task {
      try await RequestHold.$current.withValue(hold) {
        try await Library.payloads(document) { _ in try await gate.wait() }
      }
    }
    try await gate.arrivals(1)
    #expect(hold.isHeld)
    gate.open()
    _ = try await task.value
    #expect(!hold.isHeld)
  }

  @Test("a schema may define the directives itself")
  func ownDefinitions() async throws {
    let server = try SchemaServer(
      schema: """
        directive @defer(label: String! if: Boolean = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @stream(label: String! initial_count: Int! if: Boolean = true) on FIELD
        type Query { list: [Int] }
        """, resolvers: ["Query.list": { _ in [1, 2] }])
    let payloads = Payloads()
    try await server.stream(
      Library.request(#"{ list @stream(label: "S", initial_count: 1) }"#), payloads.receive)
    #expect(payloads.responses.first?["data"] == ["list": [1]])
    #expect(payloads.responses.count == 2)
  }
}
