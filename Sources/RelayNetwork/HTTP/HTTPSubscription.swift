import RelayStore

/// A subscription over HTTP: consecutive streams, with waits between them.
///
///     connecting    →  connected | waiting | ended
///     connected     →  waiting | ended
///     waiting       →  connecting | ended
///
/// - connecting: the request was sent.
/// - connected: the server has started a stream.
/// - waiting: the stream was lost or could not be started; the next attempt follows after a delay.
/// - ended: the server completed or rejected the subscription, or the task was cancelled.
struct HTTPSubscription: Sendable {
  /// The minimum duration of a successful stream. After such a stream, the delays start over.
  static let stability = Duration.seconds(10)
  /// The longest wait that a server can ask for.
  static let longestRequestedDelay = Duration.seconds(600)

  private let request: GraphQLRequest
  private let transport: HTTPTransport
  private let receive: TransportReceiver

  init(
    _ request: GraphQLRequest, over transport: HTTPTransport, _ receive: @escaping TransportReceiver
  ) {
    self.request = request
    self.transport = transport
    self.receive = receive
  }

  /// Connects repeatedly until the subscription ends.
  func run() async throws {
    var failures = 0
    var wasConnected = false
    while true {
      try await receive(.connection(.connecting))
      let stream = HTTPSubscriptionStream(
        request, over: transport, isReconnection: wasConnected, receive)
      var delay: Duration?
      var reason = "The stream ended before the server had completed the subscription."
      do {
        if try await stream.run() == .completed { return }
      } catch let error as RelayError where error.isRetryable && !stream.hasReceiverFailed {
        delay = error.retryAfter.map { min($0, Self.longestRequestedDelay) }
        reason = error.message
      }
      if let duration = stream.duration {
        wasConnected = true
        if duration >= Self.stability { failures = 0 }
      }
      failures += 1
      let policy = transport.reconnection
      let wait = max(
        delay ?? .zero, policy.delay(afterAttempt: failures, random: transport.random()))
      try await receive(.connection(.disconnected(retryAfter: wait, reason: reason)))
      try await transport.clock.wait(for: wait)
    }
  }
}

/// One stream of a subscription over HTTP.
final class HTTPSubscriptionStream: Sendable {
  /// The end of a stream: the server completed the subscription, or the connection was lost.
  enum End { case completed, lost }

  private struct State {
    /// The time of the stream's start; `nil` before it.
    var start: Duration?
    /// Whether the subscription is complete when the stream ends.
    var isCompleted = false
    var hasReceiverFailed = false
  }

  private let request: GraphQLRequest
  private let transport: HTTPTransport
  private let isReconnection: Bool
  private let receive: TransportReceiver
  private let time: StoreTime
  private let watch: StreamWatch
  private let state = Locked(State(), rank: .leaf)

  /// - Parameter isReconnection: Whether an earlier stream of the subscription was lost.
  init(
    _ request: GraphQLRequest, over transport: HTTPTransport, isReconnection: Bool,
    _ receive: @escaping TransportReceiver
  ) {
    self.request = request
    self.transport = transport
    self.isReconnection = isReconnection
    self.receive = receive
    time = StoreTime(transport.clock)
    watch = StreamWatch(transport.clock)
  }

  /// The time since the server started the stream; `nil` before that.
  var duration: Duration? {
    let now = time.elapsed
    return state.withLock { $0.start.map { now - $0 } }
  }
  /// Whether the stream failed with an error of its receiver.
  var hasReceiverFailed: Bool { state.withLock { $0.hasReceiverFailed } }

  /// Sends the request and passes on events until the stream ends.
  func run() async throws -> End {
    try await withThrowingTaskGroup(of: End.self) { group in
      group.addTask { [self] in
        do {
          try await transport.messages(
            of: request, accepting: acceptedTypes, streamTimeout: nil
          ) { step, head in
            try await self.watch.process(step) { try await self.take(step, head) }
          }
          return state.withLock { $0.isCompleted } ? .completed : .lost
        } catch is ResponseCompletion {
          return .completed
        }
      }
      group.addTask { [self] in
        try await watch.end()
        return .lost
      }
      defer { group.cancelAll() }
      let end = try await group.next() ?? .lost
      group.cancelAll()
      do {
        while try await group.next() != nil {}
      } catch  where hasReceiverFailed && !(error is CancellationError) {
        throw error
      } catch {}
      return end
    }
  }

