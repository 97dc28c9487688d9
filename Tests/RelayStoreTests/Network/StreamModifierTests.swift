import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

/// Every modifier of a transport, applied to every kind of operation, streamed and not.
@Suite("Modifiers compose over requests of any number of responses", .timeLimit(.minutes(1)))
struct StreamModifierTests {
  /// A kind of request.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case query, mutation, subscription, deferredQuery

    var request: GraphQLRequest {
      var request = GraphQLRequest(
        operationName: "Op", kind: operationKind, text: "\(operationKind) Op { a }")
      request.allowsIncrementalDelivery = self == .deferredQuery
      return request
    }

    private var operationKind: OperationKind {
      switch self {
      case .query, .deferredQuery: .query
      case .mutation: .mutation
      case .subscription: .subscription
      }
    }

    /// Whether the request has several responses.
    var isStreamed: Bool { self == .subscription || self == .deferredQuery }
    var responses: [GraphQLResponse] {
      (0..<(isStreamed ? 3 : 1)).map { GraphQLResponse(json: ["data": ["n": .number(.init($0))]]) }
    }

    var testDescription: String { rawValue }
  }

  /// A modifier, with the requests that the server must see and the responses that the caller must
  /// get.
  struct Modifier: CustomTestStringConvertible, Sendable {
    let name: String
    /// Rejects the first requests with a response or an error, given the number of earlier
    /// requests.
    var reject: @Sendable (GraphQLRequest, Int) throws -> GraphQLResponse? = { _, _ in nil }
    let apply: @Sendable (AnsweringTransport, Log) -> any Transport
    /// Checks the requests that the server received.
    let check: @Sendable (Kind, [GraphQLRequest], [String]) -> Bool

    var testDescription: String { name }
  }

  /// The reports of modifiers.
  final class Log: Sendable {
    let lines = Locked<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  static let modifiers: [Modifier] = [
    Modifier(
      name: "headers", apply: { transport, _ in transport.addingHeaders { ["x": "1"] } },
      check: { _, requests, _ in requests.map(\.headers) == [["x": "1"]] }),
    Modifier(
      name: "authentication, credentials accepted",
      apply: { transport, log in
        transport.authenticated(by: { ["auth": "a"] }, refresh: { log.add("refresh") })
      },
      check: { _, requests, log in requests.map(\.headers) == [["auth": "a"]] && log.isEmpty }),
    Modifier(
      name: "authentication, rejected by a response",
      reject: { _, count in
        count > 0
          ? nil
          : GraphQLResponse(
            json: [
              "errors": [["message": "no", "extensions": ["code": "UNAUTHENTICATED"]]]
            ])
      },
      apply: { transport, log in
        transport.authenticated(
          by: { ["auth": .init(describing: log.lines.withLock(\.count))] },
          refresh: { log.add("refresh") })
      },
      check: { _, requests, log in
        requests.map(\.headers) == [["auth": "0"], ["auth": "1"]] && log == ["refresh"]
      }),
    Modifier(
      name: "authentication, rejected by a status",
      reject: { _, count in if count == 0 { throw RelayError.status(401) } else { nil } },
      apply: { transport, log in
        transport.authenticated(by: { [:] }, refresh: { log.add("refresh") })
      },
      check: { _, requests, log in requests.count == 2 && log == ["refresh"] }),
    Modifier(
      name: "retries",
      reject: { request, count in
        if count == 0, request.kind != .mutation { throw RelayError.status(503) } else { nil }
      },
      apply: { transport, _ in transport.retrying(.init(delay: .zero)) },
      check: { kind, requests, _ in requests.count == (kind == .mutation ? 1 : 2) }),
    Modifier(
      name: "persisted queries",
      reject: { request, _ in
        request.includesText
          ? nil : GraphQLResponse(json: ["errors": [["message": "PersistedQueryNotFound"]]])
      },
      apply: { transport, _ in transport.persistingQueries() },
      check: { _, requests, _ in requests.map(\.includesText) == [false, true] }),
    Modifier(
      name: "interception",
      apply: { transport, log in
        transport.intercepting { request, next in
          log.add("before")
          var response = try await next.execute(request)
          response.headers["seen"] = "1"
          log.add("after")
          return response
        }
      },
      check: { _, requests, log in requests.count == 1 && log == ["before", "after"] }),
    Modifier(
      name: "logging",
      apply: { transport, log in
        transport.logging { log.add("\($0.part.map(String.init) ?? "all")") }
      },
      check: { kind, requests, log in
        requests.count == 1 && log == (kind.isStreamed ? ["1", "2", "3", "all"] : ["all"])
      }),
    Modifier(
      name: "routing",
      apply: { transport, _ in transport.routingSubscriptions(to: transport) },
      check: { _, requests, _ in requests.count == 1 }),
    Modifier(
      name: "all of them",
      reject: { _, count in if count == 0 { throw RelayError.status(401) } else { nil } },
      apply: { transport, log in
        transport.persistingQueries().addingHeaders { ["x": "1"] }
          .authenticated(by: { ["auth": "a"] }, refresh: { log.add("refresh") })
          .retrying().intercepting { try await $1.execute($0) }.logging { _ in }
      },
      check: { _, requests, log in
        requests.count == 2 && log == ["refresh"]
          && requests.allSatisfy { $0.headers == ["x": "1", "auth": "a"] }
      }),
  ]

  @Test(
    "each modifier does its work once, and passes on every response", arguments: modifiers,
    Kind.allCases)
  func composition(modifier: Modifier, kind: Kind) async throws {
    let server = AnsweringTransport(kind.responses, reject: modifier.reject)
    let log = Log()
    let transport = modifier.apply(server, log)
    let received = Locked<[[UInt8]]>([])
    if kind.isStreamed {
      try await transport.stream(kind.request) { event in
        if case .response(let response) = event {
          received.withLock { $0.append(response.body) }
        }
      }
    } else {
      let response = try await transport.execute(kind.request)
      received.withLock { $0.append(response.body) }
    }
    #expect(received.withLock { $0 } == kind.responses.map(\.body))
    #expect(modifier.check(kind, server.requests, log.lines.withLock { $0 }))
    #expect(server.openCount == 0)
  }

  @Test(
    "a modifier passes on connection states and gaps",
    arguments: modifiers.filter { $0.name != "all of them" })
  func events(modifier: Modifier) async throws {
    let server = AnsweringTransport(
      Kind.subscription.responses, reportsConnection: true, reject: { _, _ in nil })
    let received = Locked<[String]>([])
    try await modifier.apply(server, Log()).stream(Kind.subscription.request) { event in
      received.withLock { received in
        switch event {
        case .response: received.append("response")
        case .gap: received.append("gap")
        case .connection(let state): received.append("\(state)")
        }
      }
    }
    #expect(received.withLock { $0 } == ["connected", "response", "response", "gap", "response"])
  }

  @Test(
    "an error after the first response is passed on; nothing is sent again", arguments: modifiers)
  func lateFailure(modifier: Modifier) async throws {
    let server = AnsweringTransport(
      Kind.subscription.responses, failure: .status(503), reject: { _, _ in nil })
    let transport = modifier.apply(server, Log())
    let count = Locked(0)
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(Kind.subscription.request) { _ in count.withLock { $0 += 1 } }
    }
    #expect(error?.status == 503 && count.withLock { $0 } == 3 && server.requests.count == 1)
  }

  @Test("a receiver that throws ends the stream of every modifier", arguments: modifiers)
  func receiverThrows(modifier: Modifier) async throws {
    struct Enough: Error {}
    let server = AnsweringTransport(Kind.subscription.responses, reject: { _, _ in nil })
    let transport = modifier.apply(server, Log())
    await #expect(throws: Enough.self) {
      try await transport.stream(Kind.subscription.request) { _ in throw Enough() }
    }
    #expect(server.openCount == 0)
  }

  @Test("cancelling the caller ends the stream of every modifier", arguments: modifiers)
  func cancellation(modifier: Modifier) async throws {
    let server = AnsweringTransport(
      Kind.subscription.responses, hangs: true, reject: { _, _ in nil })
    let transport = modifier.apply(server, Log())
    let (received, input) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await transport.stream(Kind.subscription.request) { _ in input.yield(()) }
    }
    for await _ in received.prefix(3) {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.openCount == 0)
  }

  @Test("new credentials that are rejected within a minute end a subscription with the error")
  func lifetime() async throws {
    let clock = VirtualClock()
    let refreshes = Locked(0)
    // Each connection has one accepted event, followed by a rejection.
    let rejection = GraphQLResponse(
      json: ["errors": [["message": "no", "extensions": ["code": "UNAUTHENTICATED"]]]])
    let server = AnsweringTransport(
      Kind.subscription.responses + [rejection], reject: { _, _ in nil })
    let transport = server.authenticated(
      by: { [:] },
      refresh: {
        let count = refreshes.withLock { count in
          count += 1
          return count
        }
        if count > 10 { throw RelayError(.transport, "too many refreshes") }
        // The age counts from the end of a refresh, regardless of its duration.
        clock.advance(by: .seconds(90))
      }, clock: clock)
    let received = Locked((responses: 0, gaps: 0))
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(Kind.subscription.request) { event in
        let count = received.withLock { received in
          switch event {
          case .response: received.responses += 1
          case .gap: received.gaps += 1
          case .connection: break
          }
          return received.responses
        }
        // The first two refreshes last for a minute, the third does not.
        if count == 4 || count == 8 { clock.advance(by: .seconds(60)) }
      }
    }
    #expect(error?.code == .graphQL && error?.errors.map(\.message) == ["no"])
    #expect(refreshes.withLock(\.self) == 3 && server.requests.count == 4)
    #expect(received.withLock(\.responses) == 4 * 3 && received.withLock(\.gaps) == 3)
    #expect(server.openCount == 0)
  }

  @Test("a request that is complete with its first response is not cancelled below an interceptor")
  func completion() async throws {
    let log = Log()
    let server = AnsweringTransport(
      Kind.deferredQuery.responses, hangs: true, reject: { _, _ in nil })
    let transport = server.logging { log.add($0.failure.map { "\($0)" } ?? "ok") }.retrying()
    await #expect(throws: ResponseCompletion.self) {
      try await transport.stream(Kind.deferredQuery.request) { _ in throw ResponseCompletion() }
    }
    #expect(log.lines.withLock(\.self).allSatisfy { $0 == "ok" } && server.openCount == 0)
    #expect(!log.lines.withLock(\.isEmpty))
  }

  @Test(
    "of the streams that an interceptor begins at once, one stays open", arguments: Kind.allCases)
  func racing(kind: Kind) async throws {
    let server = AnsweringTransport(kind.responses, reject: { _, _ in nil })
    let transport = server.intercepting { request, next in
      try await withThrowingTaskGroup(of: GraphQLResponse?.self) { group in
        for _ in 0..<8 { group.addTask { try? await next.execute(request) } }
        var last: GraphQLResponse?
        while let response = try await group.next() { last = response ?? last }
        return try #require(last)
      }
    }
    let received = Locked(0)
    try await transport.stream(kind.request) { _ in received.withLock { $0 += 1 } }
    #expect(received.withLock(\.self) == kind.responses.count)
    #expect(server.openCount == 0)
  }

  @Test("a stream that ends without a response ends without an error", arguments: modifiers)
  func empty(modifier: Modifier) async throws {
    let server = AnsweringTransport([], reject: { _, _ in nil })
    try await modifier.apply(server, Log()).stream(Kind.subscription.request) { _ in
      Issue.record("There is no response.")
    }
  }
}

