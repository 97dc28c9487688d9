import RelayStore
import RelayStoreTesting
import Testing

@Suite("Streams of the mock transport", .timeLimit(.minutes(1)))
struct MockStreamTests {
  struct Broken: Error {}

  private let request = GraphQLRequest(
    operationName: "Added", kind: .subscription, text: "subscription Added { added }")

  @Test("responses, states and gaps arrive in the order in which they were sent")
  func order() async throws {
    let (server, payloads) = (MockTransport(), Payloads())
    let task = Task { try await server.stream(request, payloads.receive) }
    let pending = try await server.next(named: "Added")
    pending.report(.connection(.connected))
    pending.send(data: ["added": 1], errors: [["message": "No."]], extensions: ["a": 1])
    pending.report(.gap)
    pending.sendPart(["hasNext": false])
    #expect(server.pending.count == 1)
    pending.finish()
    #expect(server.pending.isEmpty)
    pending.send(data: ["added": 3])
    try await task.value
    #expect(payloads.states == ["connected", "gap"])
    #expect(
      payloads.texts == [
        #"{"data":{"added":1},"errors":[{"message":"No."}],"extensions":{"a":1}}"#,
        #"{"hasNext":false}"#,
      ])
  }

  @Test("delivered() waits until the receiver has returned")
  func delivery() async throws {
    let server = MockTransport()
    let count = Counter()
    let task = Task {
      try await server.stream(request) { _ in
        for _ in 0..<20 { await Task.yield() }
        count.add()
      }
    }
    let pending = try await server.next()
    try await pending.delivered()
    #expect(count.count == 0)
    for _ in 0..<3 { pending.send(data: [:]) }
    try await pending.delivered()
    #expect(count.count == 3)
    pending.resolve(data: [:])
    try await pending.delivered()
    try await task.value
    #expect(count.count == 4)
  }

  @Test("reject ends the stream with an error, after what was sent")
  func reject() async throws {
    let (server, payloads) = (MockTransport(), Payloads())
    let task = Task { try await server.stream(request, payloads.receive) }
    let pending = try await server.next()
    pending.send(data: [:])
    pending.reject(Broken())
    pending.finish()
    await #expect(throws: Broken.self) { try await task.value }
    #expect(payloads.texts == [#"{"data":{}}"#])
    #expect(try await pending.cancelled() == false)
  }

  @Test("a cancelled stream throws, and the test sees it")
  func cancellation() async throws {
    let (server, payloads) = (MockTransport(), Payloads())
    let task = Task { try await server.stream(request, payloads.receive) }
    let pending = try await server.next()
    #expect(!pending.isCancelled)
    task.cancel()
    #expect(try await pending.cancelled())
    #expect(pending.isCancelled && server.pending.isEmpty)
    pending.send(data: [:])
    try await pending.delivered()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(payloads.texts.isEmpty)
  }

  @Test("a stream that is cancelled while it receives gets nothing that was sent before")
  func cancelledWhileReceiving() async throws {
    let (server, count) = (MockTransport(), Counter())
    let task = Task {
      try await server.stream(request) { _ in
        count.add()
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let pending = try await server.next()
    pending.send(data: [:])
    pending.send(data: [:])
    try await pending.delivered()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(count.count == 1 && pending.isCancelled)
  }

  @Test("a receiver's error ends the stream, and the test sees it")
  func receiver() async throws {
    let server = MockTransport()
    let task = Task { try await server.stream(request) { _ in throw Broken() } }
    let pending = try await server.next()
    pending.send(data: [:])
    #expect(try await pending.cancelled())
    try await pending.delivered()
    await #expect(throws: Broken.self) { try await task.value }
  }

  @Test("a stream waits for the test unless its receiver has an event")
  func hold() async throws {
    let (server, hold) = (MockTransport(), RequestHold())
    let held = Locked<[Bool]>([])
    let task = Task {
      try await RequestHold.$current.withValue(hold) {
        try await server.stream(request) { _ in held.withLock { $0.append(hold.isHeld) } }
      }
    }
    let pending = try await server.next()
    for _ in 0..<100 {
      try await eventually(true) { hold.isHeld }
      pending.send(data: [:])
      try await pending.delivered()
    }
    pending.finish()
    try await task.value
    #expect(held.withLock { $0 } == Array(repeating: false, count: 100))
    #expect(!hold.isHeld)
  }

  @Test("a request with one response takes the first, and fails without one")
  func single() async throws {
    let server = MockTransport()
    let first = Task { try await server.execute(request) }
    let pending = try await server.next()
    pending.report(.connection(.connected))
    pending.send(data: ["a": 1])
    pending.send(data: ["a": 2])
    #expect(try await JSONValue(parsing: first.value.body) == ["data": ["a": 1]])
    let second = Task { try await server.execute(request) }
    try await server.next().finish()
    let error = await #expect(throws: RelayError.self) { try await second.value }
    #expect(error?.code == .transport)
  }
}
