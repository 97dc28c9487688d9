import Foundation
import RelayNetwork
import RelayStore

/// The implementations of WebSocket connections.
enum WebSocketConnectors {
  /// Returns the platform's connector: libcurl on Linux, `URLSession` on Apple platforms. On other
  /// platforms every connection fails with an error that names the alternatives.
  static func make() -> any WebSocketConnector {
    #if os(Linux) && canImport(Glibc)
      CurlClient()
    #elseif canImport(Darwin)
      SessionClient(nil, connectionsPerHost: 1)
    #else
      UnsupportedWebSocketConnector()
    #endif
  }

  /// Returns the connector that shares the thread, certificates or session of an HTTP client.
  static func make(sharing client: any HTTPClient) -> any WebSocketConnector {
    (client as? any WebSocketConnector) ?? UnsupportedWebSocketConnector()
  }
}

/// A connector that fails every connection, for platforms without an implementation.
struct UnsupportedWebSocketConnector: WebSocketConnector {
  func connect(
    to request: WebSocketRequest,
    receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
  ) async throws -> any WebSocketConnection {
    throw RelayError.noWebSocket
  }
}
