import RelayNetwork
import RelayStore

/// A transport that sends subscriptions to a GraphQL server over HTTP and receives all their events
/// in one event stream.
///
///     let http = HTTPTransport(url: url)
///     let transport = http.routingSubscriptions(
///       to: EventStreamTransport(
///         over: http, headers: { ["Authorization": await session.token] },
///         refresh: { try await session.refresh() }))
///
/// The protocol is the single connection mode of GraphQL over SSE, as implemented by the
/// graphql-sse library. If the server supports only the distinct connections mode, subscribe over
/// the `HTTPTransport` itself.
///
/// The first subscription opens the stream, all others share it, and it closes when the last one
/// ends. Each subscription starts with its own request.
///
/// If the stream is lost or cannot be opened, the transport opens it again, without limit and after
/// growing waits; see ``/RelayNetwork/HTTPTransport/reconnection``. It then sends every
/// subscription again. Each one receives ``/RelayStore/TransportEvent/gap``, because the protocol
/// cannot replay missed events. Only a rejection of the stream ends the subscriptions: a permanent
/// HTTP status, a redirect that is not followed, or an error of the closures that is not retryable.
/// The rejection of one subscription ends only that subscription.
///
/// If a server sends comments as heartbeats, it counts as dead after twice the longest silence
/// between two of them.
public final class EventStreamTransport: Transport {
  private let driver: SubscriptionDriver

  /// Creates a transport. It connects with its first subscription.
  ///
  /// - Parameters:
  ///   - http: The transport that sends the requests. Its URL, header fields, timeout, redirects
  ///     and ``/RelayNetwork/HTTPTransport/reconnection`` apply.
  ///   - headers: Returns header fields; called for each request. They take precedence over the
  ///     header fields of `http`, and a subscription's ``/RelayStore/GraphQLRequest/headers`` take
  ///     precedence over them.
  ///   - refresh: Obtains new credentials, once for all subscriptions. It is called when the server
  ///     responds with the HTTP status 401 or 403, or rejects a subscription with an error whose
  ///     extensions have the code `UNAUTHENTICATED`. A new stream with all subscriptions follows.
  ///     If the server rejects them again within a minute, they end with an error.
  ///   - bufferByteLimit: The limit of received bytes waiting for subscriptions. Reading stops
  ///     above the limit, so that the server has to wait, and continues at half of it. A stalled
  ///     subscription blocks the others only once its own events have filled the buffer.
  ///   - eventByteLimit: The maximum number of bytes of an event. A longer event closes the stream,
  ///     which then counts as lost.
  ///   - clock: The clock of all waits, except the timeout of requests.
  ///   - random: Returns a number from 0 to 1 for each wait; see
  ///     ``/RelayStore/RetryPolicy/jitter``.
  public init(
    over http: HTTPTransport,
    headers: @escaping @Sendable () async throws -> [String: String] = { [:] },
    refresh: (@Sendable () async throws -> Void)? = nil,
    bufferByteLimit: Int = 1024 * 1024, eventByteLimit: Int = 16 * 1024 * 1024,
    clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    let policy = http.reconnection
    var options = WebSocketOptions()
    options.idleTimeout = .zero
    // Heartbeats replace pings.
    options.pingDelay = .longestSleep
    options.reconnectDelay = policy.delay
    options.longestReconnectDelay = policy.longestDelay
    options.bufferByteLimit = bufferByteLimit
    driver = SubscriptionDriver(
      SubscriptionDriver.Configuration(
        url: http.url, headers: { [:] }, parameters: { nil },
        refresh: refresh.map(Self.explaining),
        options: options.clamped,
        // The session randomizes the entire wait; apply the policy's jitter here.
        random: { 1 - min(1, max(0, policy.jitter)) * (1 - random()) }),
      connector: EventStreamConnector(
        endpoint: EventStreamEndpoint(http: http, headers: headers, eventByteLimit: eventByteLimit),
        clock: clock),
      clock: clock)
  }

  deinit { driver.handle(.suspended) }

  /// Throws an error: a subscription has more than one response, and an event stream does not carry
  /// other operations.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `request`.
  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(unsupported: request, over: "an event stream")
  }

  /// Subscribes and passes each event to a closure. Returns when the server completes the
  /// subscription.
  ///
  /// - Parameters:
  ///   - request: A subscription.
  ///   - receive: Called with the events in order: each state of the stream, the gaps and the
  ///     responses.
  /// - Throws: Any error thrown by `receive`; ``/RelayStore/RelayError`` with code `graphQL` when
  ///   the server rejects the subscription with errors, `transport` when it rejects the
  ///   subscription or the stream with an HTTP status, `response` for an event that exceeds the
  ///   request's limit, and `request` for an operation that is not a subscription or has files;
  ///   `CancellationError` when the task is cancelled.
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    guard request.kind == .subscription else {
      throw RelayError(unsupported: request, over: "an event stream")
    }
    if let file = request.uploads.first?.file {
      throw RelayError(
        .request,
        "\"\(request.operationName)\" has a file, \"\(file.fileName)\", but subscriptions cannot "
          + "send files.",
        operationName: request.operationName)
    }
    try await driver.stream(request, receive)
  }

  /// Returns a closure that converts the errors of another closure to ``RelayError``.
  private static func explaining(
    _ refresh: @escaping @Sendable () async throws -> Void
  ) -> @Sendable () async throws -> Void {
    {
      do { try await refresh() } catch { throw RelayError(ofCredentials: error) }
    }
  }

  /// Closes the stream but preserves the subscriptions. Call this when the app enters the
  /// background. A no-op if the transport is suspended.
  ///
  /// Subscriptions receive ``/RelayStore/ConnectionState/suspended``; new ones wait for
  /// ``resume()``.
  public func suspend() { driver.handle(.suspended) }

  /// Opens the stream again at once, after ``suspend()`` or during a wait between two attempts. A
  /// no-op if the stream is open or there are no subscriptions.
  public func resume() { driver.handle(.resumed) }
}
