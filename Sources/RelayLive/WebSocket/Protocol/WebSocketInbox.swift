import RelayNetwork
import RelayStore

/// The events that wait for the receiver of one subscription.
struct WebSocketInbox {
  typealias Waiter = CheckedContinuation<TransportEvent?, any Error>

  /// The memory of an event besides the bytes of its response.
  private static let overhead = 128
  /// The number of states in a row from which on only the newest is kept. A connection that comes
  /// and goes while the receiver stands still takes no memory.
  private static let stateLimit = 32

  /// The request of the subscription.
  let request: GraphQLRequest
  /// The task that waits for the next event.
  var waiter: Waiter?
  /// The end, which follows the events: an error or completion.
  private(set) var end: Result<Void, any Error>?
  private var events: [TransportEvent] = []
  /// The index in `events` of the next event to return.
  private var next = 0
  /// The number of states and gaps at the end of `events`.
  private var trailingStateCount = 0

  init(_ request: GraphQLRequest) {
    self.request = request
  }

  var name: String { request.operationName }

  var byteLimit: Int { request.responseByteLimit }

  /// What becomes of an event.
  enum Delivery {
    /// It is passed to the task that waits.
    case passed(Waiter)
    /// It takes a number of bytes of the inbox.
    case queued(Int)
    /// The subscription has ended.
    case discarded
    /// It exceeds the limit of a response.
    case tooLarge
  }

  /// Passes an event to the task that waits, or stores it.
  mutating func deliver(_ event: TransportEvent) -> Delivery {
    if end != nil { return .discarded }
    if case .response(let response) = event, response.body.count > byteLimit { return .tooLarge }
    guard let waiter else { return .queued(append(event)) }
    self.waiter = nil
    return .passed(waiter)
  }

  /// Appends an event.
  ///
  /// - Returns: The number of bytes that it takes.
  mutating func append(_ event: TransportEvent) -> Int {
    trailingStateCount = min(trailingStateCount, events.count - next)
    switch event {
    case .response: trailingStateCount = 0
    case .gap: trailingStateCount += 1
    case .connection:
      if trailingStateCount >= Self.stateLimit {
        events.removeLast(trailingStateCount)
        trailingStateCount = 0
      }
      trailingStateCount += 1
    }
    events.append(event)
    return Self.size(of: event)
  }

  /// Removes the first event.
  mutating func takeFirst() -> (event: TransportEvent, byteCount: Int)? {
    guard next < events.count else { return nil }
    let event = events[next]
    // Releases the body.
    events[next] = .gap
    next += 1
    if next == events.count {
      events.removeAll(keepingCapacity: next < 1_024)
      next = 0
    } else if next >= 256, next * 2 > events.count {
      events.removeFirst(next)
      next = 0
    }
    return (event, Self.size(of: event))
  }

  /// Ends the subscription after the events; a no-op if it has ended before.
  mutating func finish(_ result: Result<Void, any Error>) {
    if end == nil { end = result }
  }

  /// The error of an event that exceeds the limit.
  var limitError: RelayError {
    RelayError(
      .response, "Response for \"\(name)\" is larger than \(byteLimit.counted("byte")).",
      operationName: name)
  }

  /// The number of bytes of all events.
  var byteCount: Int { events[next...].reduce(0) { $0 + Self.size(of: $1) } }

  /// The number of bytes that count towards the limit. States do not: they are bounded by number.
  private static func size(of event: TransportEvent) -> Int {
    if case .response(let response) = event { response.body.count + overhead } else { 0 }
  }
}