  private var acceptedTypes: String {
    switch transport.subscriptionFormat {
    // The only value that graphql-sse's handler recognizes.
    case .serverSentEvents: "text/event-stream"
    case .multipart:
      "multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json;q=0.9"
    }
  }

  // MARK: Events

  private func take(_ step: HTTPTransport.StreamStep, _ head: HTTPResponse) async throws {
    switch step {
    case .head:
      let now = time.elapsed
      state.withLock { $0.start = now }
      try await pass(.connection(.connected))
      if isReconnection { try await pass(.gap) }
    case .whole(let body):
      state.withLock { $0.isCompleted = true }
      let response = GraphQLResponse(body, head)
      // A response that is not a stream either rejects the request or is the only event.
      if !response.hasData { throw response.error(of: request) }
      try await pass(.response(response))
    case .end: state.withLock { $0.isCompleted = true }
    case .message(.heartbeat): break
    case .message(.event(let event)): try await take(event, head)
    case .message(.payload(let body)): try await take(body, head)
    }
  }

  /// Passes on an event of an event stream: `next` carries a response, `complete` ends the
  /// subscription.
  private func take(_ event: ServerSentEvent, _ head: HTTPResponse) async throws {
    switch event.name {
    case "complete": throw ResponseCompletion()
    case "next", "message", "":
      if !event.data.isEmpty { try await pass(.response(GraphQLResponse(event.data, head))) }
    case "error":
      throw GraphQLResponse(event.data, head).error(of: request)
    default: break
    }
  }

  /// Passes on a message of a multipart subscription, `{"payload": response}`. A null payload with
  /// errors ends the subscription.
  private func take(_ body: [UInt8], _ head: HTTPResponse) async throws {
    switch SubscriptionEnvelope(body) {
    case .payload(let range):
      try await pass(.response(GraphQLResponse(Array(body[range]), head)))
    case .null: throw GraphQLResponse(body, head).error(of: request)
    case nil: try await pass(.response(GraphQLResponse(body, head)))
    }
  }

  private func pass(_ event: TransportEvent) async throws {
    do {
      try await receive(event)
    } catch {
      state.withLock { $0.hasReceiverFailed = true }
      throw error
    }
  }
}

/// The envelope of a response in a multipart subscription: `{"payload": response}`.
enum SubscriptionEnvelope {
  /// The byte range of the response.
  case payload(Range<Int>)
  /// The payload is null; the errors are next to it.
  case null

  /// Parses an envelope; `nil` when it has no payload and the message may itself be a response.
  init?(_ body: [UInt8]) {
    let found = body.withUnsafeBufferPointer { buffer -> SubscriptionEnvelope? in
      var scanner = JSONScanner(buffer)
      return try? Self.find(&scanner)
    }
    guard let found else { return nil }
    self = found
  }

  private static func find(_ scanner: inout JSONScanner) throws -> SubscriptionEnvelope? {
    guard try scanner.peekKind() == .object else { return nil }
    try scanner.open(.object)
    var isFirst = true
    while try scanner.next(in: .object, isFirst: isFirst) {
      isFirst = false
      let isPayload = try scanner.key() == "payload"
      if isPayload, try scanner.peekKind() == .null { return .null }
      let start = scanner.position
      try scanner.skipValue()
      if isPayload { return .payload(start..<scanner.position) }
    }
    return nil
  }
}

extension GraphQLResponse {
  /// Returns the error of a response that rejects or ends a subscription.
  package func error(of request: GraphQLRequest) -> RelayError {
    let errors = self.errors
    var error = RelayError(
      .graphQL,
      "\"\(request.operationName)\" was ended: \(errors.first?.message ?? "The server gave no reason.")",
      operationName: request.operationName, errors: errors)
    error.setStatus(status, retryAfter: retryAfter)
    // Under a success status, the errors are the operation's. Under any other status they may come
    // from an overloaded server.
    if status.map((200..<300).contains) ?? true { error.isRetryable = false }
    return error
  }
}
