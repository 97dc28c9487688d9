import Foundation

/// The time since a store was created, measured by its clock and convertible to dates.
package struct StoreTime: Sendable {
  /// Returns the time since the store was created.
  let measure: @Sendable () -> Duration
  /// The wall time of the store's creation; a clock may not provide one.
  private let start: Date

  /// - Parameter date: The date of the store's creation.
  package init(_ clock: some Clock<Duration>, date: Date = Date()) {
    self.start = date
    if let clock = clock as? ContinuousClock {
      // Avoids calls through the protocol.
      let start = clock.now
      measure = { start.duration(to: ContinuousClock.now) }
      return
    }
    let start = clock.now
    measure = { start.duration(to: clock.now) }
  }

  /// The time since the store was created.
  package var elapsed: Duration { measure() }

  /// Returns a date as the time since the store was created; negative for earlier dates.
  package func elapsed(until date: Date) -> Duration { .seconds(date.timeIntervalSince(start)) }

  /// Returns the date of a moment.
  ///
  /// - Parameter elapsed: The moment, as the time since the store was created.
  package func date(_ elapsed: Duration) -> Date {
    let (seconds, attoseconds) = elapsed.components
    return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
  }
}
