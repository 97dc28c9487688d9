import RelayStore
import RelayStoreTesting
import Testing

@Suite("A mock transport that answers by a schema", .timeLimit(.minutes(1)))
struct MockSchemaServerTests {
  private struct Broken: Error {}

  private let mock = MockTransport()
  private let sdl = """
    type Query { user: User }
    type User { id: ID! name: String! friends: [String!]! }
    type Subscription { added: Int }
    """

  private func request(
    _ text: String, _ kind: OperationKind = .query, isIncremental: Bool = false
  ) -> GraphQLRequest {
    var request = GraphQLRequest(operationName: "Q", kind: kind, text: text)
    request.allowsIncrementalDelivery = isIncremental
    return request
  }

  @Test("a request is resolved with generated values")
  func generated() async throws {
    let server = try SchemaServer(
      schema: sdl, generating: GeneratedValues(listCount: 1).overriding("User.name", with: "Ada"))
    let sent = Task { try await mock.execute(request("query Q { user { name friends } }")) }
    let pending = try await mock.next()
    try await pending.resolve(by: server)
    #expect(
      String(decoding: try await sent.value.body, as: UTF8.self)
        == #"{"data":{"user":{"name":"Ada","friends":["<User.friends>"]}}}"#)
    #expect(mock.pending.isEmpty)
  }

  @Test("a response in parts is sent in parts, each after the one before was processed")
  func parts() async throws {
    let server = try SchemaServer(schema: sdl, generating: GeneratedValues())
    let (payloads, gate) = (Payloads(), Gate())
    let sent = Task {
      try await mock.stream(
        request("query Q { user { id ... @defer { name } } }", isIncremental: true)
      ) { event in
        try await gate.wait()
        payloads.receive(event)
      }
    }
    let pending = try await mock.next()
    let resolution = Task { try await pending.resolve(by: server) }
    try await gate.arrivals(1)
    #expect(payloads.texts.isEmpty)
    gate.open()
    try await resolution.value
    try await sent.value
    #expect(payloads.texts.count == 2)
    #expect(payloads.texts.last?.contains(#""name":"<User.name>""#) == true)
  }

  @Test("a subscription is passed on until the source ends or the caller cancels")
  func subscription() async throws {
    let source = SubscriptionSource()
    let server = try SchemaServer(
      schema: sdl, subscriptions: ["Subscription.added": { _ in source.stream() }])
    for isCancelled in [false, true] {
      let payloads = Payloads()
      let sent = Task {
        try await mock.stream(request("subscription Q { added }", .subscription), payloads.receive)
      }
      let pending = try await mock.next()
      let resolution = Task { try await pending.resolve(by: server) }
      try await source.arrivals(isCancelled ? 2 : 1)
      source.send(4)
      try await source.delivered()
      #expect(payloads.texts == [#"{"data":{"added":4}}"#])
      if isCancelled { sent.cancel() } else { source.finish() }
      try await resolution.value
      _ = await sent.result
      #expect(source.subscriberCount == 0)
    }
  }

  @Test("an error of the schema server's transport rejects the request")
  func rejected() async throws {
    let server = try SchemaServer(schema: sdl, beforeExecuting: { _ in throw Broken() })
    let sent = Task { try await mock.execute(request("query Q { user { name } }")) }
    try await mock.next().resolve(by: server)
    await #expect(throws: Broken.self) { try await sent.value }
  }

  @Test("a request may be resolved again after the test's task was cancelled")
  func cancelledTest() async throws {
    let gate = Gate()
    let server = try SchemaServer(
      schema: sdl, generating: GeneratedValues(),
      beforeExecuting: { _ in try await gate.wait() })
    let sent = Task { try await mock.execute(request("query Q { user { name } }")) }
    let pending = try await mock.next()
    let resolution = Task { try await pending.resolve(by: server) }
    try await gate.arrivals(1)
    resolution.cancel()
    await #expect(throws: CancellationError.self) { try await resolution.value }
    gate.open()
    try await pending.resolve(by: server)
    #expect(try await sent.value.body.isEmpty == false)
  }
}
