/// The last events of a store: a ring with limits of their number and of their size.
struct TimelineRing {
  private var events: ContiguousArray<RecordedEvent?> = []
  /// The position of the oldest event.
  private var first = 0
  private(set) var count = 0
  private(set) var byteCount = 0
  /// The number of events that were dropped.
  private(set) var droppedCount = 0
  private let limits: TimelineOptions

  init(_ limits: TimelineOptions) { self.limits = limits }

  /// Appends an event, and drops the oldest ones above the limits. The event itself stays, whatever
  /// its size is.
  ///
  /// - Returns: The number of the event, and the last event that was dropped, to be released without
  ///   the lock.
  mutating func append(
    _ content: RecordedEvent.Content, at time: Duration, byteCount size: Int
  ) -> (id: Int, dropped: RecordedEvent?) {
    var dropped: RecordedEvent?
    if count == limits.eventLimit { dropped = removeFirst() }
    if count == events.count { grow() }
    var position = first + count
    if position >= events.count { position -= events.count }
    events[position] = RecordedEvent(time: time, content: content, byteCount: size)
    count += 1
    byteCount += size
    while byteCount > limits.byteLimit, count > 1 { dropped = removeFirst() }
    return (lastID, dropped)
  }

  private mutating func removeFirst() -> RecordedEvent? {
    let event = events[first]
    events[first] = nil
    first = first + 1 == events.count ? 0 : first + 1
    count -= 1
    byteCount -= event?.byteCount ?? 0
    droppedCount += 1
    return event
  }

  /// Doubles the capacity, up to the limit of events.
  private mutating func grow() {
    var grown: ContiguousArray<RecordedEvent?> = []
    let capacity = min(limits.eventLimit, max(1_024, events.count * 2))
    grown.reserveCapacity(capacity)
    for position in 0..<count { grown.append(events[(first + position) % events.count]) }
    grown.append(contentsOf: repeatElement(nil, count: capacity - count))
    (events, first) = (grown, 0)
  }

  /// The number of the last event.
  var lastID: Int { droppedCount + count }

  /// The events with their numbers, oldest first.
  var all: [(id: Int, event: RecordedEvent)] {
    (0..<count).compactMap { position in
      events[(first + position) % events.count].map { (droppedCount + position + 1, $0) }
    }
  }
}
