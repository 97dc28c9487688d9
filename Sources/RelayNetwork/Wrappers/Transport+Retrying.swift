import RelayStore

extension Transport {
  /// Returns a transport that sends requests through this one and retries those that fail.
  ///
  /// A request is sent again when its error is ``/RelayStore/RelayError/isRetryable``: the
  /// connection failed, or the server's status allows a retry. It is also sent again after a
  /// response with such a status and no data; the response to the last attempt is returned. Any
  /// other GraphQL response with errors is not retried. A request with several responses is retried
  /// only before the first one.
  ///
  /// If the server requests a delay, the wait is at least that long. If the requested delay exceeds
  /// ``/RelayStore/RetryPolicy/longestDelay``, the request is not retried. If an
  /// ``/RelayStore/Upload`` of the request is a stream that was already read, the request fails
  /// with an error that says so; the error of the failed attempt is its `underlying` error.
  ///
  /// - Parameters:
  ///   - policy: The number of attempts and the waits between them.
  ///   - clock: The clock that waits between attempts.
  ///   - random: Returns a number from 0 to 1 for each delay; see
  ///     ``/RelayStore/RetryPolicy/jitter``.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) -> some Transport {
    intercepting { request, next in
      var attempt = 1
      while true {
        let result: Result<GraphQLResponse, any Error>
        do { result = .success(try await next.execute(request)) } catch { result = .failure(error) }
        guard attempt < policy.attempts, let error = result.retryableError(of: request),
          request.kind != .mutation || policy.includesMutations
        else { return try result.get() }
        if let file = request.spentUpload { throw RelayError(cannotResend: file, after: error) }
        let requested = (error.retryAfter ?? .zero).clampedForSleep
        if requested > policy.longestDelay.clampedForSleep { return try result.get() }
        try await clock.wait(
          for: max(requested, policy.delay(afterAttempt: attempt, random: random())))
        attempt += 1
      }
    }
  }
}

extension Result<GraphQLResponse, any Error> {
  /// The error that allows a retry; `nil` if there is none. For a response without data, it is the
  /// error of the response's HTTP status.
  fileprivate func retryableError(of request: GraphQLRequest) -> RelayError? {
    switch self {
    case .failure(let error): (error as? RelayError).flatMap { $0.isRetryable ? $0 : nil }
    case .success(let response):
      RelayError.isRetryable(status: response.status) && !response.hasData
        ? RelayError(rejectedBy: response, operationName: request.operationName) : nil
    }
  }
}
