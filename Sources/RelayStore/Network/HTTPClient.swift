import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP response, whatever its status is.
struct HTTPResponse: Sendable {
  var status = 0
  /// The header fields by name in lower case. The values of a repeated field are joined with a
  /// comma and a space.
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  /// The URL that the response came from, when the client followed a redirect by itself; otherwise
  /// `nil`.
  var finalURL: URL?

  /// Whether this is a GraphQL response: its status is a success, or its media type is
  /// `application/graphql-response+json`, which servers use for request errors under another
  /// status.
  var isGraphQLResponse: Bool {
    (200..<300).contains(status)
      || headers["content-type"]?.lowercased().hasPrefix("application/graphql-response+json")
        == true
  }
}

/// A client that sends HTTP requests.
protocol HTTPClient: Sendable {
  /// Sends a request and waits for the whole response. A redirect is returned as a response. A
  /// client that follows a redirect nevertheless reports it in ``HTTPResponse/finalURL``.
  ///
  /// - Parameter exchange: The request's body and what the client observes while it is sent.
  /// - Throws: `URLError` when there is no response; ``ResponseBuffer/Rejection`` when the response
  ///   exceeds the limits; ``RelayError`` when the body cannot be read; `CancellationError` when
  ///   the task was cancelled.
  func send(_ request: URLRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse
}

/// The part of an HTTP exchange that a `URLRequest` does not express.
struct HTTPExchange: Sendable {
  /// The maximum number of bytes of a GraphQL response. Any other response may be cut off.
  var byteLimit: Int
  /// The body, if it is not the request's `httpBody`.
  var body: HTTPBody?
  /// The progress to report to; `nil` when nobody observes it.
  var progress: TransferProgress?
}
