import Foundation
import RelayStore

/// An HTTP response, whatever its status is.
package struct HTTPResponse: Sendable {
  package var status = 0
  /// The header fields by name in lower case. The values of a repeated field are joined with a
  /// comma and a space.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []

  /// Whether this is a GraphQL response: its status is a success, or its media type is
  /// `application/graphql-response+json`, which servers use for request errors under another
  /// status.
  package var isGraphQLResponse: Bool {
    (200..<300).contains(status)
      || headers["content-type"]?.lowercased().hasPrefix("application/graphql-response+json")
        == true
  }

  /// Whether a client that streams delivers the body while it is received: the status is a success,
  /// and the media type is one that ``ResponseParts`` divides into parts.
  package var isStreamed: Bool {
    (200..<300).contains(status) && ResponseParts.isStream(contentType: headers["content-type"])
  }
}

/// A client that sends HTTP requests.
package protocol HTTPClient: Sendable {
  /// Sends a request and waits for the whole response. A redirect is returned as a response.
  ///
  /// - Parameter exchange: The request's body and what the client observes while it is sent.
  /// - Throws: `URLError` when there is no response; ``ResponseBuffer/Rejection`` when the response
  ///   exceeds the limits; ``RelayError`` when the body cannot be read; `CancellationError` when
  ///   the task was cancelled.
  func send(_ request: HTTPRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse

  /// Sends a request, and passes the body of a streamed response on while it is received.
  ///
  /// A response is streamed when ``HTTPResponse/isStreamed`` is true. Any other response is returned
  /// as a whole, as by ``send(_:_:)``, with the same limits, and `receive` is not called.
  ///
  /// While the consumer is busy, at most ``ResponsePipe/highWaterMark`` bytes are buffered, and
  /// then the client stops reading. A connection that receives a stream does not count toward the
  /// limit of connections per host.
  ///
  /// - Parameters:
  ///   - exchange: Its ``HTTPExchange/byteLimit`` does not apply to a streamed body.
  ///   - receive: Called with the head, then with the bytes in order, never concurrently. Its error
  ///     ends the transfer.
  /// - Returns: The response. The body of a streamed response is empty.
  /// - Throws: What ``send(_:_:)`` throws, after all bytes before; the error of `receive`.
  func stream(
    _ request: HTTPRequest, _ exchange: HTTPExchange,
    _ receive: (HTTPStreamEvent) async throws -> Void
  ) async throws -> HTTPResponse
}

/// The limits, the progress and the large body of an HTTP exchange.
package struct HTTPExchange: Sendable {
  /// The maximum number of bytes of a GraphQL response. Any other response may be cut off.
  package var byteLimit: Int
  /// The body, if it is not the request's.
  package var body: RequestBody?
  /// The progress to report to; `nil` when nobody observes it.
  package var progress: TransferProgress?
  /// The idle timeout of a streamed response from its head on; `nil` when it may be idle without
  /// limit. The request's timeout applies until then.
  package var streamTimeout: Duration?
}
