/// One piece of work that several callers wait for.
///
/// It begins when it is made. A caller may leave before the end; when the last one leaves, the work
/// is cancelled, unless it is to be finished in any case.
package final class SharedWork<Value: Sendable>: Sendable {
  package typealias Outcome = Result<Value, any Error>

  private struct State {
    var outcome: Outcome?
    var waiters: [(id: UInt64, call: @Sendable (Outcome) -> Void)] = []
    var lastID: UInt64 = 0
    var isAbandoned = false
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let isFinishedAlone: Bool
  private let onAbandon: @Sendable () -> Void

  /// - Parameters:
  ///   - isFinishedAlone: Whether it goes on when nobody waits any more.
  ///   - onAbandon: Called when it is cancelled because nobody waits any more.
  package init(
    isFinishedAlone: Bool = false, onAbandon: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    self.isFinishedAlone = isFinishedAlone
    self.onAbandon = onAbandon
    let task = Task { [self] in
      do { end(.success(try await work())) } catch { end(.failure(error)) }
    }
    let isAbandoned = state.withLock { state in
      if state.outcome == nil { state.task = task }
      return state.isAbandoned
    }
    if isAbandoned { task.cancel() }
  }

  /// Calls back with the outcome, at once where there is one already.
  ///
  /// - Returns: What to leave with; `nil` when all had left before, so that there is nothing to wait for.
  package func join(_ call: @escaping @Sendable (Outcome) -> Void) -> UInt64? {
    let (id, outcome) = state.withLock { state -> (UInt64?, Outcome?) in
      if state.isAbandoned { return (nil, nil) }
      state.lastID += 1
      if let outcome = state.outcome { return (state.lastID, outcome) }
      state.waiters.append((state.lastID, call))
      return (state.lastID, nil)
    }
    if let outcome { call(outcome) }
    return id
  }

  /// Takes a caller away, who is not called back then.
  ///
  /// - Returns: Whether it was waiting; else it was called back, or is being so.
  @discardableResult
  package func leave(_ id: UInt64) -> Bool {
    let (wasWaiting, isAbandoned, task) = state.withLock { state in
      guard let position = state.waiters.firstIndex(where: { $0.id == id }) else {
        return (false, false, Task<Void, Never>?.none)
      }
      state.waiters.remove(at: position)
      guard state.waiters.isEmpty, !isFinishedAlone else { return (true, false, nil) }
      state.isAbandoned = true
      return (true, true, state.task)
    }
    task?.cancel()
    if isAbandoned { onAbandon() }
    return wasWaiting
  }

  /// Ends it for everyone, at once: they do not wait for the work to notice.
  package func cancel() {
    state.withLock { $0.task }?.cancel()
    end(.failure(CancellationError()))
  }

  /// Waits for the outcome; `nil` when all had left before.
  ///
  /// - Throws: What the work threw; `CancellationError` as soon as the calling task is cancelled.
  package func value() async throws -> Value? {
    let place = Locked<(id: UInt64?, isCancelled: Bool)>((nil, false))
    let slot = Locked<CheckedContinuation<Value?, any Error>?>(nil)
    let take: @Sendable () -> CheckedContinuation<Value?, any Error>? = {
      slot.withLock { slot in
        defer { slot = nil }
        return slot
      }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        slot.withLock { $0 = continuation }
        guard let id = join({ take()?.resume(with: $0.map(Optional.some)) }) else {
          take()?.resume(returning: nil)
          return
        }
        let isCancelled = place.withLock { place in
          place.id = id
          return place.isCancelled
        }
        if isCancelled, leave(id) { take()?.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let id = place.withLock { place in
        place.isCancelled = true
        return place.id
      }
      if let id, leave(id) { take()?.resume(throwing: CancellationError()) }
    }
  }

  private func end(_ outcome: Outcome) {
    let waiters = state.withLock { state in
      if state.outcome == nil { state.outcome = outcome }
      state.task = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.call(outcome) }
  }
}
