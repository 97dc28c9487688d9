import RelayNetwork
import RelayStore

/// A transport that sends subscriptions to a GraphQL server over HTTP, and receives the events of
/// all of them in one event stream.
///
///     let http = HTTPTransport(url: url)
///     let transport = http.routingSubscriptions(
///       to: EventStreamTransport(
///         over: http, headers: { ["Authorization": await session.token] },
///         refresh: { try await session.refresh() }))
///
/// The protocol is the single connection mode of GraphQL over SSE, that of the library graphql-sse.
/// Where the server has only the distinct connections mode, subscribe over the `HTTPTransport`
/// itself.
///
/// The first subscription opens the stream, all others share it, and it is closed when the last one
/// has ended. Each subscription begins with a request of its own.
///
/// A stream that is lost, or cannot be opened, is opened again without limit, after waits that grow;
/// see ``/RelayNetwork/HTTPTransport/reconnection``. Every subscription is then sent again. It receives
/// ``/RelayStore/TransportEvent/gap``, because the protocol cannot replay the events in between. What ends
/// subscriptions instead is a rejection of the stream: an HTTP status after which no further attempt
/// can succeed, a redirect that is not followed, and an error of the closures unless it is retryable.
/// A rejection of one subscription ends only that one.
///
/// A server that sends comments as heartbeats counts as dead after twice the longest silence between
/// two of them.
public final class EventStreamTransport: Transport {
  private let driver: WebSocketDriver

  /// Creates a transport. It connects with its first subscription.
  ///
  /// - Parameters:
  ///   - http: The transport that sends the requests. Its URL, header fields, timeout, redirects and
  ///     ``/RelayNetwork/HTTPTransport/reconnection`` apply.
  ///   - headers: Returns header fields; called for each request. A field of a subscription's
  ///     ``/RelayStore/GraphQLRequest/headers`` takes precedence, and they take precedence over those of `http`.
  ///   - refresh: Obtains new credentials. It is called when the server answers with the HTTP status
  ///     401 or 403, or rejects a subscription with an error whose extensions have the code
  ///     `UNAUTHENTICATED`, once for all subscriptions. A new stream follows, with all subscriptions.
  ///     When the server rejects them again within a minute, they end with an error.
  ///   - bufferByteLimit: The number of received bytes that wait for subscriptions, from which on
  ///     nothing more is read, so that the server has to wait. Reading continues when half of it is
  ///     left. A subscription that stands still holds up the others when its own events have filled
  ///     it, and not before.
  ///   - eventByteLimit: The maximum number of bytes of an event. A stream with a longer one is
  ///     closed, and counts as lost.
  ///   - clock: The clock of all waits, except the timeout of requests.
  ///   - random: Returns a number from 0 to 1 for each wait; see ``/RelayStore/RetryPolicy/jitter``.
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
    // Heartbeats are in place of pings.
    options.pingDelay = .longestSleep
    options.reconnectDelay = policy.delay
    options.longestReconnectDelay = policy.longestDelay
    options.bufferByteLimit = bufferByteLimit
    driver = WebSocketDriver(
      WebSocketDriver.Configuration(
        url: http.url, headers: { [:] }, parameters: { nil },
        refresh: refresh.map(Self.explaining),
        options: options.clamped,
        // The session's waits are random as a whole.
        random: { 1 - min(1, max(0, policy.jitter)) * (1 - random()) }),
      connector: EventStreamConnector(
        endpoint: EventStreamEndpoint(http: http, headers: headers, eventByteLimit: eventByteLimit),
        clock: clock),
      clock: clock)
  }

  deinit { driver.handle(.suspended) }

  /// Throws an error: a subscription has more than one response, and other operations are not sent
  /// over an event stream.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `request`.
  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(unsupported: request, over: "an event stream")
  }

  /// Subscribes, and passes each event to a closure. Returns when the server completes the
  /// subscription.
  ///
  /// - Parameters:
  ///   - request: A subscription.
  ///   - receive: Called with the events in order: each state of the stream, the gaps and the
  ///     responses.
  /// - Throws: The error of `receive`; ``/RelayStore/RelayError`` with code `graphQL` when the server rejects the
  ///   subscription with errors, `transport` when it rejects the subscription or the stream with an
  ///   HTTP status, `response` for an event that exceeds the limit of the request, and `request` for
  ///   an operation that is not a subscription, or has files; `CancellationError` when the task is
  ///   cancelled.
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    guard request.kind == .subscription else {
      throw RelayError(unsupported: request, over: "an event stream")
    }
    if let file = request.uploads.first?.file {
      throw RelayError(
        .request,
        "\"\(request.operationName)\" has a file, \"\(file.fileName)\", which a subscription cannot send.",
        operationName: request.operationName)
    }
    try await driver.stream(request, receive)
  }

  /// Returns a closure that turns the errors of another into those of a request.
  private static func explaining(
    _ refresh: @escaping @Sendable () async throws -> Void
  ) -> @Sendable () async throws -> Void {
    {
      do { try await refresh() } catch { throw RelayError(ofCredentials: error) }
    }
  }

  /// Closes the stream, and keeps the subscriptions: call it when the app enters the background. A
  /// no-op if the transport is suspended.
  ///
  /// Subscriptions receive ``/RelayStore/ConnectionState/suspended``; those that begin now wait for
  /// ``resume()``.
  public func suspend() { driver.handle(.suspended) }

  /// Opens the stream again at once, after ``suspend()`` or during a wait between two attempts. A
  /// no-op if the stream is open or there are no subscriptions.
  public func resume() { driver.handle(.resumed) }
}
