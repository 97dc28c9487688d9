import Foundation

/// The time since a store was made, by its clock, and as dates.
struct StoreTime: Sendable {
  private let measure: @Sendable () -> Duration
  /// The wall time when the store was made: a clock need not know it.
  private let start = Date()

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    measure = { start.duration(to: clock.now) }
  }

  /// How long ago the store was made.
  var elapsed: Duration { measure() }

  /// The date of a moment.
  func date(_ elapsed: Duration) -> Date {
    let (seconds, attoseconds) = elapsed.components
    return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
  }
}
