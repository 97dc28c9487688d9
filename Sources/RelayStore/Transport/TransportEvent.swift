/// An event of a request that may have any number of responses.
public enum TransportEvent: Sendable {
  /// A response: the next event of a subscription, or the next payload of a response that arrives
  /// in parts.
  case response(GraphQLResponse)
  /// The state of the connection has changed.
  case connection(ConnectionState)
  /// The connection was lost and is established again. A subscription may have missed events in
  /// between.
  case gap
}

/// The state of the connection on which a subscription's events arrive.
public enum ConnectionState: Sendable, Hashable {
  /// The connection is being established.
  case connecting
  /// The server has accepted the connection, and the subscription was sent.
  case connected
  /// The connection was lost or could not be established; the next attempt follows after the delay.
  ///
  /// The reason is the error's message, for logs. Attempts continue without limit, so this is the
  /// only sign of a misconfigured server.
  case disconnected(retryAfter: Duration, reason: String)
  /// The app has suspended the transport; the connection is reestablished when it resumes.
  case suspended
}

/// A closure that a transport calls with the events of one request, in order and one at a time.
///
/// The transport waits for it before it continues to read. When the closure throws, the transport
/// ends the request and rethrows that error.
public typealias TransportReceiver = @Sendable (TransportEvent) async throws -> Void
