import Foundation
import RelayNetwork
import RelayStore

/// The HTTP requests of an event stream that carries several operations.
///
/// | method | purpose | response |
/// |---|---|---|
/// | PUT | reserves a stream | 201, the token of the stream |
/// | GET | opens the stream | an event stream |
/// | POST | starts an operation | 202 |
/// | DELETE | ends an operation | ignored |
///
/// Source: `PROTOCOL.md` of graphql-sse, "Single connection mode".
struct EventStreamEndpoint: Sendable {
  private static let tokenField = "X-GraphQL-Event-Stream-Token"
  private static let tokenByteLimit = 4096
  /// The maximum number of bytes of a response that is not an event stream.
  private static let plainResponseByteLimit = 256 * 1024
  /// The idle timeout of a request whose response is ignored.
  private static let farewellTimeout = Duration.seconds(10)

  /// The transport that sends the requests.
  let http: HTTPTransport
  /// Returns the header fields of each request.
  let headers: @Sendable () async throws -> [String: String]
  /// The maximum number of bytes of an event.
  let eventByteLimit: Int

  /// The host, for messages.
  var host: String { http.url.host ?? "the server" }

  /// Reserves an event stream.
  ///
  /// - Returns: The token of the stream.
  func reserve() async throws -> String {
    let request = try await streamRequest(
      token: nil, accepting: "*/*", byteLimit: Self.plainResponseByteLimit)
    let response = try await send(request) { http in
      http.setMethod("PUT")
      http.body = []
    }
    guard response.status == 201 || response.status == 200 else {
      throw RelayError(
        rejectedBy: GraphQLResponse(response.body, response), operationName: request.operationName)
    }
    let token = response.body.drop(while: \.isJSONSpace)
    let end = token.lastIndex { !$0.isJSONSpace }.map { $0 + 1 } ?? token.startIndex
    let text = token[..<end]
    // The token is sent as a header field value.
    guard !text.isEmpty, text.count <= Self.tokenByteLimit,
      text.allSatisfy({ 0x21...0x7E ~= $0 })
    else {
      throw RelayError(
        .transport,
        "The response to the reservation of an event stream at \(host) has no valid token.")
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Opens a reserved stream and passes on its steps until it ends.
  func open(
    _ token: String,
    _ receive: @escaping @Sendable (HTTPTransport.StreamStep) async throws -> Void
  ) async throws {
    let type = "text/event-stream"
    let request = try await streamRequest(
      token: token, accepting: type, byteLimit: eventByteLimit)
    try await http.messages(
      of: request, accepting: type, streamTimeout: nil, changing: { $0.setMethod("GET") }
    ) { step, head in
      let received = head.headers["content-type"].flatMap { MediaType($0) }?.essence
      guard received == type else {
        throw RelayError(
          .transport,
          "\(host) did not open an event stream: its response has the media type \"\(received ?? "")\"."
        )
      }
      try await receive(step)
    }
  }

  /// Starts an operation.
  ///
  /// - Throws: ``ConnectionFailure`` unless the server accepts the operation.
  func begin(
    _ operation: WebSocketOperationID, _ request: GraphQLRequest, token: String
  ) async throws(ConnectionFailure) {
    do {
      var request = try await self.request(request, token: token, accepting: "application/json")
      request.extensions["operationId"] = .string(String(operation.rawValue))
      request.responseByteLimit = Self.plainResponseByteLimit
      let response = try await send(request)
      if response.status != 202 { throw rejection(of: request, response) }
    } catch {
      throw Self.failure(error, of: request, at: host)
    }
  }

  /// Ends an operation. Errors are ignored, because the operation ends with its stream anyway.
  ///
  /// The request uses a connection for streams. Such connections do not count toward the limit per
  /// host, so a server that never responds does not delay other requests.
  func end(_ operation: WebSocketOperationID, token: String) async {
    let request = try? await streamRequest(
      token: token, accepting: "*/*", byteLimit: Self.plainResponseByteLimit)
    guard let request else { return }
    _ = try? await http.httpResponse(to: request) { [client = http.client] http, exchange in
      var http = http
      http.setMethod("DELETE")
      http.timeout = min(http.timeout, Self.farewellTimeout)
      http.url = http.url.appending(query: "operationId=\(operation.rawValue)")
      return try await client.stream(http, exchange) { _ in throw CancellationError() }
    }
  }

  // MARK: Requests

  /// Returns a request that does not carry a GraphQL operation.
  private func streamRequest(
    token: String?, accepting types: String, byteLimit: Int
  ) async throws -> GraphQLRequest {
    var request = GraphQLRequest(operationName: "event stream", kind: .subscription, text: "")
    request.responseByteLimit = byteLimit
    return try await self.request(request, token: token, accepting: types)
  }

  /// Returns a request with the current header fields; the request's own fields take precedence.
  private func request(
    _ request: GraphQLRequest, token: String?, accepting types: String
  ) async throws -> GraphQLRequest {
    var request = request.adding(headers: ["Accept": types])
    do {
      request = request.adding(headers: try await headers())
    } catch {
      throw RelayError(ofCredentials: error)
    }
    request.headers[Self.tokenField] = token
    return request
  }

  private func send(
    _ request: GraphQLRequest, changing change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> HTTPResponse {
    try await http.httpResponse(to: request) { [client = http.client] http, exchange in
      var http = http
      change(&http)
      return try await client.send(http, exchange)
    }
  }

  // MARK: Failures

  /// Returns the error of an operation when the status of its response is not 202.
  private func rejection(of request: GraphQLRequest, _ head: HTTPResponse) -> RelayError {
    let response = GraphQLResponse(head.body, head)
    guard head.isGraphQLResponse else {
      return RelayError(rejectedBy: response, operationName: request.operationName)
    }
    if !response.errorPageErrors.isEmpty { return response.error(of: request) }
    var error = RelayError(
      .transport,
      "\"\(request.operationName)\" got HTTP status \(head.status) instead of 202.",
      operationName: request.operationName)
    error.status = head.status
    return error
  }

  /// Returns the failure of an operation and its consequence; `retry` applies to the entire stream.
  private static func failure(
    _ error: any Error, of request: GraphQLRequest, at host: String
  ) -> ConnectionFailure {
    let error =
      error as? RelayError
      ?? RelayError(
        .transport, "\"\(request.operationName)\" was not sent to \(host): \(error)",
        operationName: request.operationName, underlying: error)
    let isUnauthenticated =
      [401, 403].contains(error.status)
      || error.errors.contains { $0.extensions["code"]?.string == "UNAUTHENTICATED" }
    let isLost = error.status == nil && error.isRetryable
    return ConnectionFailure(
      consequence: isUnauthenticated ? .refresh : isLost ? .retry : .fatal, error: error)
  }
}

extension RelayError {
  /// Creates the error for a failure of the app's closure that provides header fields or refreshes
  /// credentials.
  init(ofCredentials error: any Error) {
    self =
      error as? RelayError
      ?? RelayError(
        .transport, "The credentials of an event stream could not be obtained: \(error)",
        underlying: error)
  }
}

extension HTTPRequest {
  /// Sets the method and removes the body.
  fileprivate mutating func setMethod(_ method: String) {
    self.method = method
    body = nil
    setHeader("Content-Type", to: nil)
  }
}
