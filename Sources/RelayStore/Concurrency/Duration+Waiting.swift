extension Duration {
  /// The longest wait requested of a clock: 10⁹ seconds, about 31 years.
  ///
  /// A clock that counts nanoseconds traps when a deadline overflows its counter.
  package static let longestSleep = Duration.seconds(1_000_000_000)

  /// This duration, clamped to the range that every clock can count: zero if negative, at most
  /// ``longestSleep``.
  package var clampedForSleep: Duration { min(max(self, .zero), .longestSleep) }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps for a duration of any length, clamped by ``Swift/Duration/clampedForSleep``.
  package func wait(for duration: Duration) async throws {
    try await sleep(for: duration.clampedForSleep)
  }
}
