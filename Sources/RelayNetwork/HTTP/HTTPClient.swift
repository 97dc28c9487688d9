import Foundation
import RelayStore

/// An HTTP response with any status.
package struct HTTPResponse: Sendable {
  package var status = 0
  /// The header fields by lowercase name. Values of a repeated field are joined with a comma and a
  /// space.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []

  /// Whether this is a GraphQL response: its status is a success, or its media type is
  /// `application/graphql-response+json`, used by servers for request errors under other statuses.
  package var isGraphQLResponse: Bool {
    (200..<300).contains(status)
      || headers["content-type"]?.lowercased().hasPrefix("application/graphql-response+json")
        == true
  }

  /// Whether a streaming client delivers the body as it arrives: the status is a success, and
  /// ``StreamParser`` can find out the format.
  package var isStreamed: Bool {
    (200..<300).contains(status) && StreamParser.isStream(contentType: headers["content-type"])
  }
}

/// A client that sends HTTP requests.
package protocol HTTPClient: Sendable {
  /// Sends a request and waits for the complete response. A redirect is returned as a response.
  ///
  /// - Parameter exchange: The request's body, limits and progress.
  /// - Throws: `URLError` when there is no response; ``ResponseBuffer/Rejection`` when the response
  ///   exceeds the limits; ``RelayError`` when the body cannot be read; `CancellationError` when
  ///   the task is cancelled.
  func send(_ request: HTTPRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse

  /// Sends a request and passes on the body of a streamed response as it arrives.
  ///
  /// A response is streamed when ``HTTPResponse/isStreamed`` is true. Any other response is
  /// returned complete, as by ``send(_:_:)`` and with the same limits, without calling `receive`.
  ///
  /// While the consumer is busy, the client buffers at most ``ResponsePipe/highWaterMark`` bytes
  /// and then stops reading. A streaming connection does not count toward the limit of connections
  /// per host.
  ///
  /// - Parameters:
  ///   - exchange: Its ``HTTPExchange/byteLimit`` does not apply to a streamed body.
  ///   - receive: Called with the head, then with the bytes in order, never concurrently. An error
  ///     that it throws ends the transfer.
  /// - Returns: The response. The body of a streamed response is empty.
  /// - Throws: The errors of ``send(_:_:)``, after all bytes received before them; any error thrown
  ///   by `receive`.
  func stream(
    _ request: HTTPRequest, _ exchange: HTTPExchange,
    _ receive: (HTTPStreamEvent) async throws -> Void
  ) async throws -> HTTPResponse
}

/// The limits, progress and large body of an HTTP exchange.
package struct HTTPExchange: Sendable {
  /// The maximum number of bytes of a GraphQL response. Any other response may be truncated.
  package var byteLimit: Int
  /// The body, when it is not part of the request.
  package var body: RequestBody?
  /// The progress to report to; `nil` when nobody observes it.
  package var progress: TransferProgress?
  /// The idle timeout of a streamed response after its head; `nil` for no limit. The request's
  /// timeout applies until then.
  package var streamTimeout: Duration?
}
