import RelayStore
import RelayStoreTesting
import Testing

@Suite("Subscriptions in the schema server", .timeLimit(.minutes(1)))
struct SubscriptionTests {
  struct Broken: Error, CustomStringConvertible { let description: String }

  private func request(
    _ text: String = "subscription { added { id title } }", _ variables: JSONObject = [:]
  ) -> GraphQLRequest {
    GraphQLRequest(operationName: "", kind: .subscription, text: text, variables: variables)
  }

  private func payloads(
    _ request: GraphQLRequest, resolvers: [String: FieldResolver] = [:],
    _ resolver: @escaping SubscriptionResolver
  ) async throws -> [String] {
    let payloads = Payloads()
    try await Library.server(resolvers, subscriptions: ["Subscription.added": resolver])
      .stream(request, payloads.receive)
    return payloads.texts
  }

  @Test("each element of the source stream is the root field's value in one response")
  func events() async throws {
    let payloads = Payloads()
    try await Library.server(
      subscriptions: [
        "Subscription.added": { _ in SourceStream([Library.emma, .null, Library.odes]) }
      ]
    ).stream(request(), payloads.receive)
    #expect(payloads.states == ["connected"])
    #expect(
      payloads.texts == [
        #"{"data":{"added":{"id":"1","title":"Emma"}}}"#, #"{"data":{"added":null}}"#,
        #"{"data":{"added":{"id":"2","title":"Odes"}}}"#,
      ])
  }

  @Test("a resolver of the root field gets the element as its parent")
  func rootResolver() async throws {
    let payloads = try await payloads(
      request(
        "subscription ($genre: Genre) { new: added(genre: $genre) { id } }", ["genre": "POETRY"]),
      resolvers: [
        "Subscription.added": { call in
          #expect(call.arguments["genre"] == "POETRY")
          return call.parent == "2" ? Library.odes : nil
        }
      ]
    ) { call in
      #expect(call.arguments["genre"] == "POETRY" && call.path == ["new"])
      return SourceStream(["1", "2"])
    }
    #expect(payloads == [#"{"data":{"new":null}}"#, #"{"data":{"new":{"id":"2"}}}"#])
  }

  @Test("an error of a resolver is in its event, and the next event follows")
  func eventErrors() async throws {
    let payloads = try await payloads(
      request(),
      resolvers: [
        "Book.title": { call in
          if call.parent["id"] == "1" { throw Broken(description: "Torn.") }
          return call.parent["title"]
        }
      ]
    ) { _ in SourceStream([Library.emma, Library.odes]) }
    #expect(
      payloads == [
        #"{"errors":[{"message":"Torn.","locations":[{"line":1,"column":27}],"path":["added","title"]}],"data":{"added":null}}"#,
        #"{"data":{"added":{"id":"2","title":"Odes"}}}"#,
      ])
  }

  @Test("an error before the first event is the only response, and has no data")
  func creationErrors() async throws {
    let failed = try await payloads(request()) { _ in throw Broken(description: "Closed.") }
    #expect(
      failed == [
        #"{"errors":[{"message":"Closed.","locations":[{"line":1,"column":16}],"path":["added"]}]}"#
      ])
    let wrong = try await payloads(request("subscription { added(genre: NONE) { id } }")) { _ in
      SourceStream([])
    }
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("data") == false)
    let skipped = try await payloads(request("subscription { added @skip(if: true) { id } }")) {
      _ in SourceStream([Library.emma])
    }
    #expect(skipped.first?.contains("exactly one field") == true)
    let unresolved = try await payloads(request("subscription { counted }")) { _ in
      SourceStream([])
    }
    #expect(
      unresolved.first?.contains(#"no subscription resolver for \"Subscription.counted\""#) == true)
  }

  @Test("an error of the source stream is the last response, and a RelayError is thrown")
  func sourceErrors() async throws {
    let failing = AsyncThrowingStream<JSONValue, any Error> { continuation in
      continuation.yield(Library.emma)
      continuation.finish(throwing: Broken(description: "Over."))
    }
    let failed = try await payloads(request()) { _ in SourceStream(failing) }
    #expect(
      failed == [
        #"{"data":{"added":{"id":"1","title":"Emma"}}}"#, #"{"errors":[{"message":"Over."}]}"#,
      ])
    let lost = AsyncThrowingStream<JSONValue, any Error> {
      $0.finish(throwing: RelayError(.transport, "Lost."))
    }
    await #expect(throws: RelayError.self) {
      _ = try await payloads(request()) { _ in SourceStream(lost) }
    }
  }

  @Test("cancelling the request cancels the source stream")
  func cancellation() async throws {
    let (ended, end) = AsyncStream<Void>.makeStream()
    let payloads = Payloads()
    let server = try Library.server(
      subscriptions: [
        "Subscription.added": { _ in
          SourceStream(
            AsyncStream<JSONValue> { continuation in
              continuation.onTermination = { _ in end.finish() }
              continuation.yield(Library.emma)
            })
        }
      ])
    let (received, receipt) = AsyncStream<Void>.makeStream()
    let task = Task { [request = request()] in
      try await server.stream(request) { event in
        payloads.receive(event)
        if case .response = event { receipt.finish() }
      }
    }
    for await _ in received {}
    task.cancel()
    for await _ in ended {}
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(payloads.texts.count == 1)
  }

  @Test("a request that is cancelled before its source stream begins has no response")
  func cancelledBefore() async throws {
    let (gate, payloads) = (Gate(), Payloads())
    let server = try Library.server(
      subscriptions: [
        "Subscription.added": { _ in
          try await gate.wait()
          return SourceStream([Library.emma])
        }
      ])
    let task = Task { [request = request()] in
      try await server.stream(request, payloads.receive)
    }
    try await gate.arrivals(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(payloads.texts.isEmpty)
  }

  @Test("a subscription waits for the test while it waits for its source stream")
  func hold() async throws {
    let hold = RequestHold()
    let held = Locked<[Bool]>([])
    let (source, continuation) = AsyncStream<JSONValue>.makeStream()
    let server = try Library.server(
      subscriptions: ["Subscription.added": { _ in SourceStream(source) }])
    let task = Task { [request = request()] in
      try await RequestHold.$current.withValue(hold) {
        try await server.stream(request) { _ in held.withLock { $0.append(hold.isHeld) } }
      }
    }
    try await eventually(true) { hold.isHeld }
    continuation.yield(Library.emma)
    continuation.finish()
    try await task.value
    #expect(held.withLock { $0 } == [false, false])
    #expect(!hold.isHeld)
  }

  @Test("the receiver's error ends the subscription")
  func receiver() async throws {
    let server = try Library.server(
      subscriptions: ["Subscription.added": { _ in SourceStream([Library.emma]) }])
    await #expect(throws: Broken.self) {
      try await server.stream(request()) { event in
        if case .response = event { throw Broken(description: "Full.") }
      }
    }
  }

  @Test("a subscription resolver must be named after a field of the subscription type")
  func names() throws {
    for name in ["Query.int", "Subscription.none", "added"] {
      #expect(throws: SchemaServerFailure.self) {
        try Library.server(subscriptions: [name: { _ in SourceStream([]) }])
      }
    }
  }

  @Test("execute rejects a subscription")
  func executed() async throws {
    let response = try await Library.server(
      subscriptions: ["Subscription.added": { _ in SourceStream([Library.emma]) }]
    ).execute(request())
    #expect(response.errors.count == 1)
  }

  @Test("a source sends its values to every subscription that has begun")
  func source() async throws {
    let source = SubscriptionSource()
    let server = try Library.server(
      subscriptions: ["Subscription.added": { _ in source.stream() }])
    let all = [Payloads(), Payloads()]
    var tasks: [Task<Void, any Error>] = []
    for (index, payloads) in all.enumerated() {
      tasks.append(
        Task { [request = request("subscription { added { id } }")] in
          try await server.stream(request) { event in
            for _ in 0..<20 { await Task.yield() }
            payloads.receive(event)
          }
        })
      try await source.arrivals(index + 1)
      source.send(Library.emma)
      try await source.delivered()
    }
    #expect(all.map(\.texts.count) == [2, 1])
    #expect(source.subscriberCount == 2)
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(source.subscriberCount == 1)
    source.send(Library.odes)
    source.finish(throwing: Broken(description: "Over."))
    try await source.ended()
    try await tasks[1].value
    #expect(all[0].texts.count == 2 && source.subscriberCount == 0)
    #expect(
      all[1].texts.dropFirst() == [
        #"{"data":{"added":{"id":"2"}}}"#, #"{"errors":[{"message":"Over."}]}"#,
      ])
  }

  @Test("a subscription of a source waits for the test unless it has a value")
  func sourceHold() async throws {
    let (source, hold) = (SubscriptionSource(), RequestHold())
    let held = Locked<[Bool]>([])
    let server = try Library.server(
      subscriptions: ["Subscription.added": { _ in source.stream() }])
    let task = Task { [request = request()] in
      try await RequestHold.$current.withValue(hold) {
        try await server.stream(request) { _ in held.withLock { $0.append(hold.isHeld) } }
      }
    }
    try await source.arrivals(1)
    try await eventually(true) { hold.isHeld }
    for _ in 0..<50 {
      source.send(Library.emma)
      try await source.delivered()
      #expect(hold.isHeld)
    }
    source.finish()
    try await task.value
    #expect(held.withLock { $0 } == Array(repeating: false, count: 51) && !hold.isHeld)
  }

  @Test("a receiver's error ends the subscription of a source")
  func sourceReceiver() async throws {
    let source = SubscriptionSource()
    let server = try Library.server(
      subscriptions: ["Subscription.added": { _ in source.stream() }])
    let task = Task { [request = request()] in
      try await server.stream(request) { event in
        if case .response = event { throw Broken(description: "Full.") }
      }
    }
    try await source.arrivals(1)
    source.send(Library.emma)
    try await source.ended()
    await #expect(throws: Broken.self) { try await task.value }
  }
}
