/// When and how often a request is sent again.
public struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent at most, the first time included.
  public var attempts: Int
  /// How long to wait before the second time; each further wait is twice as long.
  public var delay: Duration
  /// The longest wait. A server that asks for a longer one is not asked again: its error is thrown at once, with its
  /// ``RelayError/retryAfter``.
  public var longestDelay: Duration
  /// How much of each wait is left to chance, from 0 to 1, so that clients do not all come back at once.
  public var jitter: Double
  /// Whether mutations are sent again; what a server has done before the connection broke, it may do twice then.
  public var includesMutations: Bool

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

  /// How long to wait after so many attempts.
  ///
  /// - Parameter chance: From 0 to 1; 1 waits longest.
  public func wait(afterAttempt attempt: Int, chance: Double) -> Duration {
    let longest = longestDelay.asWait
    var wait = min(delay.asWait, longest)
    var count = max(1, attempt)
    while count > 1, wait > .zero, wait < longest {
      wait = min(wait * 2, longest)
      count -= 1
    }
    return wait * (1 - min(1, max(0, jitter)) * (1 - min(1, max(0, chance))))
  }
}

extension Transport {
  /// This transport, which sends a request again when that may help.
  ///
  /// That is so when the connection failed or the server asked to come back (the error's
  /// ``RelayError/isRetryable``). When the server said how long to wait, the wait is no shorter, and the error is thrown at
  /// once where that is beyond ``RetryPolicy/longestDelay``. Responses with errors are responses; they are not asked for
  /// again.
  ///
  /// - Parameters:
  ///   - clock: What waits.
  ///   - chance: A number from 0 to 1 for each wait.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) -> some Transport {
    intercepting { request, next in
      var attempt = 1
      while true {
        do {
          return try await next.execute(request)
        } catch let error as RelayError where error.isRetryable && attempt < policy.attempts {
          guard request.kind == .query || policy.includesMutations else { throw error }
          let asked = (error.retryAfter ?? .zero).asWait
          if asked > policy.longestDelay.asWait { throw error }
          try await clock.wait(
            for: max(asked, policy.wait(afterAttempt: attempt, chance: chance())))
          attempt += 1
        }
      }
    }
  }
}
