import RelayStore
import RelayStoreTesting
import Testing

@Suite("@stream in the schema server", .timeLimit(.minutes(1)))
struct StreamedListTests {
  private let document = #"{ books(first: 3) @stream(label: "S", initialCount: 1) { title } }"#

  @Test(
    "items after the first ones are payloads of their own",
    arguments: [
      (
        IncrementalFormat.payloads2020,
        [
          #"{"data":{"books":[{"title":"Emma"}]},"hasNext":true}"#,
          #"{"label":"S","path":["books",1],"data":{"title":"Odes"},"hasNext":true}"#,
          #"{"label":"S","path":["books",2],"data":{"title":"Emma"},"hasNext":false}"#,
        ]
      ),
      (
        .payloads2022,
        [
          #"{"data":{"books":[{"title":"Emma"}]},"hasNext":true}"#,
          #"{"incremental":[{"label":"S","path":["books",1],"items":[{"title":"Odes"}]}],"hasNext":true}"#,
          #"{"incremental":[{"label":"S","path":["books",2],"items":[{"title":"Emma"}]}],"hasNext":false}"#,
        ]
      ),
      (
        .payloads2023,
        [
          #"{"data":{"books":[{"title":"Emma"}]},"pending":[{"id":"0","path":["books"],"label":"S"}],"hasNext":true}"#,
          #"{"incremental":[{"id":"0","items":[{"title":"Odes"}]}],"hasNext":true}"#,
          #"{"incremental":[{"id":"0","items":[{"title":"Emma"}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
        ]
      ),
      (.none, [#"{"data":{"books":[{"title":"Emma"},{"title":"Odes"},{"title":"Emma"}]}}"#]),
    ])
  func formats(format: IncrementalFormat, expected: [String]) async throws {
    #expect(try await Library.payloads(document, format: format) == expected)
  }

  @Test("a list without more items, or whose condition is false, is not streamed")
  func inline() async throws {
    for arguments in ["(initialCount: 2)", "(if: false)"] {
      #expect(
        try await Library.payloads("{ books @stream\(arguments) { id } }")
          == [#"{"data":{"books":[{"id":"1"},{"id":"2"}]}}"#])
    }
  }

  @Test("each item is released by the test, in the order of the list")
  func gates() async throws {
    let parts = Locked<[IncrementalPart]>([])
    let gate = Gate()
    let server = try Library.server { part in
      parts.withLock { $0.append(part) }
      try await gate.wait()
    }
    let task = Task { [document] in
      let payloads = Payloads()
      try await server.stream(Library.request(document), payloads.receive)
      return payloads.texts
    }
    try await gate.arrivals(1)
    #expect(parts.withLock { $0.map(\.path) } == [["books", 1]])
    gate.open()
    #expect(try await task.value.count == 3)
    #expect(parts.withLock { $0.map(\.path) } == [["books", 1], ["books", 2]])
    #expect(parts.withLock { $0.allSatisfy { $0.isStreamItem && $0.label == "S" } })
  }

  @Test("an error nulls a nullable item, and the list goes on")
  func nullableItem() async throws {
    let payloads = try await Library.payloads(
      document,
      resolvers: [
        "Book.title": { call in
          if call.parent["id"]?.int == 2 { throw GraphQLError(message: "Torn.") }
          return call.parent["title"]
        }
      ])
    #expect(
      payloads.dropFirst() == [
        #"{"incremental":[{"id":"0","items":[null],"errors":[{"message":"Torn.","locations":[{"line":1,"column":58}],"path":["books",1,"title"]}]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","items":[{"title":"Emma"}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ])
  }

  @Test(
    "an item that cannot be null and could not be executed ends the list",
    arguments: [
      (
        IncrementalFormat.payloads2020, #"{"path":["book","sequels",1],"data":null,"errors":["#,
        #"],"hasNext":false}"#
      ),
      (
        .payloads2022, #"{"incremental":[{"path":["book","sequels",1],"items":null,"errors":["#,
        #"]}],"hasNext":false}"#
      ),
      (.payloads2023, #"{"completed":[{"id":"0","errors":["#, #"]}],"hasNext":false}"#),
    ])
  func nonNullItem(format: IncrementalFormat, prefix: String, suffix: String) async throws {
    let payloads = try await Library.payloads(
      "{ book(id: 1) { sequels @stream(initialCount: 1) { title } } }", format: format,
      resolvers: ["Book.sequels": { _ in [Library.odes, nil, Library.emma] }])
    #expect(payloads.count == 2)
    #expect(
      payloads.last == prefix
        + #"{"message":"Cannot return null for non-nullable field Book.sequels.","locations":[{"line":1,"column":17}],"path":["book","sequels",1]}"#
        + suffix)
  }

  @Test("a fragment may be deferred in an item, and a list streamed in a deferred fragment")
  func combined() async throws {
    let payloads = try await Library.payloads(
      """
      {
        books @stream(label: "S", initialCount: 1) { id ...T @defer(label: "D") }
      }
      fragment T on Book { title chapters @stream(label: "C", initialCount: 1) }
      """)
    #expect(
      payloads == [
        #"{"data":{"books":[{"id":"1"}]},"pending":[{"id":"0","path":["books",0],"label":"D"},{"id":"1","path":["books"],"label":"S"}],"hasNext":true}"#,
        #"{"pending":[{"id":"2","path":["books",1],"label":"D"}],"incremental":[{"id":"1","items":[{"id":"2"}]}],"completed":[{"id":"1"}],"hasNext":true}"#,
        #"{"pending":[{"id":"3","path":["books",0,"chapters"],"label":"C"}],"incremental":[{"id":"0","data":{"title":"Emma","chapters":["I"]}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"3","items":["II"]}],"completed":[{"id":"3"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"2","data":{"title":"Odes","chapters":[]}}],"completed":[{"id":"2"}],"hasNext":false}"#,
      ])
  }

  @Test("a negative initialCount is an error of the field")
  func negative() async throws {
    let payloads = try await Library.payloads("{ books @stream(initialCount: -1) { id } }")
    #expect(payloads.count == 1)
    #expect(payloads[0].contains("must not be negative"))
  }
}
