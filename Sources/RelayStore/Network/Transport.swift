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
/// A request passes through the last wrapper first. See ``intercepting(_:)`` for a custom one.
public protocol Transport: Sendable {
  /// Sends a request and waits for its response.
  ///
  /// The calling task may run this method immediately on its own thread, up to the first
  /// suspension.
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse
}

extension Transport {
  /// Returns this transport with an interceptor. The closure may change a request, send it any
  /// number of times, and change its response.
  ///
  ///     transport.intercepting { request, next in
  ///       var request = request
  ///       request.headers["X-Request"] = request.operationName
  ///       return try await next.execute(request)
  ///     }
  public func intercepting(
    _ body: @escaping @Sendable (GraphQLRequest, Self) async throws -> GraphQLResponse
  ) -> some Transport {
    InterceptingTransport(next: self, body: body)
  }

  /// Returns this transport with header fields added to every request; a field that a request
  /// already has is kept.
  public func addingHeaders(
    _ headers: @escaping @Sendable () async throws -> [String: String]
  ) -> some Transport {
    intercepting { request, next in
      try await next.execute(request.adding(headers: headers()))
    }
  }
}

/// A transport that calls a closure in place of the next transport.
struct InterceptingTransport<Next: Transport>: Transport {
  let next: Next
  let body: @Sendable (GraphQLRequest, Next) async throws -> GraphQLResponse

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await body(request, next)
  }
}
