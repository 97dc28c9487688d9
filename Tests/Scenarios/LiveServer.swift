import RelayLive
import RelayNetwork
import RelayStore
import Testing

/// The subscription servers, and their protocols for events.
enum LiveServer: String, CaseIterable, CustomTestStringConvertible {
  case strawberryWebSocket = "Strawberry over WebSocket"
  case ariadneWebSocket = "Ariadne over WebSocket"
  case strawberrySSE = "Strawberry over server-sent events"
  case ariadneSSE = "Ariadne over server-sent events"
  case strawberryMultipart = "Strawberry over multipart"
  case singleStream = "one event stream"

  var testDescription: String { rawValue }

  var path: String {
    switch self {
    case .strawberryWebSocket, .strawberrySSE, .strawberryMultipart: "graphql"
    case .ariadneWebSocket, .ariadneSSE: "ariadne"
    case .singleStream: "event-stream"
    }
  }

  var usesWebSocket: Bool { self == .strawberryWebSocket || self == .ariadneWebSocket }

  /// Returns a transport for a session's subscriptions.
  func subscriptions(of session: LiveSession) -> any Transport {
    if self == .singleStream {
      EventStreamTransport(over: http(session))
    } else if usesWebSocket {
      WebSocketTransport(
        url: session.socketURL(path), headers: { session.headers },
        connectionParameters: { session.token.map { ["token": .string($0)] } },
        options: Self.options)
    } else {
      http(session)
    }
  }

  /// Returns the transport for subscriptions over HTTP.
  ///
  /// - Parameter path: The path of another route of the server; `nil` for the usual one.
  func http(_ session: LiveSession, path: String? = nil) -> HTTPTransport {
    var transport = session.http(path ?? self.path)
    if self == .strawberryMultipart { transport.subscriptionFormat = .multipart }
    return transport
  }

  /// Returns a session's environment. Everything but subscriptions is sent to Strawberry.
  ///
  /// - Parameter proxy: A proxy in front of the subscription server.
  func environment(
    _ session: LiveSession, through proxy: LiveProxy? = nil
  ) async -> RelayEnvironment {
    let other = subscriptions(of: proxy.map { session.through($0) } ?? session)
    return await RelayEnvironment(transport: session.http().routing(to: other)).checkedForLeaks
  }

  /// The options of WebSockets: a lost connection is retried without a delay.
  static var options: WebSocketOptions {
    var options = WebSocketOptions()
    options.reconnectDelay = .zero
    options.longestReconnectDelay = .zero
    options.idleTimeout = .zero
    return options
  }
}

extension Transport {
  /// Returns this transport with subscriptions over another.
  func routing(to other: any Transport) -> any Transport {
    func routed(_ other: some Transport) -> any Transport { routingSubscriptions(to: other) }
    return routed(other)
  }
}
