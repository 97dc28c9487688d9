import Foundation
import RelayStore

extension HTTPTransport {
  /// The format of a subscription's events over HTTP.
  public enum SubscriptionFormat: Sendable, Hashable {
    /// Server-sent events, one stream per subscription: the distinct connections mode of the
    /// GraphQL over SSE protocol.
    case serverSentEvents
    /// `multipart/mixed` with the parameter `subscriptionSpec=1.0`, as sent by Apollo Router and
    /// Strawberry.
    case multipart
  }

  /// Sends a request and passes on each of its responses.
  ///
  /// A subscription is sent as a POST, and the server responds with a stream of events; see
  /// ``subscriptionFormat``. When the connection is lost, the transport reconnects after growing
  /// delays, without limit, and reports a gap: the protocols do not repeat missed events. Each
  /// stream has its own connection, not counted toward the limit of connections per host.
  ///
  /// Any other request is sent as by ``execute(_:)``. The server may respond with
  /// `multipart/mixed`, JSON lines or an event stream; each message is a response.
  ///
  /// - Throws: Any error thrown by `receive`; otherwise the errors of ``execute(_:)``. For a
  ///   subscription, also ``/RelayStore/RelayError`` with code `graphQL` when the server rejects it
  ///   or ends it with errors. A retryable error does not end a subscription.
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    if request.kind == .subscription {
      try await HTTPSubscription(request, over: self, receive).run()
    } else {
      do {
        try await messages(of: request, accepting: Self.incrementalTypes, streamTimeout: timeout) {
          step, head in
          if let body = step.body { try await receive(.response(GraphQLResponse(body, head))) }
          if case .message(.event(let event)) = step, event.name == "complete" {
            throw ResponseCompletion()
          }
        }
      } catch is ResponseCompletion {}
    }
  }

  /// The accepted media types: the three formats of incremental delivery, and single responses.
  private static let incrementalTypes = """
    multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, multipart/mixed, \
    application/graphql-response+json, application/jsonl;q=0.9, application/json;q=0.9
    """

  /// A step of receiving a response: its head, a message or its end.
  package enum StreamStep {
    /// The response has started, and it is a stream.
    case head
    case message(StreamMessage)
    /// The complete body of a response that is not a stream.
    case whole([UInt8])
    /// The stream's marker that no more messages follow. Some formats do not have one.
    case end

    /// The JSON of the step; `nil` when it has none.
    fileprivate var body: [UInt8]? {
      switch self {
      case .head, .end, .message(.heartbeat): nil
      case .message(.payload(let body)), .whole(let body): body
      case .message(.event(let event)): event.data.isEmpty ? nil : event.data
      }
    }
  }

  /// Sends a request and passes on the messages of its response.
  ///
  /// - Parameters:
  ///   - types: The value of the header field `Accept`, unless the request sets one.
  ///   - streamTimeout: The idle timeout of a streamed response after its head.
  ///   - change: Changes each HTTP request before it is sent.
  package func messages(
    of request: GraphQLRequest, accepting types: String, streamTimeout: Duration?,
    changing change: (inout HTTPRequest) -> Void = { _ in },
    _ receive: @escaping @Sendable (StreamStep, HTTPResponse) async throws -> Void
  ) async throws {
    let receiver = StepReceiver(request, receive)
    var request = request
    if !request.headers.keys.contains(where: { $0.lowercased() == "accept" }) {
      request.headers["Accept"] = types
    }
    let response = try await httpResponse(to: request) { [client] http, exchange in
      var (http, exchange) = (http, exchange)
      change(&http)
      exchange.streamTimeout = streamTimeout
      return try await client.stream(http, exchange) { try await receiver.take($0) }
    }
    if response.isStreamed { return try await receiver.finish() }
    guard response.isGraphQLResponse else {
      throw RelayError(
        rejectedBy: GraphQLResponse(response.body, response), operationName: request.operationName)
    }
    try await receive(.whole(response.body), response)
  }
}

extension GraphQLResponse {
  package init(_ body: [UInt8], _ head: HTTPResponse) {
    self.init(body: body)
    status = head.status
    headers = head.headers
  }
}

/// The parser of one streamed response. Its calls never overlap.
actor StepReceiver {
  private let request: GraphQLRequest
  private let receive: @Sendable (HTTPTransport.StreamStep, HTTPResponse) async throws -> Void
  private var parser: StreamParser?
  private var head = HTTPResponse()

  init(
    _ request: GraphQLRequest,
    _ receive: @escaping @Sendable (HTTPTransport.StreamStep, HTTPResponse) async throws -> Void
  ) {
    self.request = request
    self.receive = receive
  }

  /// Parses an event of the response and passes on the messages that it completes.
  func take(_ event: HTTPStreamEvent) async throws {
    switch event {
    case .head(let head):
      self.head = head
      parser = try explained {
        try StreamParser(
          contentType: head.headers["content-type"],
          limits: .init(
            messageBytes: request.responseByteLimit,
            totalBytes: request.kind == .subscription ? nil : request.responseByteLimit))
      }
      try await pass(.head)
    case .bytes(let bytes):
      try await parse { parser, messages in
        try bytes.withUnsafeBytes { try parser.append($0) { messages.append($0) } }
      }
      // A server or a proxy may leave the connection open after the last message.
      if parser?.isComplete == true {
        try await pass(.end)
        throw ReceiverFailure(error: ResponseCompletion())
      }
    }
  }

  /// Passes on the message that the end of the response completes, then the end marker if there was
  /// one.
  func finish() async throws {
    do {
      try await parse { parser, messages in try parser.finish { messages.append($0) } }
      if parser?.isComplete == true { try await pass(.end) }
    } catch let failure as ReceiverFailure {
      throw failure.error
    }
  }

  /// Passes on the messages that a closure parses, including those before an error.
  private func parse(
    _ body: (inout StreamParser, inout [StreamMessage]) throws -> Void
  ) async throws {
    guard var parser else { return }
    // Moved out to avoid copying its buffers.
    self.parser = nil
    var messages: [StreamMessage] = []
    let result = Result { try explained { try body(&parser, &messages) } }
    self.parser = parser
    for message in messages { try await pass(.message(message)) }
    try result.get()
  }

  private func pass(_ step: HTTPTransport.StreamStep) async throws {
    do {
      try await receive(step, head)
    } catch {
      throw ReceiverFailure(error: error)
    }
  }

  /// Runs a closure, converting a parser's failure to the request's error.
  private func explained<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let failure as StreamFailure {
      var error = RelayError(
        failure == .truncated ? .transport : .response,
        "Response for \"\(request.operationName)\" \(failure.problem).",
        operationName: request.operationName)
      error.setStatus(head.status, retryAfter: nil)
      error.isRetryable = failure == .truncated
      throw error
    }
  }
}
