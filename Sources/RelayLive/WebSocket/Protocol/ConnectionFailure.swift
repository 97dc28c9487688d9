import Foundation
import RelayNetwork
import RelayStore

/// The failure of a connection and its consequence.
struct ConnectionFailure: Error, Sendable {
  /// The consequence of a connection's failure.
  enum Consequence: Hashable, Sendable {
    /// Another attempt, after a wait.
    case retry
    /// New credentials, then another attempt. Without a closure to refresh them, or when they are
    /// already new, the subscriptions end with an error.
    case refresh
    /// The subscriptions end with an error.
    case fatal
  }

  var consequence: Consequence
  var error: RelayError
}

extension ConnectionFailure {
  /// Creates the failure of a connection that has ended.
  init(_ end: WebSocketEnd, host: String) {
    if let error = end.error {
      self.init(
        consequence: .retry,
        error: error as? RelayError
          ?? RelayError(
            .transport, "The WebSocket connection to \(host) was lost.", underlying: error))
      self.error.isRetryable = true
      return
    }
    let reason = end.reason.isEmpty ? "." : ": \(end.reason)"
    self.init(
      consequence: end.code.consequence,
      error: RelayError(
        .transport,
        "The WebSocket connection to \(host) was closed with code \(end.code.rawValue)\(reason)"))
    error.isRetryable = consequence == .retry
  }

  /// Creates the failure of a connection that could not be opened.
  ///
  /// - Parameter error: An error of the connector or of one of the app's closures.
  init(opening error: any Error, host: String) {
    var failure =
      error as? RelayError
      ?? RelayError(
        .transport, "The WebSocket connection to \(host) was not opened: \(error)",
        underlying: error)
    let consequence = Self.consequence(of: failure)
    failure.isRetryable = consequence == .retry
    self.init(consequence: consequence, error: failure)
  }

  /// Creates the failure of a connection that violated the protocol or a time limit.
  init(_ problem: String, host: String, isTimeout: Bool = false) {
    var error = RelayError(
      .transport, "The WebSocket connection to \(host) was ended, because \(problem).")
    error.isRetryable = true
    error.isTimeout = isTimeout
    self.init(consequence: .retry, error: error)
  }

  private static func consequence(of error: RelayError) -> Consequence {
    if let status = error.status { return consequence(ofStatus: status) }
    if error.isRetryable { return .retry }
    switch error.underlying {
    case let error as URLError: return fatalCodes.contains(error.code) ? .fatal : .retry
    case .some(WebSocketHandshakeError.wrongSubprotocol): return .fatal
    case is WebSocketHandshakeError: return .retry
    default: return .fatal
    }
  }

  /// Returns the consequence of an HTTP status that rejects the handshake. Redirects are not
  /// followed.
  static func consequence(ofStatus status: Int) -> Consequence {
    switch status {
    case 401, 403: .refresh
    case 408, 425, 429: .retry
    case 501, 505: .fatal
    case 500...: .retry
    default: .fatal
    }
  }

  /// The permanent errors: no further attempt can succeed.
  private static let fatalCodes: Set<URLError.Code> = [
    .badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection,
    .clientCertificateRejected, .clientCertificateRequired, .userAuthenticationRequired,
  ]
}

extension WebSocketCloseCode {
  /// The consequence when a server closes the connection with this code.
  ///
  /// | code | meaning | consequence |
  /// |---|---|---|
  /// | 1000, 1001 | normal closure, going away | retry |
  /// | 1002, 1003 | protocol error, unsupported data | fatal |
  /// | 1004 | reserved | retry |
  /// | 1005, 1006 | no code, no close frame | retry |
  /// | 1007–1010 | invalid data, policy violation, message too big, missing extension | fatal |
  /// | 1011–1015 | internal error, restart, try again later, bad gateway, TLS | retry |
  /// | 1016–2999 | unassigned | retry |
  /// | 3000, 3003 | unauthorized, forbidden | refresh |
  /// | 3001–3999, the rest | other protocols; 3008 is a timeout | retry |
  /// | 4004, 4005 | bad response, internal client error | fatal |
  /// | 4400 | bad request | fatal |
  /// | 4401, 4403 | unauthorized, forbidden | refresh |
  /// | 4404, 4405, 4406 | not found, method not allowed, subprotocol not acceptable | fatal |
  /// | 4408 | connection initialisation timeout | retry |
  /// | 4409 | subscriber already exists | fatal |
  /// | 4425, 4429 | too early, too many initialisation requests | retry |
  /// | 4499 | terminated | retry |
  /// | 4400–4498, the rest | a client error HTTP status plus 4000 | fatal |
  /// | 4500, 4504 | internal server error, connection acknowledgement timeout | retry |
  /// | 4501, 4505 | not implemented, version not supported | fatal |
  /// | 4000–4999, the rest | application-defined | retry |
  ///
  /// A connection sends one `connection_init`, so 4429 can only mean a rate limit.
  ///
  /// Source: RFC 6455, section 7.4; the IANA registry "WebSocket Close Code Number"; `CloseCode` of
  /// graphql-ws.
  var consequence: ConnectionFailure.Consequence {
    switch rawValue {
    case 1002, 1003, 1007...1010, 4004, 4005: .fatal
    case 3000, 3003: .refresh
    case 4499: .retry
    case 4400...4599: ConnectionFailure.consequence(ofStatus: Int(rawValue) - 4000)
    default: .retry
    }
  }
}
