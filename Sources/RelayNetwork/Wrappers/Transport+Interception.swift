import RelayStore

extension Transport {
  /// Returns this transport with an interceptor. The closure may change a request, send it any
  /// number of times, and change its response.
  ///
  ///     transport.intercepting { request, next in
  ///       var request = request
  ///       request.headers["X-Request"] = request.operationName
  ///       return try await next.execute(request)
  ///     }
  ///
  /// For a request with several responses, the closure receives only the first. It can reject that
  /// response and send the request again; the earlier stream then ends. Later responses bypass the
  /// closure and follow after it has returned. If a subscription ends without any event, `execute`
  /// throws an error that the closure should not catch.
  public func intercepting(
    _ body: @escaping @Sendable (GraphQLRequest, NextTransport) async throws -> GraphQLResponse
  ) -> some Transport {
    InterceptingTransport(next: self, body: body)
  }

  /// Returns this transport with header fields added to every request. Fields that the request
  /// already sets take precedence.
  public func addingHeaders(
    _ headers: @escaping @Sendable () async throws -> [String: String]
  ) -> some Transport {
    intercepting { request, next in
      try await next.execute(request.adding(headers: headers()))
    }
  }
}

/// The next transport, for an interceptor to pass requests to; see
/// ``RelayStore/Transport/intercepting(_:)``.
public struct NextTransport: Sendable {
  let send: @Sendable (GraphQLRequest) async throws -> GraphQLResponse

  /// Sends a request and waits for its response, or for the first of several.
  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await send(request)
  }
}

/// A transport that calls a closure instead of the next transport.
struct InterceptingTransport<Next: Transport>: Transport {
  let next: Next
  let body: @Sendable (GraphQLRequest, NextTransport) async throws -> GraphQLResponse

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await body(request, NextTransport(send: next.execute))
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    let stream = InterceptedStream(next, receive)
    try await withTaskCancellationHandler {
      try await stream.run(request, body)
    } onCancel: {
      stream.cancel()
    }
  }
}

/// A request with any number of responses; the interceptor receives the first one.
///
/// The stream of the interceptor's last `execute` call continues. The lock guards the current
/// attempt; no task is cancelled or awaited under it.
private final class InterceptedStream<Next: Transport>: Sendable {
  /// One stream of the next transport.
  private struct Attempt: Sendable {
    let first = Promise<GraphQLResponse>()
    /// Fulfilled when the interceptor has returned and the stream may continue.
    let release = Promise<Void>()
    let task: Task<Void, any Error>

    init(_ request: GraphQLRequest, over next: Next, _ receive: @escaping TransportReceiver) {
      let (first, release) = (first, release)
      task = Task {
        do {
          try await next.stream(request) { event in
            if case .response(let response) = event, first.fulfill(.success(response)) {
              return try await release.value
            }
            try await receive(event)
          }
          first.fulfill(.failure(NoResponse()))
        } catch {
          first.fulfill(.failure(error))
          throw error
        }
      }
    }

    /// Cancels the stream and waits for its end.
    func end() async {
      task.cancel()
      _ = await task.result
    }
  }

  private struct State {
    var attempt: Attempt?
    var isCancelled = false
  }

  private let next: Next
  private let receive: TransportReceiver
  private let state = Locked(State(), rank: .leaf)

  init(_ next: Next, _ receive: @escaping TransportReceiver) {
    self.next = next
    self.receive = receive
  }

  /// Calls the interceptor, then passes on its response and the later ones.
  func run(
    _ request: GraphQLRequest,
    _ body: @Sendable (GraphQLRequest, NextTransport) async throws -> GraphQLResponse
  ) async throws {
    do {
      let response = try await body(
        request, NextTransport { [self] request in try await first(of: request) })
      try await receive(.response(response))
    } catch let completion as ResponseCompletion {
      // The first response is also the last. The transport receives that completion as from any
      // receiver.
      let attempt = state.withLock { $0.attempt }
      attempt?.release.fulfill(.failure(completion))
      _ = await attempt?.task.result
      throw completion
    } catch {
      await endAttempt()
      if error is NoResponse { return }
      throw error
    }
    guard let attempt = state.withLock({ $0.attempt }) else { return }
    attempt.release.fulfill(.success(()))
    try await attempt.task.value
  }

  /// Ends the current stream, starts a new one and returns its first response.
  private func first(of request: GraphQLRequest) async throws -> GraphQLResponse {
    while true {
      await endAttempt()
      let (attempt, isCancelled) = state.withLock { state -> (Attempt?, Bool) in
        // Another call may have started a stream in the meantime; end it first.
        if state.attempt != nil { return (nil, false) }
        let attempt = Attempt(request, over: next, receive)
        state.attempt = attempt
        return (attempt, state.isCancelled)
      }
      if isCancelled { attempt?.task.cancel() }
      if let attempt { return try await attempt.first.value }
    }
  }

  /// Cancels the current stream, if any, and waits for its end.
  private func endAttempt() async {
    let attempt = state.withLock { state in
      defer { state.attempt = nil }
      return state.attempt
    }
    await attempt?.end()
  }

  func cancel() {
    let attempt = state.withLock { state in
      state.isCancelled = true
      return state.attempt
    }
    attempt?.task.cancel()
  }

  /// The error that an interceptor receives when a stream ends without a response. It is not a
  /// request error.
  private struct NoResponse: Error {}
}
