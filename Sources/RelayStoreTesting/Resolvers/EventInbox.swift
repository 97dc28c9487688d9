import RelayStore

/// The events that a test has sent to one request and that the request has not processed.
///
/// When the inbox is empty and its receiver has returned, the request waits for the test. Its
/// continuation is resumed after unlocking.
final class EventInbox<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    /// The outcome of the request, which follows the events.
    var end: Result<Void, any Error>?
    var isCancelled = false
    /// Whether the receiver has an event, or runs the code after it.
    var isReceiving = false
    /// Whether the request has ended for its caller.
    var isOver = false
    /// The continuation of the request while it waits for the test.
    var waiting: CheckedContinuation<Event?, any Error>?

    var description: String {
      if isOver { return "it has ended" }
      if !events.isEmpty { return "\(events.count.counted("event")) it has not received" }
      return isReceiving ? "it has not returned from an event" : "it waits for the test"
    }
  }

  private let hold = RequestHold.current
  private let state = Watched(State())

  /// Creates an empty inbox for the request of the calling task.
  init() {}

  /// Whether the caller was cancelled, or its receiver has thrown an error.
  var isCancelled: Bool { state.value.isCancelled }

  /// Whether the request has ended.
  var isOver: Bool { state.value.isOver }

  /// Adds an event; a no-op after the last one.
  ///
  /// - Parameter isLast: Whether the request ends after the event.
  func add(_ event: Event, isLast: Bool = false) {
    change { state in
      guard state.end == nil else { return }
      state.events.append(event)
      if isLast { state.end = .success(()) }
    }
  }

  /// Ends the request after the events already added; a no-op if it already has an end.
  func end(_ result: Result<Void, any Error>) {
    change { if $0.end == nil { $0.end = result } }
  }

  /// Ends the request without the events that were not received.
  func cancel() {
    change { state in
      guard !state.isOver else { return }
      state.isCancelled = true
      state.events = []
      state.end = .failure(CancellationError())
    }
  }

  /// Changes the state, and resumes the request and the tests that wait for it.
  private func change(_ body: (inout State) -> Void) {
    let resume = state.change { state in
      body(&state)
      let waiting = state.waiting
      let next = waiting == nil ? nil : Self.next(&state)
      let resume = next.flatMap { next in waiting.map { (next, $0) } }
      if resume != nil {
        state.waiting = nil
        hold?.end()
      }
      return resume
    }
    if let (next, continuation) = resume { continuation.resume(with: next) }
  }

  /// Removes the next event. Returns `.success(nil)` at the end, and `nil` if there is no event
  /// yet.
  private static func next(_ state: inout State) -> Result<Event?, any Error>? {
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
  private func next() async throws -> Event? {
    try await withCheckedThrowingContinuation { continuation in
      let next = state.change { state in
        state.isReceiving = false
        let next = Self.next(&state)
        if next == nil {
          state.waiting = continuation
          hold?.begin()
        }
        return next
      }
      if let next { continuation.resume(with: next) }
    }
  }

  /// Passes on the events, one at a time, until the test ends the request.
  ///
  /// - Throws: The error of `receive`; the error that ends the request; `CancellationError` if the
  ///   task is cancelled.
  func forEach(_ receive: (Event) async throws -> Void) async throws {
    try await withTaskCancellationHandler {
      while let event = try await next() {
        do {
          try await receive(event)
        } catch {
          close()
          throw error
        }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Marks the inbox as ended, because the receiver has thrown an error and accepts no more events.
  private func close() {
    cancel()
    state.change { $0.isOver = true }
  }

  /// Waits until the receiver has returned from every event, or the request has ended.
  func delivery(to receiver: String) async throws {
    try await wait(for: "the delivery to \(receiver)") {
      $0.isOver || $0.events.isEmpty && !$0.isReceiving
    }
  }

  /// Waits until the request was cancelled or has ended.
  func cancellation(of receiver: String) async throws {
    try await wait(for: "the cancellation of \(receiver)") { $0.isOver || $0.isCancelled }
  }

  /// Waits until the request has ended.
  func ending(of receiver: String) async throws {
    try await wait(for: "the end of \(receiver)") { $0.isOver }
  }

  private func wait(for awaited: String, until isMet: @escaping @Sendable (State) -> Bool)
    async throws
  {
    try await state.wait(for: awaited, arrived: \.description, until: isMet)
  }
}
