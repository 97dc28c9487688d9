/// A policy for retrying failed requests.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, including the first.
  public var attempts: Int
  /// The delay before the second attempt; each further delay is twice as long.
  public var delay: Duration
  /// The maximum delay. If a server requests a longer one, the request is not retried: its error is
  /// thrown immediately, with its ``RelayError/retryAfter``.
  public var longestDelay: Duration
  /// The fraction of each delay that is random, from 0 to 1, so that clients do not all retry at
  /// the same time.
  public var jitter: Double
  /// Whether mutations are retried. A server that executed a mutation before the connection broke
  /// may then execute it twice.
  public var includesMutations: Bool

  /// Creates a policy. By default, operations other than mutations are sent at most three times,
  /// after waits of up to half a second and up to one second; at most half of each wait is random.
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
  ///   - attempt: The number of attempts already made.
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
