/// A policy for sending failed requests again.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, including the first.
  public var attempts: Int
  /// The delay before the second attempt; each further delay is twice as long.
  public var delay: Duration
  /// The maximum delay. When a server requests a longer one, the request is not sent again: its
  /// error is thrown immediately, with its ``RelayError/retryAfter``.
  public var longestDelay: Duration
  /// The fraction of each delay that is random, from 0 to 1, so that clients do not all retry at
  /// the same time.
  public var jitter: Double
  /// Whether mutations are sent again. A server that executed a mutation before the connection
  /// broke may then execute it twice.
  public var includesMutations: Bool

  /// Creates a policy. By default, an operation other than a mutation is sent at most three times,
  /// after waits of up to half a second and up to one second, of which at most half is random.
  public init(
    attempts: Int = 3, delay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(30),
    jitter: Double = 0.5, includesMutations: Bool = false
  ) {
    self.attempts = attempts
    self.delay = delay
    self.longestDelay = longestDelay
    self.jitter = jitter
    self.includesMutations = includesMutations
  }

  /// Returns the delay after an attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of attempts made so far.
  ///   - random: A number from 0 to 1; 1 gives the longest delay.
  public func delay(afterAttempt attempt: Int, random: Double) -> Duration {
    let longest = longestDelay.clampedForSleep
    var result = min(delay.clampedForSleep, longest)
    var count = max(1, attempt)
    while count > 1, result > .zero, result < longest {
      result = min(result * 2, longest)
      count -= 1
    }
    return result * (1 - min(1, max(0, jitter)) * (1 - min(1, max(0, random))))
  }
}

extension Transport {
  /// Returns this transport with retries of failed requests.
  ///
  /// A request is sent again when its error is ``RelayError/isRetryable``: the connection failed,
  /// or the server's status allows a retry. A response with such a status and without data counts
  /// as its error does, and is returned after the last attempt. When the server requested a delay,
  /// the wait is no shorter. When that delay exceeds ``RetryPolicy/longestDelay``, the error is
  /// thrown at once. Any other GraphQL response with errors is not retried. A request whose ``Upload`` is a
  /// stream that was read already ends with an error that says so and has the failure as its
  /// `underlying` error. A request with several responses is sent again only before the first one.
  ///
  /// - Parameters:
  ///   - policy: The number of attempts and the waits between them.
  ///   - clock: The clock that waits between attempts.
  ///   - random: Returns a number from 0 to 1 for each delay; see ``RetryPolicy/jitter``.
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
  /// The error after which the same request may succeed; that of the status for a response without
  /// data.
  fileprivate func retryableError(of request: GraphQLRequest) -> RelayError? {
    switch self {
    case .failure(let error): (error as? RelayError).flatMap { $0.isRetryable ? $0 : nil }
    case .success(let response):
      RelayError.isRetryable(status: response.status) && !response.hasData
        ? RelayError(rejectedBy: response, operationName: request.operationName) : nil
    }
  }
}
