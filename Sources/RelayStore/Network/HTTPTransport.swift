import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends operations to a GraphQL server over HTTP: as a POST with a JSON body, with files as
/// `multipart/form-data`, and queries that the server knows by their hash as a GET, if wished.
///
/// A response is taken when its status is a success, or when its media type is
/// `application/graphql-response+json`, with which servers answer errors in the request under
/// another status. Source: GraphQL over HTTP specification, section 6.
public struct HTTPTransport: Transport {
  /// Where the server is.
  public var url: URL
  /// Header fields for every request.
  public var headers: [String: String]
  /// The longest wait for data, from the request or from the last data received.
  public var timeout: Duration
  /// Whether a query that is sent by its hash alone is a GET, which caches between here and the server
  /// can answer; see ``Transport/persistingQueries(includesMutations:)``.
  public var getsPersistedQueries = false
  /// Where an answer may redirect a request to.
  public var redirects = Redirects.sameOrigin
  /// What sends requests.
  let client: any HTTPClient

  /// - Parameter session: Gives proxies, caches and cookies; by default there are no cookies and no
  ///   cache. On Linux the default is not a session, for Foundation's end the process when a
  ///   connection ends inside the header fields of a response, but libcurl, of which they are made.
  public init(
    url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
    session: URLSession? = nil
  ) {
    self.url = url
    self.headers = headers
    self.timeout = timeout
    client = session.map(SessionClient.init(session:)) ?? Self.makeClient()
  }

  private static func makeClient() -> any HTTPClient {
    #if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
      if let client = CurlClient() { return client }
    #endif
    return SessionClient(session: URLSession(configuration: .ephemeral))
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let answer = try await answer(to: request)
    var response = GraphQLResponse(body: answer.body)
    response.status = answer.status
    response.headers = answer.headers
    guard answer.isResponse else {
      throw RelayError(refusedBy: response, operationName: request.operationName)
    }
    return response
  }

  /// What is sent for a request.
  func urlRequest(for request: GraphQLRequest) -> URLRequest {
    let isGet =
      getsPersistedQueries && request.kind == .query && !request.includesText
      && request.uploads.isEmpty
    var http = URLRequest(url: isGet ? Self.url(url, querying: request) : url)
    http.httpMethod = isGet ? "GET" : "POST"
    http.timeoutInterval = timeout.asWait / .seconds(1)
    http.setValue(
      "application/graphql-response+json, application/json;q=0.9", forHTTPHeaderField: "Accept")
    for (name, value) in headers { http.setValue(value, forHTTPHeaderField: name) }
    for (name, value) in request.headers { http.setValue(value, forHTTPHeaderField: name) }
    if isGet { return http }
    if request.uploads.isEmpty {
      http.httpBody = Data(request.httpBody)
      http.setValue("application/json", forHTTPHeaderField: "Content-Type")
    } else {
      let body = MultipartBody(request, boundary: MultipartBody.makeBoundary())
      http.httpBody = Data(body.bytes)
      http.setValue(body.contentType, forHTTPHeaderField: "Content-Type")
    }
    return http
  }

  /// The address with the request as its query; its members keep what the address has already.
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
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return url
    }
    components.percentEncodedQuery =
      (components.percentEncodedQuery.map { $0 + "&" } ?? "") + query
    return components.url ?? url
  }

  private func answer(to request: GraphQLRequest) async throws -> HTTPAnswer {
    let operation = request.operationName
    do {
      return try await follow(urlRequest(for: request), request)
    } catch let error where error is CancellationError || error is RelayError {
      throw error
    } catch let refusal as ArrivingAnswer.Refusal {
      var failure = RelayError(
        .response, "Response for \"\(operation)\" \(refusal.problem).", operationName: operation)
      failure.note(status: refusal.status, retryAfter: nil)
      throw failure
    } catch {
      var failure = RelayError(
        .transport,
        "\"\(operation)\" got no response from \(url.host ?? "the server"): \(error.localizedDescription)",
        operationName: operation, underlying: error)
      failure.isRetryable = (error as? URLError).map { Self.passing.contains($0.code) } ?? false
      throw failure
    }
  }

  /// Sends a request, and again to where its answers redirect it.
  private func follow(_ first: URLRequest, _ request: GraphQLRequest) async throws -> HTTPAnswer {
    var next = first
    for _ in 0...Self.redirectLimit {
      let answer = try await client.send(next, byteLimit: request.responseByteLimit)
      try refuseFollowed(answer, operation: request.operationName)
      guard
        let redirected = try self.request(
          after: answer, to: next, operation: request.operationName)
      else { return answer }
      next = redirected
    }
    let text = "it redirected more than \(Self.redirectLimit) times"
    throw URLError(.httpTooManyRedirects, userInfo: [NSLocalizedDescriptionKey: text])
  }

  /// Faults of a connection that may be gone the next time.
  private static let passing: Set<URLError.Code> = [
    .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    .notConnectedToInternet, .badServerResponse, .resourceUnavailable,
  ]
}

extension RelayError {
  /// The statuses of servers that may answer otherwise the next time.
  private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// An answer whose status says that it is no response. Its body may have errors all the same.
  init(refusedBy answer: GraphQLResponse, operationName: String) {
    let errors = answer.failures
    let status = answer.status.map { "HTTP status \($0)" } ?? "a refusal"
    let reason = errors.first.map { ": \($0.message)" } ?? " instead of a response."
    self.init(
      .transport, "\"\(operationName)\" was answered with \(status)\(reason)",
      operationName: operationName, errors: errors)
    excerpt = Excerpt.redacted(answer.body)
    note(status: answer.status, retryAfter: answer.retryAfter)
  }

  /// Notes the HTTP status of an answer, whether the next may be another, and when.
  mutating func note(status: Int?, retryAfter: Duration?) {
    self.status = status
    self.retryAfter = retryAfter
    isRetryable = status.map(Self.passingStatuses.contains) ?? false
  }
}

extension String {
  /// With everything but RFC 3986's unreserved characters escaped.
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
