/// A type that executes operations on a GraphQL server.
///
/// A transport executes any number of requests concurrently. It throws ``RelayError`` with code
/// ``RelayError/Code/transport`` when there is no response. A response that reports errors is
/// returned like any other, because it may still contain data. When the calling task is cancelled,
/// the transport stops and throws `CancellationError`.
///
/// A wrapper that adds behavior to another transport is a transport as well:
///
///     let transport = HTTPTransport(url: url)
///       .persistingQueries()
///       .authenticated(by: session.headers, refresh: session.refresh)
///       .retrying()
///       .logging()
///
/// A request passes through the last wrapper first. Each wrapper applies to requests with one
/// response and to those with any number. `HTTPTransport` and the wrappers are in
/// RelayNetwork; see its `intercepting(_:)` for a custom one.
public protocol Transport: Sendable {
  /// Sends a request and waits for its response.
  ///
  /// The calling task may run this method immediately on its own thread, up to the first
  /// suspension.
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse

  /// Sends a request and passes each of its responses to a closure: the events of a subscription,
  /// or the payloads of a response that arrives in parts. Returns after the last one.
  ///
  /// An environment calls this for subscriptions, and for operations that allow incremental delivery
  /// (``GraphQLRequest/allowsIncrementalDelivery``). It does not subscribe again: a transport that
  /// loses its connection reconnects by itself, and reports a gap.
  ///
  /// The default implementation passes the one response of ``execute(_:)``.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - receive: Called with the events in order. The transport reads no further until it
  ///     has returned, so a slow store slows the server down.
  /// - Throws: The error of `receive`, unchanged: one of them ends a response in parts. Otherwise as
  ///   ``execute(_:)``, also when the connection ends before the last response.
  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws
}

extension Transport {
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    try await receive(.response(execute(request)))
  }
}
