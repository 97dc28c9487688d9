import RelayStore

extension Transport {
  /// Returns a transport that sends subscriptions over another transport, and everything else over
  /// this one.
  ///
  ///     let transport = HTTPTransport(url: url)
  ///       .retrying()
  ///       .routingSubscriptions(to: WebSocketTransport(url: socket))
  ///       .logging()
  ///
  /// Wrappers applied before this call affect only their own transport; wrappers applied after it
  /// affect both.
  public func routingSubscriptions(to other: some Transport) -> some Transport {
    RoutingTransport(subscriptions: other, others: self)
  }
}

/// A transport that selects one of two transports by operation kind.
private struct RoutingTransport<Subscriptions: Transport, Others: Transport>: Transport {
  let subscriptions: Subscriptions
  let others: Others

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    request.kind == .subscription
      ? try await subscriptions.execute(request) : try await others.execute(request)
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    if request.kind == .subscription {
      try await subscriptions.stream(request, receive)
    } else {
      try await others.stream(request, receive)
    }
  }
}
