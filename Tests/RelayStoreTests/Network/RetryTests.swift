import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Retries", .timeLimit(.minutes(1)))
struct RetryTests {
  private let clock = VirtualClock()

  @Test("a request is retried with exponential backoff until it succeeds")
  func grows() async throws {
    let server = StubTransport { _, count in
      if count < 3 { throw RelayError.status(503) }
      return .empty
    }
    let transport = server.retrying(
      RetryPolicy(attempts: 4, delay: .seconds(1)), clock: clock, random: { 1 })
    let task = Task { try await transport.execute(.query) }
    for (attempt, seconds) in [(1, 1), (2, 2), (3, 4)] {
      try await clock.sleepers(1)
      #expect(server.requests.count == attempt)
      clock.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .milliseconds(1))
    }
    _ = try await task.value
    #expect(server.requests.count == 4)
  }

  @Test("the last error is thrown when the attempts are used up")
  func givesUp() async throws {
    let server = StubTransport { _, _ in throw RelayError.status(502) }
    let transport = server.retrying(RetryPolicy(attempts: 2), clock: clock)
    let task = Task { try await transport.execute(.query) }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.status == 502 && server.requests.count == 2)
  }

  /// A response without data, with a status set by the transport.
  private static func response(_ status: Int, _ body: JSONValue = ["errors": [["message": "busy"]]])
    -> GraphQLResponse
  {
    var response = GraphQLResponse(json: body)
    response.status = status
    response.headers["Retry-After"] = "7"
    return response
  }

  @Test(
    "a response whose status allows it is retried, whichever transport returns it",
    arguments: [false, true])
  func status(isStream: Bool) async throws {
    let server = StubTransport { _, count in count < 2 ? Self.response(429) : .empty }
    let transport = server.retrying(clock: clock)
    let responses = Locked<[Int?]>([])
    let task = Task {
      if !isStream {
        let response = try await transport.execute(.query)
        return responses.withLock { $0.append(response.status) }
      }
      try await transport.stream(.query) { event in
        if case .response(let response) = event {
          responses.withLock { $0.append(response.status) }
        }
      }
    }
    for deadline in [7, 14] {
      try await clock.sleepers(1)
      #expect(clock.nextDeadline == .seconds(deadline))
      clock.advance(by: .seconds(7))
    }
    try await task.value
    #expect(responses.withLock { $0 } == [nil] && server.requests.count == 3)
  }

  @Test("a response with data, another status or a mutation is returned, as the last one is")
  func returned() async throws {
    let responses = [
      Self.response(429, ["data": ["feed": []]]), Self.response(400), Self.response(200),
    ]
    for response in responses {
      let server = StubTransport { _, _ in response }
      #expect(
        try await server.retrying(clock: clock).execute(.query).status == response.status)
      #expect(server.requests.count == 1)
    }
    let server = StubTransport { _, _ in Self.response(503) }
    let transport = server.retrying(RetryPolicy(attempts: 2), clock: clock)
    #expect(try await transport.execute(.mutation).status == 503)
    #expect(server.requests.count == 1)
    let task = Task { try await transport.execute(.query) }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(7))
    #expect(try await task.value.errors.map(\.message) == ["busy"])
    #expect(server.requests.count == 3)
  }

  @Test("permanent failures and mutations are not retried")
  func once() async throws {
    let server = StubTransport { request, _ in
      throw request.kind == .query ? RelayError.status(404) : RelayError.status(503)
    }
    let transport = server.retrying(clock: clock)
    await #expect(throws: RelayError.self) { try await transport.execute(.query) }
    await #expect(throws: RelayError.self) { try await transport.execute(.mutation) }
    #expect(server.requests.count == 2)
    let withMutations = server.retrying(RetryPolicy(includesMutations: true), clock: clock)
    let task = Task { try await withMutations.execute(.mutation) }
    try await clock.sleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.count == 3)
  }

  /// A `Retry-After` field, and the resulting wait under a policy with waits from 1 to 30 seconds.
  struct Row: CustomTestStringConvertible {
    let field: String
    /// The delay in the error.
    let requested: Duration?
    /// The wait before the second request; `nil` without a second request.
    let wait: Duration?
    var testDescription: String { field.isEmpty ? "nothing" : field }

    init(_ field: String, _ requested: Duration?, waits wait: Duration?) {
      (self.field, self.requested, self.wait) = (field, requested, wait)
    }
  }

  static let rows =
    [
      Row("0", .zero, waits: .seconds(1)), Row("1", .seconds(1), waits: .seconds(1)),
      Row("7", .seconds(7), waits: .seconds(7)), Row("007", .seconds(7), waits: .seconds(7)),
      Row("30", .seconds(30), waits: .seconds(30)), Row("31", .seconds(31), waits: nil),
      Row("86400", .seconds(86_400), waits: nil),
      Row("1000000000000", .seconds(1e9), waits: nil),
      Row("9223372036854775807", .seconds(1e9), waits: nil),
      Row("9223372036854775808", .seconds(1e9), waits: nil),
      Row(String(repeating: "9", count: 1_000), .seconds(1e9), waits: nil),
    ]
    + [
      "", "soon", "-1", "-9223372036854775808", "+5", "1.5", "1e3", "0x10", "7, 8", "7 s", "nan",
      "inf",
      "\u{0667}", "Wed, 21 Oct 2026 07:28:00 GMT", "Wednesday, 21-Oct-26 07:28:00 GMT",
      "Wed Oct 21 07:28:00 2026", "Fri, 31 Dec 9999 23:59:59 GMT",
    ].map { Row($0, nil, waits: .seconds(1)) }

  @Test("the server's Retry-After is respected when it is longer, up to the limit", arguments: rows)
  func retryAfter(_ row: Row) async throws {
    let server = try RawServer { exchange in
      exchange.send(
        exchange.index > 0
          ? Wire.response([], #"{"data":{"todos":[]}}"#)
          : Wire.response(["Retry-After: \(row.field)"], "", status: "503 Busy"))
      return true
    }
    defer { server.stop() }
    let environment = RelayEnvironment(
      transport: HTTPTransport(url: server.url).retrying(
        RetryPolicy(attempts: 2, delay: .seconds(1)), clock: clock, random: { 1 }))
    let fetch = Task { try await environment.fetch(TodoListQuery()) }
    guard let wait = row.wait else {
      let error = await #expect(throws: RelayError.self) { try await fetch.value }
      #expect(
        error?.status == 503 && error?.retryAfter == row.requested && error?.isRetryable == true)
      #expect(clock.sleeperCount == 0)
      return
    }
    try await clock.sleepers(1)
    #expect(clock.nextDeadline == wait)
    clock.advance(by: wait)
    #expect(try await fetch.value.data != nil)
    #expect(RelayError.status(503, retryAfter: row.field).retryAfter == row.requested)
  }

  @Test("waits double up to the limit, and are shortened at most by the jitter")
  func waits() {
    let policy = RetryPolicy(
      delay: .seconds(1), longestDelay: .seconds(10), jitter: 0.5)
    let longest = (1...6).map { policy.delay(afterAttempt: $0, random: 1) }
    #expect(longest == [1, 2, 4, 8, 10, 10].map { Duration.seconds($0) })
    #expect(policy.delay(afterAttempt: 2, random: 0) == .seconds(1))
    #expect(policy.delay(afterAttempt: 10_000, random: 0.5) == .seconds(7.5))
    #expect(policy.delay(afterAttempt: .min, random: 1) == .seconds(1))
    #expect(policy.delay(afterAttempt: .max, random: 7) == .seconds(10))
    #expect(RetryPolicy(delay: .zero).delay(afterAttempt: .max, random: .nan) == .zero)
  }
}