/// A transport that gives every request the same responses.
final class AnsweringTransport: Transport {
  private let responses: [GraphQLResponse]
  private let failure: RelayError?
  private let hangs: Bool
  private let reportsConnection: Bool
  private let reject: @Sendable (GraphQLRequest, Int) throws -> GraphQLResponse?
  private let state = Locked((requests: [GraphQLRequest](), open: 0))

  /// - Parameters:
  ///   - failure: The error after the last response.
  ///   - hangs: Whether the stream remains open until its task is cancelled.
  init(
    _ responses: [GraphQLResponse], failure: RelayError? = nil, hangs: Bool = false,
    reportsConnection: Bool = false,
    reject: @escaping @Sendable (GraphQLRequest, Int) throws -> GraphQLResponse?
  ) {
    self.responses = responses
    self.failure = failure
    self.hangs = hangs
    self.reportsConnection = reportsConnection
    self.reject = reject
  }

  var requests: [GraphQLRequest] { state.withLock { $0.requests } }
  /// The number of streams that have not ended.
  var openCount: Int { state.withLock { $0.open } }

  private func rejection(of request: GraphQLRequest) throws -> GraphQLResponse? {
    let count = state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    return try reject(request, count)
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    if let rejection = try rejection(of: request) { return rejection }
    return responses[0]
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    state.withLock { $0.open += 1 }
    defer { state.withLock { $0.open -= 1 } }
    if let rejection = try rejection(of: request) { return try await receive(.response(rejection)) }
    if reportsConnection { try await receive(.connection(.connected)) }
    for (position, response) in responses.enumerated() {
      if reportsConnection, position == responses.count - 1 { try await receive(.gap) }
      try await receive(.response(response))
    }
    if let failure { throw failure }
    if hangs {
      let (never, input) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      withExtendedLifetime(input) {}
      throw CancellationError()
    }
  }
}
