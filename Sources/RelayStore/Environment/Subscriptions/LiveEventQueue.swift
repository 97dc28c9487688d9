/// The buffer between a subscription and its consumer.
///
/// The lock guards the buffer and the waiting task, which is resumed after it is released.
final class LiveEventQueue: Sendable {
  private struct State {
    var events: [LiveEvent] = []
    /// The index in ``events`` of the next event to return.
    var next = 0
    var waiter: CheckedContinuation<Result<LiveEvent?, RelayError>, Never>?
    /// The end of the subscription, which follows the events: `nil` in it is completion.
    var end: RelayError??

    var count: Int { events.count - next }

    mutating func takeFirst() -> LiveEvent? {
      guard next < events.count else { return nil }
      let event = events[next]
      next += 1
      if next == events.count {
        events.removeAll(keepingCapacity: true)
        next = 0
      } else if next >= 1_024, next * 2 > events.count {
        events.removeFirst(next)
        next = 0
      }
      return event
    }
  }

  private let buffering: SubscriptionBuffering
  private let name: String
  private let deliveries: PendingDeliveries
  private let state = Locked(State(), rank: .consumer)

  /// - Parameter name: The operation's name, for messages.
  init(_ buffering: SubscriptionBuffering, name: String, deliveries: PendingDeliveries) {
    self.buffering = buffering
    self.name = name
    self.deliveries = deliveries
  }

  /// Stores an event, or passes it to the waiting consumer.
  ///
  /// - Returns: `false` if the buffer has ended, by an overflow or before.
  @discardableResult
  func push(_ event: LiveEvent) -> Bool {
    let (waiter, isOpen) = state.withLock { state -> (Waiter?, Bool) in
      if state.end != nil { return (nil, false) }
      if let waiter = state.waiter {
        state.waiter = nil
        deliveries.begin()
        return (waiter, true)
      }
      append(event, to: &state)
      return (nil, state.end == nil)
    }
    waiter?.resume(returning: .success(event))
    return isOpen
  }

  private typealias Waiter = CheckedContinuation<Result<LiveEvent?, RelayError>, Never>

  private func append(_ event: LiveEvent, to state: inout State) {
    switch buffering {
    case .newest:
      let position = state.events.firstIndex { $0.isReplaced(by: event) }
      if let position { state.events.remove(at: position) }
      state.events.append(event)
    case .all(let limit):
      if state.count < max(1, limit) { return state.events.append(event) }
      state.end = .some(
        RelayError(
          .overflow,
          """
          "\(name)" was ended, because more than \(max(1, limit).counted("event")) waited for the consumer. \
          Consume them faster, or choose another buffering.
          """, operationName: name))
    }
  }

  /// Ends the subscription after the events in the buffer; a no-op if it has ended before.
  func end(_ error: RelayError?) {
    let waiter = state.withLock { state -> Waiter? in
      if state.end != nil { return nil }
      // The error is thrown once.
      state.end = .some(state.waiter == nil ? error : nil)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: error.map { .failure($0) } ?? .success(nil))
  }

  /// Ends the subscription at once, without the events in the buffer.
  func close() {
    let waiter = state.withLock { state -> Waiter? in
      state.end = .some(nil)
      (state.events, state.next) = ([], 0)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: .success(nil))
  }

  /// Returns the next event as soon as there is one; `nil` after the last one. Cancelling the task
  /// closes the buffer.
  ///
  /// - Parameter isolation: The caller's actor, which the call does not leave. If there is an event,
  ///   the call returns it without suspending.
  /// - Throws: The error that has ended the subscription, once.
  func next(
    isolation: isolated (any Actor)?
  ) async throws(RelayError) -> LiveEvent? {
    if !Task.isCancelled, let event = state.withLock({ $0.takeFirst() }) { return event }
    let result = await withTaskCancellationHandler {
      var isHandedOver = false
      let result = await withCheckedContinuation(isolation: isolation) { continuation in
        let now = state.withLock { state -> Result<LiveEvent?, RelayError>? in
          if Task.isCancelled { return .success(nil) }
          if let event = state.takeFirst() { return .success(event) }
          if let end = state.end {
            state.end = .some(nil)
            return end.map { .failure($0) } ?? .success(nil)
          }
          state.waiter = continuation
          return nil
        }
        isHandedOver = now == nil
        if let now { continuation.resume(returning: now) }
      }
      if isHandedOver, case .success(_?) = result { deliveries.end() }
      return result
    } onCancel: {
      close()
    }
    return try result.get()
  }
}

extension LiveEvent {
  /// Whether a newer event replaces this one in a buffer of the newest.
  fileprivate func isReplaced(by newer: LiveEvent) -> Bool {
    switch (self, newer) {
    case (.data, .data), (.connection, .connection), (.gap, .gap): true
    default: false
    }
  }
}
