/// Carries one operation to a GraphQL server and brings its response back.
///
/// A transport answers any number of requests at once. It throws ``RelayError`` with code
/// ``RelayError/Code/transport`` when there is no response; a response that reports errors is
/// returned like any other, because it may still carry data. When the calling task is cancelled
/// it stops and throws `CancellationError`.
///
/// What is done around requests is a transport as well, which sends them on to another:
///
///     let transport = HTTPTransport(url: url)
///       .persistingQueries()
///       .authenticated(by: session.headers, refresh: session.refresh)
///       .retrying()
///       .logging { print($0) }
///
/// A request goes through the last one first. See ``intercepting(_:)`` for one of your own.
public protocol Transport: Sendable {
  /// Sends the request and waits for its response.
  ///
  /// A task that fetches may run this itself up to its first suspension.
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse
}

extension Transport {
  /// This transport with a closure before it, which sends requests on, changed or not, as often as
  /// it wants, and may change responses.
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

  /// This transport with header fields added to every request; those that the request has stay.
  public func addingHeaders(
    _ headers: @escaping @Sendable () async throws -> [String: String]
  ) -> some Transport {
    intercepting { request, next in
      try await next.execute(request.adding(headers: headers()))
    }
  }
}

/// A closure before another transport.
struct InterceptingTransport<Next: Transport>: Transport {
  let next: Next
  let body: @Sendable (GraphQLRequest, Next) async throws -> GraphQLResponse

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await body(request, next)
  }
}
