import Foundation
import RelayNetwork
import RelayStore

extension RelayError {
  /// Creates the error of a WebSocket connection that could not be opened or has ended.
  ///
  /// - Parameter error: A `URLError`, ``WebSocketHandshakeError``, ``WebSocketProtocolError`` or
  ///   ``WebSocketRejection``.
  init(webSocket error: any Error, url: URL) {
    let host = url.host ?? "the server"
    switch error {
    case let rejection as WebSocketRejection:
      self.init(rejection.response, host: host)
    case let error as WebSocketHandshakeError:
      self.init(
        .transport, "The WebSocket handshake with \(host) failed: it received \(error).",
        underlying: error)
    case let error as WebSocketProtocolError:
      self.init(
        .transport, "The WebSocket connection to \(host) was ended, because it received \(error).",
        underlying: error)
    default:
      self.init(
        .transport, "The WebSocket connection to \(host) failed: \(error.localizedDescription)",
        underlying: error)
      setConnectionFailure(error)
    }
  }

  private init(_ rejection: WebSocketHandshakeResponse, host: String) {
    var response = GraphQLResponse(body: rejection.body)
    response.status = rejection.status
    response.headers = rejection.headers
    let errors = response.errorPageErrors
    let reason =
      if (300..<400).contains(rejection.status), let target = rejection.headers["location"] {
        ", a redirect to \(Self.origin(of: target)). Handshakes do not follow redirects; connect "
          + "to the target instead."
      } else {
        errors.first.map { ": \($0.message)" } ?? Excerpt.ending(for: response)
      }
    self.init(
      .transport,
      "The WebSocket handshake with \(host) failed with HTTP status \(rejection.status)\(reason)",
      errors: errors)
    excerpt = Excerpt.redacted(response.body)
    setStatus(rejection.status, retryAfter: response.retryAfter)
  }

  /// Returns the scheme, host and port of a redirect target, for a message. The rest may be secret.
  private static func origin(of target: String) -> String {
    guard let url = URL(string: target), let scheme = url.scheme, let host = url.host else {
      return "the same host"
    }
    return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
  }

  /// The error when there is no implementation of WebSocket connections.
  static var noWebSocket: RelayError {
    RelayError(
      .transport,
      """
      WebSocket connections need libcurl 7.68 or later: install libcurl4 (Debian, Ubuntu) or libcurl (Fedora). With a \
      URLSession on Linux, use server-sent events or multipart subscriptions over HTTP instead.
      """)
  }
}
