import Foundation

/// The time since a store was made, by its clock, and as dates.
struct StoreTime: Sendable {
  private let measure: @Sendable () -> Duration
  /// The wall time when the store was made, because a clock need not know it.
  private let start = Date()

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    measure = { start.duration(to: clock.now) }
  }

  /// The time since the store was made.
  var elapsed: Duration { measure() }

  /// Returns the date of a moment.
  ///
  /// - Parameter elapsed: The moment, as the time since the store was made.
  func date(_ elapsed: Duration) -> Date {
    let (seconds, attoseconds) = elapsed.components
    return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
  }
}
