import RelayStore

/// The events that a test has sent to one request and that the request's receiver has not taken.
///
/// The request waits for the test while the inbox is empty and its receiver has returned. The lock
/// guards the events and the waiters; continuations are resumed after it is released.
final class EventInbox: Sendable {
  private struct State {
    var events: [TransportEvent] = []
    /// The outcome of the request, which follows the events.
    var end: Result<Void, any Error>?
    var isCancelled = false
    /// Whether the receiver has an event, or runs the code after it.
    var isReceiving = false
    /// Whether the request has ended for its caller.
    var isOver = false
    /// The continuation of the request while it waits for the test.
    var waiting: CheckedContinuation<TransportEvent?, any Error>?
    /// The continuations of tests that wait until every event was received, or until the request
    /// was cancelled or has ended.
    var deliveryWaiters: [CheckedContinuation<Void, Never>] = []
    var endWaiters: [CheckedContinuation<Void, Never>] = []

    var isDelivered: Bool { isOver || events.isEmpty && !isReceiving }

    /// Removes the waiters whose wait is over.
    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      var waiters: [CheckedContinuation<Void, Never>] = []
      if isDelivered { swap(&waiters, &deliveryWaiters) }
      if isOver || isCancelled {
        waiters += endWaiters
        endWaiters = []
      }
      return waiters
    }
  }

  let request: GraphQLRequest
  /// Whether the request ends with its first response.
  private let hasOneResponse: Bool
  private let hold = RequestHold.current
  private let state = Locked(State())

  init(_ request: GraphQLRequest, hasOneResponse: Bool) {
    self.request = request
    self.hasOneResponse = hasOneResponse
  }

  /// Whether the caller was cancelled, or its receiver has thrown an error.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Adds an event.
  ///
  /// - Returns: Whether the request takes no further event.
  func add(_ event: TransportEvent) -> Bool {
    let isResponse = if case .response = event { true } else { false }
    if hasOneResponse, !isResponse { return false }
    return change { state in
      if state.end == nil { state.events.append(event) }
      if hasOneResponse, state.end == nil { state.end = .success(()) }
    }
  }

  /// Ends the request after the events added before; a no-op when it has an end already.
  func end(_ result: Result<Void, any Error>) {
    _ = change { if $0.end == nil { $0.end = result } }
  }

  /// Ends the request without the events that were not received.
  func cancel() {
    _ = change { state in
      guard !state.isOver else { return }
      state.isCancelled = true
      state.events = []
      state.end = .failure(CancellationError())
    }
  }

  /// Changes the state and resumes those who wait for it.
  ///
  /// - Returns: Whether the request takes no further event.
  private func change(_ body: (inout State) -> Void) -> Bool {
    let (isEnded, resume, waiters) = state.withLock { state in
      body(&state)
      let waiting = state.waiting
      let next = waiting == nil ? nil : Self.next(&state)
      let resume = next.flatMap { next in waiting.map { (next, $0) } }
      if resume != nil {
        state.waiting = nil
        hold?.end()
      }
      return (state.end != nil, resume, state.takeWaiters())
    }
    if let (next, continuation) = resume { continuation.resume(with: next) }
    for waiter in waiters { waiter.resume() }
    return isEnded
  }

  /// Removes the next event; `.success(nil)` is the end, `nil` that there is nothing yet.
  private static func next(_ state: inout State) -> Result<TransportEvent?, any Error>? {
    if !state.events.isEmpty {
      state.isReceiving = true
      return .success(state.events.removeFirst())
    }
    guard let end = state.end else { return nil }
    state.isOver = true
    return end.map { nil }
  }

  /// Returns the next event, waiting for the test if necessary; `nil` after the last one.
  ///
  /// - Throws: The error that ends the request.
  func next() async throws -> TransportEvent? {
    try await withCheckedThrowingContinuation { continuation in
      let (next, waiters) = state.withLock { state in
        state.isReceiving = false
        let next = Self.next(&state)
        if next == nil {
          state.waiting = continuation
          hold?.begin()
        }
        return (next, state.takeWaiters())
      }
      if let next { continuation.resume(with: next) }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Records that the receiver takes no further event, because it has thrown an error.
  func close() {
    cancel()
    let waiters = state.withLock { state in
      state.isOver = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the receiver has returned from every event, or the request has ended.
  func delivery() async {
    await withCheckedContinuation { continuation in
      let isDelivered = state.withLock { state in
        if !state.isDelivered { state.deliveryWaiters.append(continuation) }
        return state.isDelivered
      }
      if isDelivered { continuation.resume() }
    }
  }

  /// Waits until the request was cancelled or has ended.
  func cancellation() async {
    await withCheckedContinuation { continuation in
      let isEnded = state.withLock { state in
        let isEnded = state.isOver || state.isCancelled
        if !isEnded { state.endWaiters.append(continuation) }
        return isEnded
      }
      if isEnded { continuation.resume() }
    }
  }
}
