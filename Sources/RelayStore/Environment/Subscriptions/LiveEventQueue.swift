/// The buffer between a subscription and its consumer.
///
/// The lock guards the buffer and the waiting task; the task is resumed after unlocking.
final class LiveEventQueue: Sendable {
  private struct State {
    /// The events, each with its ordinal.
    var events: [(ordinal: Int, event: LiveEvent)] = []
    /// The index in ``events`` of the next event to return.
    var next = 0
    /// The number of events and ends that were added.
    var lastOrdinal = 0
    var waiter: Waiter?
    /// The end of the subscription, which follows the events; an inner `nil` means completion.
    var end: RelayError??

    var count: Int { events.count - next }

    /// Removes and returns the first event, unless its ordinal is above `limit`.
    mutating func takeFirst(upTo limit: Int = .max) -> LiveEvent? {
      guard next < events.count, events[next].ordinal <= limit else { return nil }
      let event = events[next].event
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
  private let onChange: (@Sendable (Int) -> Void)?
  private let state = Locked(State(), rank: .consumer)

  /// - Parameters:
  ///   - name: The operation's name, for messages.
  ///   - onChange: For a consumer that calls ``take(upTo:)`` instead of ``next(isolation:)``:
  ///     called with the ordinal of an event, or of the end, after it is added to the buffer. The
  ///     lock is not held.
  init(
    _ buffering: SubscriptionBuffering, name: String, deliveries: PendingDeliveries,
    onChange: (@Sendable (Int) -> Void)? = nil
  ) {
    self.buffering = buffering
    self.name = name
    self.deliveries = deliveries
    self.onChange = onChange
  }

  /// Removes and returns the events up to an ordinal. If no event is left and the subscription has
  /// ended, also returns its end.
  func take(upTo ordinal: Int) -> (events: [LiveEvent], end: RelayError??) {
    state.withLock { state in
      var events: [LiveEvent] = []
      while let event = state.takeFirst(upTo: ordinal) { events.append(event) }
      return (events, state.count == 0 ? state.end : nil)
    }
  }

  /// Stores an event, or passes it to the waiting consumer.
  ///
  /// - Returns: `false` if the buffer has ended, now by an overflow or earlier.
  @discardableResult
  func push(_ event: LiveEvent) -> Bool {
    let (handOver, ordinal, isOpen) = state.withLock { state -> ((() -> Void)?, Int?, Bool) in
      if state.end != nil { return (nil, nil, false) }
      if let waiter = state.waiter {
        state.waiter = nil
        let delivery = deliveries.begin()
        return ({ waiter.resume(returning: (.success(event), delivery)) }, nil, true)
      }
      append(event, to: &state)
      return (nil, state.lastOrdinal, state.end == nil)
    }
    handOver?()
    if let ordinal { onChange?(ordinal) }
    return isOpen
  }

  /// A waiting task. The event that it is resumed with is in flight until the task has received it.
  private typealias Waiter = CheckedContinuation<
    (Result<LiveEvent?, RelayError>, PendingDelivery?), Never
  >

  private func append(_ event: LiveEvent, to state: inout State) {
    state.lastOrdinal += 1
    let entry = (ordinal: state.lastOrdinal, event: event)
    switch buffering {
    case .newest:
      let position = state.events[state.next...].firstIndex { $0.event.isReplaced(by: event) }
      if let position { state.events.remove(at: position) }
      state.events.append(entry)
    case .all(let limit):
      if state.count < max(1, limit) { return state.events.append(entry) }
      state.end = .some(
        RelayError(
          .overflow,
          """
          "\(name)" was ended, because more than \(max(1, limit).counted("event")) waited for the consumer. \
          Consume them faster, or choose another buffering policy.
          """, operationName: name))
    }
  }

  /// Ends the subscription after the events in the buffer; a no-op if it has already ended.
  func end(_ error: RelayError?) {
    let (waiter, ordinal) = state.withLock { state -> (Waiter?, Int?) in
      if state.end != nil { return (nil, nil) }
      state.lastOrdinal += 1
      // The error is thrown once.
      state.end = .some(state.waiter == nil ? error : nil)
      defer { state.waiter = nil }
      return (state.waiter, state.lastOrdinal)
    }
    waiter?.resume(returning: (error.map { .failure($0) } ?? .success(nil), nil))
    if let ordinal { onChange?(ordinal) }
  }

  /// Ends the subscription at once and discards the events in the buffer.
  func close() {
    let waiter = state.withLock { state -> Waiter? in
      state.end = .some(nil)
      (state.events, state.next) = ([], 0)
      return state.waiter.take()
    }
    waiter?.resume(returning: (.success(nil), nil))
  }

  /// Returns the next event as soon as there is one; `nil` after the last one. Cancelling the task
  /// closes the buffer.
  ///
  /// - Parameter isolation: The caller's actor, which the call does not leave. If there is already
  ///   an event, the call does not suspend.
  /// - Throws: The error that ended the subscription, once.
  func next(
    isolation: isolated (any Actor)?
  ) async throws(RelayError) -> LiveEvent? {
    if !Task.isCancelled, let event = state.withLock({ $0.takeFirst() }) { return event }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
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
        if let now { continuation.resume(returning: (now, nil)) }
      }.0
    } onCancel: {
      close()
    }
    return try result.get()
  }
}

extension LiveEvent {
  /// Returns whether a newer event replaces this one when only the newest are buffered.
  fileprivate func isReplaced(by newer: LiveEvent) -> Bool {
    switch (self, newer) {
    case (.data, .data), (.connection, .connection), (.gap, .gap): true
    default: false
    }
  }
}
