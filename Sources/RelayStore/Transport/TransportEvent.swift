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

/// The state of the connection that a subscription's events arrive on.
public enum ConnectionState: Sendable, Hashable {
  /// The connection is being established.
  case connecting
  /// The server has accepted the connection, and the subscription was sent.
  case connected
  /// The connection was lost, or could not be established; the next attempt follows after the
  /// delay.
  ///
  /// The reason is the message of the error, for logs: attempts go on without limit, so a server
  /// that is configured wrongly shows nowhere else.
  case disconnected(retryAfter: Duration, reason: String)
  /// The app has suspended the transport; the connection is established again when it resumes.
  case suspended
}

/// A closure that a transport calls with the events of one request, in order and one at a time.
///
/// The transport waits for it before it reads on. When the closure throws, the transport ends the
/// request and throws that error.
public typealias TransportReceiver = @Sendable (TransportEvent) async throws -> Void
