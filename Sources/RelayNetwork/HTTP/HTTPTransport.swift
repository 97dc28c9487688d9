import Foundation
import RelayStore

/// A transport that sends operations to a GraphQL server over HTTP.
///
/// An operation is sent as a POST with a JSON body, or with `multipart/form-data` when it has
/// files. A persisted query can be sent as a GET; see ``usesGETForPersistedQueries``.
///
/// An HTTP response counts as a GraphQL response when its status is a success, or when its media
/// type is `application/graphql-response+json`, used by servers for request errors under other
/// statuses. Source: GraphQL over HTTP specification, section 6.
public struct HTTPTransport: Transport {
  /// The URL of the GraphQL endpoint.
  public var url: URL
  /// The header fields of every request. A field of ``/RelayStore/GraphQLRequest/headers`` with the
  /// same name takes precedence. The transport itself sets the `Content-Type` of a POST.
  public var headers: [String: String]
  /// The idle timeout: the maximum time without data, measured from the request or from the last
  /// data received.
  public var timeout: Duration
  /// Whether a query sent only by its hash is sent as a GET, so that HTTP caches can respond to it;
  /// see ``RelayStore/Transport/persistingQueries(includesMutations:)``.
  public var usesGETForPersistedQueries = false
  /// The redirects that the transport follows.
  public var redirects = Redirects.sameOrigin
  /// The format in which the server sends the events of a subscription.
  public var subscriptionFormat = SubscriptionFormat.serverSentEvents
  /// The delays before a subscription is sent again after its connection was lost. The number of
  /// attempts is unlimited, regardless of the policy.
  public var reconnection = RetryPolicy(delay: .seconds(1), longestDelay: .seconds(30), jitter: 1)
  /// The clock that measures reconnection delays and silence on streams.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Returns a number from 0 to 1 for each reconnection delay.
  var random: @Sendable () -> Double = { Double.random(in: 0...1) }
  /// The client that sends the HTTP requests.
  package let client: any HTTPClient

  /// Creates a transport that sends with a client.
  package init(url: URL, headers: [String: String], timeout: Duration, client: any HTTPClient) {
    self.url = url
    self.headers = headers
    self.timeout = timeout
    self.client = client
  }

  /// Sends a request and returns the GraphQL response.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `transport` for a connection error, a redirect
  ///   that is not followed, or an HTTP response that is not a GraphQL response. It is retryable
  ///   for connection errors and HTTP statuses after which the same request may succeed. Code
  ///   `response` for a response that exceeds the limits; `CancellationError` when the task is
  ///   cancelled.
  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let http = try await httpResponse(to: request, by: client.send)
    var response = GraphQLResponse(body: http.body)
    response.status = http.status
    response.headers = http.headers
    guard http.isGraphQLResponse else {
      throw RelayError(rejectedBy: response, operationName: request.operationName)
    }
    return response
  }

  /// Returns the HTTP request for a GraphQL request, without a body when it has files.
  ///
  /// - Parameter boundary: The delimiter between the sections of a request with files.
  func httpRequest(for request: GraphQLRequest, boundary: String? = nil) -> HTTPRequest {
    let isGet =
      usesGETForPersistedQueries && request.kind == .query && !request.includesText
      && request.uploads.isEmpty
    var http = HTTPRequest(
      url: isGet ? Self.url(url, querying: request) : url, timeout: timeout)
    http.isIdempotent = request.kind != .mutation
    http.setHeader("Accept", to: "application/graphql-response+json, application/json;q=0.9")
    // Later fields take precedence.
    for (name, value) in headers { http.setHeader(name, to: value) }
    for (name, value) in request.headers { http.setHeader(name, to: value) }
    if isGet {
      http.method = "GET"
      return http
    }
    if boundary == nil { http.body = request.httpBody }
    http.setHeader(
      "Content-Type", to: boundary.map(MultipartBody.contentType) ?? "application/json")
    return http
  }

  /// Returns the endpoint with the request's parameters appended to its existing query items.
  private static func url(_ url: URL, querying request: GraphQLRequest) -> URL {
    var members = [("operationName", request.operationName)]
    if let id = request.documentID { members.append(("documentId", id)) }
    if !request.variables.isEmpty {
      members.append(("variables", JSONValue.object(request.variables).description))
    }
    if !request.extensions.isEmpty {
      members.append(("extensions", JSONValue.object(request.extensions).description))
    }
    let query = members.map { $0 + "=" + $1.percentEncoded }.joined(separator: "&")
    return url.appending(query: query)
  }

  /// Sends a request and converts the client's errors to ``RelayError``.
  ///
  /// - Parameter send: Sends one HTTP request.
  package func httpResponse(
    to request: GraphQLRequest,
    by send: (HTTPRequest, HTTPExchange) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let operation = request.operationName
    do {
      try HeaderFields.check(headers)
      try HeaderFields.check(request.headers)
      return try await follow(request, by: send)
    } catch let failure as ReceiverFailure {
      throw failure.error
    } catch let error as CancellationError {
      throw error
    } catch var error as RelayError {
      error.operationName = operation
      throw error
    } catch let rejection as ResponseBuffer.Rejection {
      var failure = RelayError(
        .response, "Response for \"\(operation)\" \(rejection.problem).", operationName: operation)
      failure.setStatus(rejection.status, retryAfter: nil)
      throw failure
    } catch {
      var failure = RelayError(
        .transport,
        "\"\(operation)\" got no response from \(url.host ?? "the server"): \(error.localizedDescription)",
        operationName: operation, underlying: error)
      failure.setConnectionFailure(error)
      throw failure
    }
  }

  /// Sends a request and follows the redirects that ``redirects`` allows.
  private func follow(
    _ request: GraphQLRequest, by send: (HTTPRequest, HTTPExchange) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let boundary = request.uploads.isEmpty ? nil : MultipartBody.makeBoundary()
    let exchange = HTTPExchange(
      byteLimit: request.responseByteLimit,
      body: try boundary.map { try MultipartBody.encode(request, boundary: $0) },
      progress: request.context.progress)
    var next = httpRequest(for: request, boundary: boundary)
    for _ in 0...Self.redirectLimit {
      let response = try await send(next, exchange)
      guard
        let redirected = try self.request(
          after: response, to: next, operation: request.operationName)
      else { return response }
      if let file = request.spentUpload {
        throw RelayError(
          cannotResend: file,
          after: redirectError(
            response, to: redirected.url, reason: "Following it sends the body again.",
            operation: request.operationName))
      }
      next = redirected
    }
    let text = "it redirected more than \(Self.redirectLimit) times"
    throw URLError(.httpTooManyRedirects, userInfo: [NSLocalizedDescriptionKey: text])
  }
}

extension URL {
  /// Returns this URL with query items appended; unchanged when it cannot be divided into
  /// components.
  package func appending(query: String) -> URL {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return self
    }
    components.percentEncodedQuery =
      (components.percentEncodedQuery.map { $0 + "&" } ?? "") + query
    return components.url ?? self
  }
}

extension String {
  /// This string with every character percent-encoded except RFC 3986's unreserved characters.
  fileprivate var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        bytes.append(byte)
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
