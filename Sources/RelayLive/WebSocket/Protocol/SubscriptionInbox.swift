import RelayNetwork
import RelayStore

/// The pending events of one subscription.
struct SubscriptionInbox {
  typealias Waiter = CheckedContinuation<TransportEvent?, any Error>

  /// The memory of an event in addition to its response's bytes.
  private static let overhead = 128
  /// The number of consecutive states after which only the latest is retained, so that a flapping
  /// connection cannot use up memory while the receiver is stalled.
  private static let stateLimit = 32

  /// The request of the subscription.
  let request: GraphQLRequest
  /// The task that waits for the next event.
  var waiter: Waiter?
  /// The end after the events: an error or completion.
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

  /// The outcome of delivering an event.
  enum Delivery {
    /// Passed to the waiting task.
    case passed(Waiter)
    /// Queued, with the number of bytes used.
    case queued(Int)
    /// Discarded because the subscription has ended.
    case discarded
    /// Rejected because it exceeds the limit of a response.
    case tooLarge
  }

  /// Passes an event to the waiting task, or queues it.
  mutating func deliver(_ event: TransportEvent) -> Delivery {
    if end != nil { return .discarded }
    if case .response(let response) = event, response.body.count > byteLimit { return .tooLarge }
    guard let waiter else { return .queued(append(event)) }
    self.waiter = nil
    return .passed(waiter)
  }

  /// Appends an event.
  ///
  /// - Returns: The number of bytes used.
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

  /// Ends the subscription after its pending events; a no-op if it has already ended.
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

  /// Returns the number of bytes that count toward the limit: 0 for states, whose number is bounded
  /// instead.
  private static func size(of event: TransportEvent) -> Int {
    if case .response(let response) = event { response.body.count + overhead } else { 0 }
  }
}
