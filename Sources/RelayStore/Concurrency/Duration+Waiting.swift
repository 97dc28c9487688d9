extension Duration {
  /// The longest wait that a clock is asked for: 10⁹ seconds, some 31 years.
  ///
  /// A clock that counts nanoseconds since its beginning traps where a deadline is beyond its last number.
  package static let longestWait = Duration.seconds(1_000_000_000)

  /// This duration as a wait that every clock can count: zero where it is negative, ``longestWait`` where it is longer.
  package var asWait: Duration { min(max(self, .zero), .longestWait) }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps for a duration of any length, as ``Swift/Duration/asWait`` limits it.
  package func wait(for duration: Duration) async throws { try await sleep(for: duration.asWait) }
}
