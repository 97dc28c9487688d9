/// One piece of work that several callers wait for.
///
/// It begins with the first of them. A caller may leave before the end; when the last one leaves, the work
/// is cancelled, unless it is to be finished in any case.
package final class SharedWork<Value: Sendable>: Sendable {
  package typealias Outcome = Result<Value, any Error>
  private typealias Work = @Sendable () async throws -> Value

  private struct Waiter {
    let id: UInt64
    /// `nil` as long as it is only about to wait.
    var call: (@Sendable (Outcome) -> Void)?
  }

  private struct State {
    /// What is to be done, until it begins.
    var work: Work?
    var outcome: Outcome?
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
    var isAbandoned = false
    var task: Task<Void, Never>?
  }

  private let state: Locked<State>
  private let isFinishedAlone: Bool
  private let onAbandon: @Sendable () -> Void
  private let onEnd: @Sendable () -> Void

  /// - Parameters:
  ///   - isFinishedAlone: Whether it goes on when nobody waits any more.
  ///   - onAbandon: Called when it is cancelled because nobody waits any more.
  ///   - onEnd: Called when the work has returned and all who waited were called back.
  package init(
    isFinishedAlone: Bool = false, onAbandon: @escaping @Sendable () -> Void = {},
    onEnd: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    state = Locked(State(work: work))
    self.isFinishedAlone = isFinishedAlone
    self.onAbandon = onAbandon
    self.onEnd = onEnd
  }

  /// Calls back with the outcome, at once where there is one already; begins the work in a task of its own where
  /// nobody has.
  ///
  /// - Returns: What to leave with; `nil` when all had left before, so that there is nothing to wait for.
  package func join(_ call: @escaping @Sendable (Outcome) -> Void) -> UInt64? {
    guard let id = enter() else { return nil }
    begin { work in Task { await work() } }
    wait(id, call)
    return id
  }

  /// Takes a caller away, who is not called back then.
  ///
  /// - Returns: Whether it was waiting; else it was called back, or is being so.
  @discardableResult
  package func leave(_ id: UInt64) -> Bool { takeAway(id) != nil }

  /// Cancels it where nobody waits for it; it does not begin for that.
  package func letGo() {
    if let id = enter() { takeAway(id) }
  }

  /// Ends it for everyone, at once: they do not wait for the work to notice.
  package func cancel() {
    let (_, task) = state.withLock { ($0.work.take(), $0.task) }
    task?.cancel()
    end(.failure(CancellationError()))
  }

  /// Waits for the outcome; `nil` when all had left before. Where nobody has begun the work, it is begun here: up to
  /// its first suspension by this thread, where the system can; not by a task that is cancelled already.
  ///
  /// - Throws: What the work threw; `CancellationError` as soon as the calling task is cancelled.
  package func value() async throws -> Value? {
    guard let id = enter() else { return nil }
    if Task.isCancelled {
      takeAway(id)
      throw CancellationError()
    }
    begin(startHere)
    if let outcome = state.withLock({ $0.outcome }) { return try outcome.get() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(id) { continuation.resume(with: $0.map(Optional.some)) }
      }
    } onCancel: {
      takeAway(id)?.call?(.failure(CancellationError()))
    }
  }

  // MARK: Who waits

  /// Adds someone who is about to wait; `nil` when all had left before.
  private func enter() -> UInt64? {
    state.withLock { state in
      if state.isAbandoned { return nil }
      state.lastID += 1
      if state.outcome == nil { state.waiters.append(Waiter(id: state.lastID)) }
      return state.lastID
    }
  }

  /// Calls back someone who has entered, at once where there is an outcome or where they were taken away since.
  private func wait(_ id: UInt64, _ call: @escaping @Sendable (Outcome) -> Void) {
    let outcome: Outcome? = state.withLock { state in
      if let outcome = state.outcome { return outcome }
      guard let position = state.waiters.firstIndex(where: { $0.id == id }) else {
        return .failure(CancellationError())
      }
      state.waiters[position].call = call
      return nil
    }
    if let outcome { call(outcome) }
  }

  /// Takes someone away; `nil` where they were not waiting.
  @discardableResult
  private func takeAway(_ id: UInt64) -> Waiter? {
    let (waiter, left) = state.withLock { state -> (Waiter?, (Work?, Task<Void, Never>?)?) in
      guard let position = state.waiters.firstIndex(where: { $0.id == id }) else {
        return (nil, nil)
      }
      let waiter = state.waiters.remove(at: position)
      guard state.waiters.isEmpty, !isFinishedAlone else { return (waiter, nil) }
      state.isAbandoned = true
      return (waiter, (state.work.take(), state.task))
    }
    if let (_, task) = left {
      task?.cancel()
      onAbandon()
    }
    return waiter
  }

  // MARK: The work

  private func begin(_ start: (_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>) {
    guard let work = state.withLock({ $0.work.take() }) else { return }
    let task = start { [self] in
      do { end(.success(try await work())) } catch { end(.failure(error)) }
      onEnd()
    }
    let isOver = state.withLock { state in
      if state.outcome == nil { state.task = task }
      return state.outcome != nil || state.isAbandoned
    }
    if isOver { task.cancel() }
  }

  private func end(_ outcome: Outcome) {
    let waiters = state.withLock { state in
      if state.outcome == nil { state.outcome = outcome }
      state.task = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.call?(outcome) }
  }
}

/// Begins a task, up to its first suspension by this thread, where the system can.
private func startHere(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  #if compiler(>=6.2)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return Task.immediate { await work() }
    }
  #endif
  return Task { await work() }
}
