import RelayStore

/// A watchdog for silent streams; see ``StreamLiveness``.
package final class StreamWatch: Sendable {
  private let clock: any Clock<Duration>
  private let time: StoreTime
  /// `nil` until the server starts the stream.
  private let liveness = Locked<StreamLiveness?>(nil, rank: .leaf)

  package init(_ clock: any Clock<Duration>) {
    self.clock = clock
    time = StoreTime(clock)
  }

  /// Processes a step of the stream. The server may have to wait during the call.
  package func process(
    _ step: HTTPTransport.StreamStep, _ body: () async throws -> Void
  ) async throws {
    let now = time.elapsed
    liveness.withLock { liveness in
      if case .head = step { liveness = StreamLiveness(at: now) }
      if case .message(.heartbeat) = step { liveness?.heartbeat(at: now) }
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

/// The silence of a stream.
///
/// A server that sends heartbeats counts as dead after twice the longest silence between two
/// heartbeats. Without heartbeats, only TCP keep-alive detects a dead connection.
///
/// A server with a fixed heartbeat schedule also sends heartbeats between events, where silences
/// are short. So the silence counts as at least the shortest time between two heartbeats.
struct StreamLiveness: Sendable {
  /// The minimum silence after which a server counts as dead.
  static let shortest = Duration.seconds(10)
  /// The longest interval between heartbeats that were delayed and arrive together.
  private static let burst = Duration.seconds(1)

  /// Whether an event is being processed, so that the server may have to wait.
  var isBusy = false
  private var last: Duration
  private var lastHeartbeat: Duration?
  private var longestSilence: Duration?
  private var shortestInterval: Duration?

  init(at now: Duration) { last = now }

  /// Registers a heartbeat, the end of a silence.
  mutating func heartbeat(at now: Duration) {
    guard let lastHeartbeat else {
      self.lastHeartbeat = now
      return
    }
    let interval = now - lastHeartbeat
    // Heartbeats that arrive together, such as initial padding, carry no information.
    if interval < Self.burst { return }
    let silence = now - max(last, lastHeartbeat)
    longestSilence = max(longestSilence ?? .zero, silence)
    shortestInterval = min(shortestInterval ?? interval, interval)
    self.lastHeartbeat = now
  }

  /// Registers that an event or a heartbeat was processed.
  mutating func received(at now: Duration) { (isBusy, last) = (false, now) }

  /// Returns the time until the server counts as dead; zero or negative if it already does.
  func timeLeft(at now: Duration) -> Duration {
    guard let longestSilence, !isBusy else { return Self.shortest }
    let silence = max(longestSilence, shortestInterval ?? .zero)
    return last + max(silence * 2, Self.shortest) - now
  }
}
