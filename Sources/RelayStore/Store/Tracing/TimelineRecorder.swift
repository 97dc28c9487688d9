/// The recorder of a store's timeline.
///
/// The lock guards the ring of recent events. It is a leaf: the store's lock is usually held around
/// it. Records and rows that only dropped events keep alive are released under it, which runs no
/// code of the app.
package final class TimelineRecorder: Sendable {
  private struct State {
    var recent: RecentEvents
    var lastRequest = 0
    /// The number of the last event before a collection dropped ids.
    var lastDrop = 0
  }

  /// The number of bytes recorded of each response.
  let responseByteLimit: Int
  private let state: Locked<State>
  private let measure: @Sendable () -> Duration

  /// - Parameter now: Returns the time since the store was created.
  init(_ limits: TimelineOptions, now: @escaping @Sendable () -> Duration) {
    state = Locked(State(recent: RecentEvents(limits)), rank: .leaf)
    measure = now
    responseByteLimit = limits.responseByteLimit
  }

  /// The time since the store was created.
  var now: Duration { measure() }

  /// Appends an event.
  ///
  /// - Parameter byteCount: The estimated size, including objects that only the event keeps alive.
  /// - Returns: The number of the event.
  @discardableResult
  func append(
    _ content: TracedEvent.Content, at time: Duration, byteCount: Int = 256
  ) -> Int {
    // The last dropped event is released after the lock.
    state.withLock { $0.recent.append(content, at: time, byteCount: byteCount) }.id
  }

  /// Returns a new number for a request.
  func makeRequestNumber() -> Int {
    state.withLock { state in
      state.lastRequest += 1
      return state.lastRequest
    }
  }

  /// Notes the end of a collection that dropped ids, so their indexes may be reused.
  func idsWereDropped() { state.withLock { $0.lastDrop = $0.recent.lastID } }

  /// The events of the timeline.
  package var contents: (events: [(id: Int, event: TracedEvent)], droppedCount: Int, lastDrop: Int)
  {
    state.withLock { ($0.recent.all, $0.recent.droppedCount, $0.lastDrop) }
  }

  /// The estimated size of the events in bytes.
  var byteCount: Int { state.withLock { $0.recent.byteCount } }
}
