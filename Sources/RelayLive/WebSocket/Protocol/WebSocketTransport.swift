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
/// The protocol is `graphql-transport-ws`, that of the library graphql-ws. The first subscription
/// opens the connection, all others share it, and it is closed some time after the last one has
/// ended; see ``WebSocketOptions/idleTimeout``. Releasing the transport closes it at once.
///
/// A connection that is lost, or cannot be established, is tried again without limit, after waits
/// that grow; see ``WebSocketOptions/reconnectDelay``. Every subscription is then sent again. It
/// receives ``/RelayStore/TransportEvent/gap``, because the protocol cannot replay the events in between. What
/// ends subscriptions instead is a rejection: a close code or an HTTP status after which no further
/// attempt can succeed, a redirect, and an error of the closures unless it is retryable.
///
/// A request's header fields are not sent: the protocol has none.
public final class WebSocketTransport: Transport {
  let driver: WebSocketDriver

  init(
    _ configuration: WebSocketDriver.Configuration, connector: any WebSocketConnector,
    clock: any Clock<Duration>
  ) {
    driver = WebSocketDriver(configuration, connector: connector, clock: clock)
  }

  /// Creates a transport. It connects with its first subscription.
  ///
  /// - Parameters:
  ///   - url: The URL of the endpoint, with the scheme `ws` or `wss`; `http` and `https` stand for them.
  ///   - headers: Returns the header fields of the handshake; called for each connection.
  ///   - connectionParameters: Returns the payload of `connection_init`, which most servers expect
  ///     credentials in; called for each connection.
  ///   - refresh: Obtains new credentials. It is called when the server rejects the connection
  ///     (close code 4401 or 4403, HTTP status 401 or 403) or an operation (an error with the code
  ///     `UNAUTHENTICATED` in its extensions), once for all subscriptions. A new connection
  ///     follows, with all subscriptions. When the server rejects them again within a minute, they
  ///     end with an error.
  ///   - options: The time limits and byte limits.
  ///   - http: A transport whose certificates, session and thread the connection uses; by default,
  ///     it has its own. On Linux, a transport with a `URLSession` cannot be shared.
  ///   - clock: The clock of all time limits and waits, except that of opening a connection.
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
      WebSocketDriver.Configuration(
        url: url, headers: headers, parameters: connectionParameters, refresh: refresh,
        options: options.clamped, random: random),
      connector: http.map { WebSocketConnectors.make(sharing: $0.client) }
        ?? WebSocketConnectors.make(),
      clock: clock)
  }

  deinit { driver.handle(.suspended) }

  /// Throws an error: a subscription has more than one response, and other operations are not sent
  /// over a WebSocket.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `request`.
  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(unsupported: request, over: "a WebSocket")
  }

  /// Subscribes, and passes each event to a closure. Returns when the server completes the
  /// subscription.
  ///
  /// - Parameters:
  ///   - request: A subscription.
  ///   - receive: Called with the events in order: each state of the connection, the gaps
  ///     and the responses. Messages wait for it up to ``WebSocketOptions/bufferByteLimit``.
  /// - Throws: The error of `receive`; ``/RelayStore/RelayError`` with code `graphQL` when the server ends the
  ///   subscription with errors, `transport` when it rejects the connection, `response` for an
  ///   event that exceeds the limit, and `request` for an operation that is not a subscription, or
  ///   has files; `CancellationError` when the task is cancelled.
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
        "\(request.operationName)" has a file, "\(file.fileName)", which cannot be sent over a \
        WebSocket.
        """,
        operationName: request.operationName)
    }
    try await driver.stream(request, receive)
  }

  /// Closes the connection, and keeps the subscriptions: call it when the app enters the
  /// background. A no-op if the transport is suspended.
  ///
  /// Subscriptions receive ``/RelayStore/ConnectionState/suspended``; those that begin now wait for
  /// ``resume()``.
  public func suspend() { driver.handle(.suspended) }

  /// Connects again at once, after ``suspend()`` or during a wait between two attempts. A no-op if
  /// the transport is connected or has no subscriptions.
  public func resume() { driver.handle(.resumed) }
}

extension RelayError {
  /// Creates the error of a request for something else than the events of a subscription.
  ///
  /// - Parameter medium: What the events are sent over, for the message.
  init(unsupported request: GraphQLRequest, over medium: String) {
    let problem =
      request.kind == .subscription
      ? "has more than one response; receive them with `stream`."
      : """
      is not a subscription, and only those are sent over \(medium). Use the transport for \
      subscriptions only: `HTTPTransport(…).routingSubscriptions(to: …)`.
      """
    self.init(
      .request, "\"\(request.operationName)\" \(problem)", operationName: request.operationName)
  }
}
