import Foundation
import RelayNetwork
import RelayStore

/// A transport that sends subscriptions to a GraphQL server over one WebSocket.
///
///     let transport = HTTPTransport(url: url)
///       .routingSubscriptions(
///         to: WebSocketTransport(
///           url: socket, connectionParameters: { ["token": .string(await session.token)] },
///           refresh: { try await session.refresh() }))
///
/// The protocol is `graphql-transport-ws`, as implemented by the graphql-ws library. The first
/// subscription opens the connection, all others share it, and it closes some time after the last
/// one ends; see ``WebSocketOptions/idleTimeout``. Releasing the transport closes it at once.
///
/// If the connection is lost or cannot be established, the transport tries again, without limit and
/// after growing waits; see ``WebSocketOptions/reconnectDelay``. It then sends every subscription
/// again. Each one receives ``/RelayStore/TransportEvent/gap``, because the protocol cannot replay
/// missed events. Only a rejection of the connection ends the subscriptions: a permanent close code
/// or HTTP status, a redirect, or an error of the closures that is not retryable.
///
/// A request's header fields are not sent: the protocol does not support them.
public final class WebSocketTransport: Transport {
  let driver: SubscriptionDriver

  init(
    _ configuration: SubscriptionDriver.Configuration, connector: any WebSocketConnector,
    clock: any Clock<Duration>
  ) {
    driver = SubscriptionDriver(configuration, connector: connector, clock: clock)
  }

  /// Creates a transport. It connects with its first subscription.
  ///
  /// - Parameters:
  ///   - url: The URL of the endpoint, with the scheme `ws` or `wss`, or the equivalent `http` or
  ///     `https`.
  ///   - headers: Returns the header fields of the handshake; called for each connection.
  ///   - connectionParameters: Returns the payload of `connection_init`, where most servers expect
  ///     credentials; called for each connection.
  ///   - refresh: Obtains new credentials, once for all subscriptions. It is called when the server
  ///     rejects the connection (close code 3000, 3003, 4401 or 4403, HTTP status 401 or 403) or an
  ///     operation (an error with the code `UNAUTHENTICATED` in its extensions). A new connection
  ///     with all subscriptions follows. If the server rejects them again within a minute, they end
  ///     with an error.
  ///   - options: The time limits and byte limits.
  ///   - http: A transport whose certificates, session and thread the connection shares; by
  ///     default, the connection has its own. On Linux, a transport with a `URLSession` cannot be
  ///     shared.
  ///   - clock: The clock of all time limits and waits, except the time limit for opening a
  ///     connection.
  ///   - random: Returns a number from 0 to 1 for each wait; see
  ///     ``WebSocketOptions/reconnectDelay``.
  public convenience init(
    url: URL, headers: @escaping @Sendable () async throws -> [String: String] = { [:] },
    connectionParameters: @escaping @Sendable () async throws -> JSONObject? = { nil },
    refresh: (@Sendable () async throws -> Void)? = nil,
    options: WebSocketOptions = WebSocketOptions(), sharing http: HTTPTransport? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.init(
      SubscriptionDriver.Configuration(
        url: url, headers: headers, parameters: connectionParameters, refresh: refresh,
        options: options.clamped, random: random),
      connector: http.map { WebSocketConnectors.make(sharing: $0.client) }
        ?? WebSocketConnectors.make(),
      clock: clock)
  }

  deinit { driver.handle(.suspended) }

  /// Throws an error: a subscription has more than one response, and a WebSocket does not carry
  /// other operations.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `request`.
  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(unsupported: request, over: "a WebSocket")
  }

  /// Subscribes and passes each event to a closure. Returns when the server completes the
  /// subscription.
  ///
  /// - Parameters:
  ///   - request: A subscription.
  ///   - receive: Called with the events in order: each state of the connection, the gaps and the
  ///     responses. Up to ``WebSocketOptions/bufferByteLimit`` bytes of messages can be pending.
  /// - Throws: Any error thrown by `receive`; ``/RelayStore/RelayError`` with code `graphQL` when
  ///   the server ends the subscription with errors, `transport` when it rejects the connection,
  ///   `response` for an event that exceeds the limit, and `request` for an operation that is not a
  ///   subscription or has files; `CancellationError` when the task is cancelled.
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    guard request.kind == .subscription else {
      throw RelayError(unsupported: request, over: "a WebSocket")
    }
    if let file = request.uploads.first?.file {
      throw RelayError(
        .request,
        """
        "\(request.operationName)" has a file, "\(file.fileName)", but files cannot be sent over \
        a WebSocket.
        """,
        operationName: request.operationName)
    }
    try await driver.stream(request, receive)
  }

  /// Closes the connection but preserves the subscriptions. Call this when the app enters the
  /// background. A no-op if the transport is suspended.
  ///
  /// Subscriptions receive ``/RelayStore/ConnectionState/suspended``; new ones wait for
  /// ``resume()``.
  public func suspend() { driver.handle(.suspended) }

  /// Connects again at once, after ``suspend()`` or during a wait between two attempts. A no-op if
  /// the transport is connected or has no subscriptions.
  public func resume() { driver.handle(.resumed) }
}

extension RelayError {
  /// Creates the error of an unsupported request: only subscriptions are supported, and only with
  /// `stream`.
  ///
  /// - Parameter medium: The medium of the events, for the message.
  init(unsupported request: GraphQLRequest, over medium: String) {
    let problem =
      request.kind == .subscription
      ? "has more than one response; receive them with `stream`."
      : """
      is not a subscription, and only subscriptions are sent over \(medium). Use the transport for \
      subscriptions only: `HTTPTransport(…).routingSubscriptions(to: …)`.
      """
    self.init(
      .request, "\"\(request.operationName)\" \(problem)", operationName: request.operationName)
  }
}
