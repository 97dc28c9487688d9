import RelayStore

/// A clock that only the test advances, so tests of timeouts, retries and polling never sleep.
///
///     let clock = VirtualClock()
///     let transport = server.retrying(clock: clock)
///     …
///     try await clock.sleepers(1)       // the first attempt has failed, the retry waits
///     clock.advance(by: .seconds(1))
public final class VirtualClock: Clock {
  /// An instant, measured from the clock's start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public var offset: Duration

    /// Creates an instant; without an argument, the clock's start.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the instant after a duration, clamped to the representable range.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: (offset.countable + duration.countable).countable)
    }

    /// Returns the time from this instant to another; negative if the other is earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset.countable - offset.countable
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let task = HeldTask()
  }

  private struct State {
    var now = Instant()
    var sleepers: [Sleeper] = []

    /// The earliest deadline of the sleepers, relative to the clock's start.
    var nextDeadline: Duration? { sleepers.map(\.deadline.offset).min() }

    var description: String {
      let count = sleepers.count.counted("sleeping task")
      guard let nextDeadline else { return count }
      return "\(count), the first until \(nextDeadline); the clock is at \(now.offset)"
    }
  }

  /// The time, the sleepers, and the tests that wait for a number of sleepers. Sleepers are resumed
  /// after unlocking.
  private let state = Watched(State())

  /// Creates a clock at its start.
  public init() {}

  /// The current instant. Only ``advance(by:)`` changes it.
  public var now: Instant { state.value.now }

  /// The resolution: zero, because the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.value.sleepers.count }

  /// The earliest deadline of the sleeping tasks, relative to the clock's start; `nil` without
  /// sleeping tasks.
  public var nextDeadline: Duration? { state.value.nextDeadline }

  /// Waits until at least `count` tasks are sleeping.
  ///
  /// - Throws: ``CancelledWaitError`` if the task is cancelled while it waits.
  public func sleepers(_ count: Int) async throws {
    try await state.wait(for: count.counted("sleeping task"), arrived: \.description) {
      $0.sleepers.count >= count
    }
  }

  /// Advances the clock, and wakes the tasks whose deadline has passed, earliest first. A negative
  /// duration is a no-op.
  public func advance(by duration: Duration) {
    let awake = state.change { state in
      state.now = state.now.advanced(by: max(duration, .zero))
      let now = state.now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }
    }
    for sleeper in awake.sorted(by: { $0.deadline < $1.deadline }) { sleeper.task.resume() }
  }

  /// Waits until the clock is advanced to an instant; returns at once if it has passed.
  ///
  /// - Parameters:
  ///   - deadline: The instant to wait for.
  ///   - tolerance: Ignored; the clock wakes tasks exactly.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let task = state.change { state -> HeldTask? in
      if deadline <= state.now { return nil }
      let sleeper = Sleeper(deadline: deadline)
      state.sleepers.append(sleeper)
      return sleeper.task
    }
    guard let task else { return try Task.checkCancellation() }
    try await task.wait {
      state.change { state in
        state.sleepers.firstIndex { $0.task === task }.map { state.sleepers.remove(at: $0) } != nil
      }
    }
  }
}

extension Duration {
  /// This duration, clamped so that the sum of two such durations cannot overflow.
  fileprivate var countable: Duration {
    min(max(self, .seconds(-Int64.max)), .seconds(Int64.max))
  }
}
