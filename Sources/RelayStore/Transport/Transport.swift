/// A type that executes operations on a GraphQL server.
///
/// A transport executes any number of requests concurrently. Without a response, it throws
/// ``RelayError`` with code ``RelayError/Code/transport``. A response that reports errors is
/// returned like any other, because it may still contain data. When the calling task is cancelled,
/// the transport stops and throws `CancellationError`.
///
/// A wrapper that adds behavior to another transport is also a transport:
///
///     let transport = HTTPTransport(url: url)
///       .persistingQueries()
///       .authenticated(by: session.headers, refresh: session.refresh)
///       .retrying()
///       .logging()
///
/// A request passes through the last wrapper first. Each wrapper applies to requests with a single
/// response and to streams of responses. `HTTPTransport` and the wrappers are in RelayNetwork; for
/// a custom wrapper, see its `intercepting(_:)`.
public protocol Transport: Sendable {
  /// Sends a request and waits for its response.
  ///
  /// Up to its first suspension, this method may run immediately on the caller's thread.
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse

  /// Sends a request and passes each of its responses to a closure: the events of a subscription,
  /// or the payloads of a response that arrives in parts. Returns after the last one.
  ///
  /// An environment calls this for subscriptions, and for operations that allow incremental
  /// delivery (``GraphQLRequest/allowsIncrementalDelivery``). It does not resubscribe: a transport
  /// that loses its connection reconnects by itself and reports a gap.
  ///
  /// The default implementation passes the single response of ``execute(_:)``.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - receive: Called with the events in order. The transport waits for its return before it
  ///     continues to read, so a slow store slows the server down.
  /// - Throws: The error of `receive`, unchanged; such an error can also be the normal end of a
  ///   response in parts. Otherwise as ``execute(_:)``, also if the connection ends before the last
  ///   response.
  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws
}

extension Transport {
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    try await receive(.response(execute(request)))
  }
}
