/// The last events of a store, limited in number and size.
struct RecentEvents {
  /// The events, preceded by an empty slot for each dropped event. The empty slots are removed once
  /// they fill more than half of the array.
  private var events: ContiguousArray<TracedEvent?> = []
  /// The position of the oldest event.
  private var first = 0
  private(set) var byteCount = 0
  /// The number of events that were dropped.
  private(set) var droppedCount = 0
  private let limits: TimelineOptions

  init(_ limits: TimelineOptions) { self.limits = limits }

  /// Appends an event and drops the oldest events that exceed the limits. The new event is never
  /// dropped, whatever its size.
  ///
  /// - Returns: The number of the event, and the last dropped event, which the caller releases
  ///   outside the lock.
  mutating func append(
    _ content: TracedEvent.Content, at time: Duration, byteCount size: Int
  ) -> (id: Int, dropped: TracedEvent?) {
    var dropped: TracedEvent?
    if count == limits.eventLimit { dropped = removeFirst() }
    events.append(TracedEvent(time: time, content: content, byteCount: size))
    byteCount += size
    while byteCount > limits.byteLimit, count > 1 { dropped = removeFirst() }
    return (lastID, dropped)
  }

  private mutating func removeFirst() -> TracedEvent? {
    let event = events[first]
    events[first] = nil
    first += 1
    if first > events.count / 2 {
      events.removeFirst(first)
      first = 0
    }
    byteCount -= event?.byteCount ?? 0
    droppedCount += 1
    return event
  }

  private var count: Int { events.count - first }

  /// The number of the last event.
  var lastID: Int { droppedCount + count }

  /// The events with their numbers, oldest first.
  var all: [(id: Int, event: TracedEvent)] {
    events[first...].enumerated().compactMap { position, event in
      event.map { (droppedCount + position + 1, $0) }
    }
  }
}
