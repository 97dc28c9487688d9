import RelayNetwork
import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("The end of a response in parts", .timeLimit(.minutes(1)))
struct StreamEndTests {
  private static let document = "query TestQuery { me { id ...F @defer } } \(fragment)"
  private static let fragment = "fragment F on User { name }"
  private static let initial: JSONValue = ["data": ["me": ["id": "1"]], "hasNext": true]
  private static let announced: JSONValue = [
    "data": ["me": ["id": "1"]], "hasNext": true,
    "pending": [["id": "0", "path": ["me"], "label": "TestQuery$defer$F"]],
  ]

  private static func part(_ name: JSONValue, hasNext: Bool = false) -> JSONValue {
    [
      "path": ["me"], "label": "TestQuery$defer$F", "data": ["name": name],
      "hasNext": .bool(hasNext),
    ]
  }

  // MARK: The last payload

  @Test("a fetch returns with the last payload, although the transport's stream stays open")
  func lastPayload() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(Self.initial)
    await test.transport.send(Self.part("Ann"))
    _ = try await task.value
    #expect(test.transport.isEnded && test.environment.operationsInFlight.count == 0)
    #expect(test.read(Self.fragment, of: "1").row?.json["name"] == "Ann")
  }

  @Test(
    "a fetch over HTTP returns with the last payload, and leaves the connection if the body ends",
    arguments: [true, false], ["", "\r\n--graphql--\r\n"])
  func openConnection(isComplete: Bool, delimiter: String) async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head(type: "multipart/mixed; boundary=graphql"))
      for payload in [Self.initial, Self.part("Ann")] {
        exchange.send(
          StreamWire.chunk(
            "\r\n--graphql\r\ncontent-type: application/json\r\n\r\n\(payload)\r\n--graphql"))
      }
      exchange.send(StreamWire.chunk(delimiter.isEmpty ? "\r\n" : delimiter))
      if isComplete { return exchange.send(StreamWire.end) }
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let test = PartsFixture(Self.document)
    let environment = RelayEnvironment(store: test.store, transport: HTTPTransport(url: server.url))
    for count in 1...2 {
      let fetched = try await environment.fetched(test.request, timeout: nil, context: nil)
      #expect(fetched.response.errors.isEmpty)
      if isComplete { continue }
      await server.next(.disconnected)
      #expect(server.connections == count)
    }
    // The end of the body may arrive after the next request is sent.
    var count = 2
    while isComplete, server.connections == count, count < 100 {
      _ = try await environment.fetched(test.request, timeout: nil, context: nil)
      count += 1
    }
    #expect(!isComplete || server.connections < count)
  }

  @Test(
    "a stream ends with its closing delimiter, although the connection stays open",
    arguments: ClientKind.allCases)
  func closingDelimiter(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head(type: "multipart/mixed; boundary=-"))
      exchange.send(StreamWire.chunk("\r\n---\r\n\r\n\(Self.initial)\r\n-----\r\n"))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    var request = GraphQLRequest.query
    request.allowsIncrementalDelivery = true
    let count = Locked(0)
    try await kind.transport(server).stream(request) { _ in count.withLock { $0 += 1 } }
    #expect(count.withLock(\.self) == 1)
    await server.next(.disconnected)
  }

  @Test("the log of requests calls a response complete that ends with its last payload")
  func log() async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head(type: "multipart/mixed; boundary=-"))
      exchange.send(StreamWire.chunk("\r\n---\r\n\r\n\(Self.initial)\r\n---"))
      exchange.send(StreamWire.chunk("\r\n\r\n\(Self.part("Ann"))\r\n---"))
      exchange.send(StreamWire.chunk("\r\n"))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let errors = Locked<[Bool]>([])
    let test = PartsFixture(Self.document)
    let environment = RelayEnvironment(
      store: test.store,
      transport: HTTPTransport(url: server.url).logging { log in
        errors.withLock { $0.append(log.isProblem || log.failure != nil) }
      })
    _ = try await environment.fetched(test.request, timeout: nil, context: nil)
    #expect(errors.withLock(\.self) == [false, false, false])
  }

  // MARK: Lost parts

  @Test("a list whose stream ends early is stale, in every query that reads it")
  func lostElements() async throws {
    let test = PartsFixture(
      "query TestQuery { me { id friends @stream(initialCount: 1) { id name } } }")
    let friends = ["1", "2"].map { JSONValue.object(["id": .string($0), "name": "n"]) }
    let other = PartsFixture(
      "query TestQuery { me { id friends { id name } ...L @defer } } fragment L on User { login }",
      store: test.store)
    _ = try await other.fetch([
      ["data": ["me": ["id": "0", "login": "a", "friends": .array(friends)]]]
    ])
    #expect(other.request.isAvailable(in: test.store))
    let task = test.fetch()
    await test.transport.send([
      "data": ["me": ["id": "0", "friends": [friends[0]]]], "hasNext": true,
    ])
    test.transport.finish()
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(!other.request.isAvailable(in: test.store))
    #expect(!test.request.isAvailable(in: test.store))
  }

  @Test("a list of the root whose stream ends early makes its own query stale, and no other one")
  func lostRootElements() async throws {
    let test = PartsFixture("query TestQuery { users @stream(initialCount: 1) { id } }")
    let other = PartsFixture(
      "query TestQuery { me { id ...L @defer } } fragment L on User { login }", store: test.store)
    _ = try await other.fetch([["data": ["me": ["id": "0", "login": "a"]]]])
    let users: [JSONValue] = [["id": "1"], ["id": "2"]]
    // The entire list was fetched before.
    _ = try await PartsFixture(test.selection, text: "", store: test.store)
      .fetch([["data": ["users": .array(users)]]])
    #expect(test.request.isAvailable(in: test.store))
    let task = test.fetch()
    await test.transport.send(["data": ["users": [users[0]]], "hasNext": true])
    test.transport.finish()
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(other.request.isAvailable(in: test.store))
    #expect(!test.request.isAvailable(in: test.store))
  }

  @Test("an older response that ends early does not make the list of a newer one stale")
  func lostOlderElements() async throws {
    let document = "query TestQuery { me { id friends @stream(initialCount: 1) { id } } }"
    let test = PartsFixture(document)
    let requests = try await Requests(test, count: 2)
    let friends: [JSONValue] = [["id": "1"], ["id": "2"]]
    requests[0].sendPart(["data": ["me": ["id": "0", "friends": [friends[0]]]], "hasNext": true])
    try await requests[0].delivered()
    requests[1].sendPart(["data": ["me": ["id": "0", "friends": .array(friends)]]])
    try await requests[1].delivered()
    requests[0].reject(RelayError(.transport, "lost"))
    _ = await requests.results()
    #expect(test.request.isAvailable(in: test.store))
  }

  @Test("a response of which a part was dropped does not count as fetched, whatever follows")
  func droppedPart() async throws {
    let document = """
      query TestQuery { me { id ...F @defer ...G @defer } } \(Self.fragment)
      fragment G on User { login }
      """
    let test = PartsFixture(document)
    let requests = try await Requests(test, count: 2)
    for index in [0, 1] {
      requests[index].sendPart(Self.initial)
      try await requests[index].delivered()
    }
    // The newer response has been written, so this part is not.
    requests[0].sendPart(Self.part("Ann", hasNext: true))
    try await requests[0].delivered()
    requests[1].reject(RelayError(.transport, "lost"))
    _ = await requests.tasks[1].result
    requests[0].sendPart([
      "path": ["me"], "label": "TestQuery$defer$G", "data": ["login": "a"], "hasNext": false,
    ])
    _ = await requests.results()
    #expect(!test.read(Self.fragment, of: "1").missing.isEmpty)
    #expect(!test.read("fragment G on User { login }", of: "1").missing.isEmpty)
    #expect(!test.request.isAvailable(in: test.store))
  }

  /// Executions of one query that do not share their requests, oldest first.
  private struct Requests {
    private let pending: [MockTransport.Pending]
    let tasks: [Task<FetchedData, any Error>]

    init(_ test: PartsFixture, count: Int) async throws {
      let server = MockTransport()
      let environment = RelayEnvironment(store: test.store, transport: server)
      var (pending, tasks) = ([MockTransport.Pending](), [Task<FetchedData, any Error>]())
      for _ in 0..<count {
        // Executions with a context are not shared.
        tasks.append(
          Task { [request = test.request] in
            try await environment.fetched(request, timeout: nil, context: RequestContext())
          })
        pending.append(try await server.next())
      }
      (self.pending, self.tasks) = (pending, tasks)
    }

    subscript(index: Int) -> MockTransport.Pending { pending[index] }

    func results() async -> [Result<FetchedData, any Error>] {
      var results: [Result<FetchedData, any Error>] = []
      for task in tasks { results.append(await task.result) }
      return results
    }
  }

  @Test("the parts of a response arrive although a newer response has failed")
  func failedLater() async throws {
    let test = PartsFixture(Self.document)
    let requests = try await Requests(test, count: 2)
    for index in [0, 1] {
      requests[index].sendPart(Self.initial)
      try await requests[index].delivered()
    }
    requests[1].reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await requests.tasks[1].value }
    requests[0].sendPart(Self.part("Ann"))
    _ = try await requests.tasks[0].value
    #expect(test.read(Self.fragment, of: "1").row?.json["name"] == "Ann")
  }

  // MARK: Unknown parts

  @Test("a part whose announcement has ended, or was never made, changes nothing")
  func unknownID() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(Self.announced)
    await test.transport.send([
      "incremental": [["id": "0", "data": ["name": "Ann"]]], "completed": [["id": "0"]],
      "hasNext": true,
    ])
    let before = test.store.dump()
    await test.transport.send([
      "incremental": [
        ["id": "0", "data": ["name": "Eve", "me": ["id": "2"]]],
        ["id": "7", "data": ["name": "Eve", "me": ["id": "2"]]],
        ["id": "7", "subPath": ["me"], "data": ["name": "Eve"]],
      ], "hasNext": false,
    ])
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == .incomplete)
    #expect(test.store.dump() == before)
  }
}
