import RelayStore

/// A watch over the silence of a stream; see ``StreamLiveness``.
package final class StreamWatch: Sendable {
  private let clock: any Clock<Duration>
  private let time: StoreTime
  /// `nil` until the server has begun the stream.
  private let liveness = Locked<StreamLiveness?>(nil, rank: .leaf)

  package init(_ clock: any Clock<Duration>) {
    self.clock = clock
    time = StoreTime(clock)
  }

  /// Processes a part of the stream, during which the server may have to wait.
  package func process(
    _ part: HTTPTransport.StreamPart, _ body: () async throws -> Void
  ) async throws {
    let now = time.elapsed
    liveness.withLock { liveness in
      if case .head = part { liveness = StreamLiveness(at: now) }
      if case .part(.heartbeat) = part { liveness?.heartbeat(at: now) }
      liveness?.isBusy = true
    }
    defer { liveness.withLock { $0?.received(at: time.elapsed) } }
    try await body()
  }

  /// Returns when the server has been silent for too long.
  package func end() async throws {
    while true {
      let now = time.elapsed
      let rest = liveness.withLock { $0?.timeLeft(at: now) } ?? StreamLiveness.shortest
      if rest <= .zero { return }
      try await clock.wait(for: rest)
    }
  }
}

/// The silence of a stream. A server that sends heartbeats counts as dead after twice the longest
/// silence between two of them; without heartbeats only TCP keep-alive notices a dead connection.
///
/// A server that sends heartbeats at fixed times does so between events too, whose silences are
/// short. So the silence counts as no shorter than the shortest time between two heartbeats.
struct StreamLiveness: Sendable {
  /// The shortest silence after which a server counts as dead.
  static let shortest = Duration.seconds(10)
  /// The time between two heartbeats below which they were delayed and arrive together.
  private static let burst = Duration.seconds(1)

  /// Whether an event is being processed, so that the server may have to wait.
  var isBusy = false
  private var last: Duration
  private var lastHeartbeat: Duration?
  private var longestSilence: Duration?
  private var shortestInterval: Duration?

  init(at now: Duration) { last = now }

  /// Marks a heartbeat, which ends a silence.
  mutating func heartbeat(at now: Duration) {
    guard let lastHeartbeat else {
      self.lastHeartbeat = now
      return
    }
    let interval = now - lastHeartbeat
    // Heartbeats that arrive together, as padding at the beginning does, tell nothing.
    if interval < Self.burst { return }
    let silence = now - max(last, lastHeartbeat)
    longestSilence = max(longestSilence ?? .zero, silence)
    shortestInterval = min(shortestInterval ?? interval, interval)
    self.lastHeartbeat = now
  }

  /// Marks the end of the processing of an event or a heartbeat.
  mutating func received(at now: Duration) { (isBusy, last) = (false, now) }

  /// Returns the time until the server counts as dead; zero or less if it does already.
  func timeLeft(at now: Duration) -> Duration {
    guard let longestSilence, !isBusy else { return Self.shortest }
    let silence = max(longestSilence, shortestInterval ?? .zero)
    return last + max(silence * 2, Self.shortest) - now
  }
}
