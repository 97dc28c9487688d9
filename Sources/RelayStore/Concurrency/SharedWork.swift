/// A piece of asynchronous work whose outcome several callers wait for.
///
/// The first caller starts it. A caller may leave before the work ends. When the last one leaves,
/// the work is cancelled, unless it is sealed or runs to completion without callers.
///
/// The lock guards the phase and the waiters. Callbacks run after it is released.
package final class SharedWork<Value: Sendable>: Sendable {
  package typealias Outcome = Result<Value, any Error>
  private typealias Phase = SharedWorkPhase<Value>

  /// A caller that has not been called back yet.
  private struct Waiter: Sendable {
    let id: UInt64
    /// Whether the caller is a waiting task, rather than a closure.
    let isTask: Bool
    let delivery: OutcomeDelivery?
    /// The callback; `nil` until the caller waits. If the work ends first, the waiter is dropped,
    /// and ``setCallback(of:within:_:)`` finds the outcome in the phase.
    var callback: (@Sendable (Outcome) -> Void)?
    /// Called with each value that the work passes on before its outcome.
    var onValue: (@Sendable (Value) -> Void)?
    /// Whether a time limit applies. The first value that the work passes on lifts it.
    var isLimited = false
    /// The task that removes the caller when its time is up.
    var timer: Task<Void, Never>?
    /// How the caller left while the work was sealed. It receives the outcome nevertheless, unless
    /// the work resumes.
    var departure: Departure?
  }

  /// How a caller leaves.
  private enum Departure: Sendable {
    /// It is not called back.
    case silent
    /// Its task was cancelled.
    case cancelled
    /// Its time limit ended with an error.
    case late(any Error)
  }

  private struct State {
    var phase: Phase
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
  }

  /// The time limit of a caller: returns an error when the time is up, or `nil` if its task is
  /// cancelled.
  package typealias TimeLimit = @Sendable () async -> (any Error)?

  private let state: Locked<State>
  private let runsWithoutCallers: Bool
  private let keepsLastValue: Bool
  private let onAbandon: @Sendable (_ callBack: () -> Void) -> Void
  private let onUnseal: @Sendable () -> Void
  private let onEnd: @Sendable () -> Void

  /// Creates work that no caller has started.
  ///
  /// - Parameters:
  ///   - runsWithoutCallers: Whether the work continues after the last caller has left.
  ///   - keepsLastValue: Whether a caller whose task is cancelled receives the last value that the
  ///     work has passed on, if there is one, instead of `CancellationError`.
  ///   - onAbandon: Called when the work is cancelled because the last caller has left, with a
  ///     closure that calls this caller back.
  ///   - onUnseal: Called when sealed work passes on a value or has an outcome: after callers'
  ///     closures were called with it, and before waiting tasks resume.
  ///   - onEnd: Called when the work has returned or thrown, after every waiter was called back;
  ///     also if the work was abandoned or cancelled while it ran.
  ///   - work: The work. It runs at most once.
  package init(
    runsWithoutCallers: Bool = false, keepsLastValue: Bool = false,
    onAbandon: @escaping @Sendable (_ callBack: () -> Void) -> Void = { $0() },
    onUnseal: @escaping @Sendable () -> Void = {}, onEnd: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    state = Locked(State(phase: .ready(work)), rank: .sharedWork)
    self.runsWithoutCallers = runsWithoutCallers
    self.keepsLastValue = keepsLastValue
    self.onAbandon = onAbandon
    self.onUnseal = onUnseal
    self.onEnd = onEnd
  }

  // MARK: Callers

  /// Registers a callback for the outcome, and starts the work in its own task if no caller has
  /// started it. If there is an outcome already, `callback` runs before this method returns.
  ///
  /// - Parameters:
  ///   - limit: The time limit of this caller; its error becomes the caller's outcome. The first
  ///     value that the work passes on lifts the limit.
  ///   - onValue: Called with each value that the work passes on before its outcome.
  ///   - callback: Called once with the outcome, unless the caller leaves first.
  /// - Returns: The id for ``leave(_:)``; `nil` if the work was already abandoned.
  package func join(
    within limit: TimeLimit? = nil, onValue: (@Sendable (Value) -> Void)? = nil,
    _ callback: @escaping @Sendable (Outcome) -> Void
  ) -> UInt64? {
    guard let (id, last) = addWaiter(isTask: false, onValue: onValue) else { return nil }
    start { work in Task { await work() } }
    if let last { onValue?(last) }
    setCallback(of: id, within: limit, callback)
    return id
  }

  /// Removes a caller without calling it back.
  ///
  /// - Returns: Whether the caller was waiting and the work is not sealed. Otherwise the caller was
  ///   called back or will be.
  @discardableResult
  package func leave(_ id: UInt64) -> Bool {
    removeWaiter(id, .silent)
  }

  /// Abandons the work if it has no callers, without starting it.
  func cancelIfUnused() {
    if let (id, _) = addWaiter(isTask: false) { removeWaiter(id, .silent) }
  }

  /// Ends the work for all callers with `CancellationError` and cancels its task. The callers do
  /// not wait for the task to react.
  package func cancel() {
    let task = state.withLock { $0.phase.task }
    task?.cancel()
    end(.failure(CancellationError()))
  }

  /// Prevents the work from being abandoned until it ends or is resumed. The work itself calls
  /// this.
  ///
  /// - Returns: `false` if the work was already abandoned or cancelled.
  package func seal() -> Bool {
    state.withLock { state in
      switch state.phase {
      case .running(let task), .resumed(let task, _):
        state.phase.transition(to: .sealed(task))
        return true
      case .ready, .sealed, .abandoned, .ended: return false
      }
    }
  }

  /// Ends the seal with a value that is not the outcome: passes it on to the callers and lifts
  /// their time limits. The work itself calls this, and continues.
  ///
  /// The work is abandoned if every caller has left in the meantime.
  package func resume(with value: Value) {
    guard let (waiters, abandoned) = unseal(with: value) else { return }
    for waiter in waiters where waiter.departure == nil {
      waiter.timer?.cancel()
      waiter.onValue?(value)
    }
    onUnseal()
    end(abandoned) {
      for waiter in waiters {
        if let departure = waiter.departure { callBack(waiter, leaving: departure, with: value) }
      }
    }
  }

  /// Resumes sealed work, without the callers that have left.
  ///
  /// - Returns: All callers, including the ones that have left, and the phase that ends if all have
  ///   left; `nil` if the work was cancelled in the meantime.
  private func unseal(with value: Value) -> (waiters: [Waiter], abandoned: Phase?)? {
    state.withLock { state in
      guard case .sealed(let task) = state.phase else { return nil }
      let resumed = Phase.resumed(task, value)
      state.phase.transition(to: resumed)
      let waiters = state.waiters
      state.waiters.removeAll { $0.departure != nil }
      for index in state.waiters.indices {
        (state.waiters[index].isLimited, state.waiters[index].timer) = (false, nil)
      }
      guard state.waiters.isEmpty, !runsWithoutCallers else { return (waiters, nil) }
      state.phase.transition(to: .abandoned)
      return (waiters, resumed)
    }
  }

  /// A Boolean value that indicates whether the work was sealed and has not ended.
  var isSealed: Bool {
    state.withLock { if case .sealed = $0.phase { true } else { false } }
  }

  /// Waits for the outcome; returns `nil` if the work was already abandoned.
  ///
  /// Work that no caller has started runs on the calling thread until it first suspends, where the
  /// system supports immediate tasks. A calling task that is already cancelled does not start it.
  ///
  /// - Parameters:
  ///   - limit: The time limit of this caller.
  ///   - delivery: The delivery to this caller. It ends once the work knows the caller, and begins
  ///     again before the work is over.
  /// - Throws: The error of the work or of the time limit; `CancellationError` as soon as the
  ///   calling task is cancelled, unless the work is sealed.
  package func value(
    within limit: TimeLimit? = nil, delivery: OutcomeDelivery? = nil
  ) async throws -> Value? {
    guard let (id, _) = addWaiter(isTask: true, delivery: delivery) else { return nil }
    if Task.isCancelled {
      removeWaiter(id, .silent)
      throw CancellationError()
    }
    start(startHere)
    // An immediate task may have ended already and dropped the waiter.
    if let outcome { return try outcome.get() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        setCallback(of: id, within: limit) { continuation.resume(with: $0.map(Optional.some)) }
      }
    } onCancel: {
      removeWaiter(id, .cancelled)
    }
  }

  private var outcome: Outcome? {
    state.withLock { if case .ended(let outcome) = $0.phase { outcome } else { nil } }
  }

  /// Adds a caller that is about to wait; returns `nil` if the work was already abandoned.
  ///
  /// - Returns: The caller's id, and the last value that the work has passed on, if it has not
  ///   ended.
  private func addWaiter(
    isTask: Bool, onValue: (@Sendable (Value) -> Void)? = nil, delivery: OutcomeDelivery? = nil
  ) -> (id: UInt64, last: Value?)? {
    state.withLock { state in
      if case .abandoned = state.phase { return nil }
      state.lastID += 1
      if case .ended = state.phase { return (state.lastID, nil) }
      state.waiters.append(
        Waiter(id: state.lastID, isTask: isTask, delivery: delivery, onValue: onValue))
      delivery?.end()
      if case .resumed(_, let value) = state.phase { return (state.lastID, value) }
      return (state.lastID, nil)
    }
  }

  /// Sets the callback of a waiter. Calls back immediately if there is an outcome, or with
  /// `CancellationError` if the waiter was removed in the meantime.
  private func setCallback(
    of id: UInt64, within limit: TimeLimit?, _ callback: @escaping @Sendable (Outcome) -> Void
  ) {
    let outcome: Outcome? = state.withLock { state in
      if case .ended(let outcome) = state.phase { return outcome }
      guard let position = state.waiters.firstIndex(where: { $0.id == id }) else {
        return .failure(CancellationError())
      }
      state.waiters[position].callback = callback
      if case .resumed = state.phase { return nil }
      state.waiters[position].isLimited = limit != nil
      return nil
    }
    if let outcome { return callback(outcome) }
    if let limit { startTimer(for: id, limit: limit) }
  }

  /// Starts the timer of a caller. When the time is up, the timer removes the caller with the
  /// limit's error as its outcome.
  private func startTimer(for id: UInt64, limit: @escaping TimeLimit) {
    let timer = Task { [self] in
      if let error = await limit() { removeWaiter(id, .late(error)) }
    }
    let isLate = state.withLock { state in
      guard let position = state.waiters.firstIndex(where: { $0.id == id && $0.isLimited })
      else { return true }
      state.waiters[position].timer = timer
      return false
    }
    if isLate { timer.cancel() }
  }

  /// Removes a caller, and abandons the work if no caller is left. While the work is sealed, the
  /// caller leaves only if the work resumes.
  ///
  /// - Returns: Whether the caller was waiting and the work is not sealed.
  @discardableResult
  private func removeWaiter(_ id: UInt64, _ departure: Departure) -> Bool {
    let (waiter, abandoned, last) = state.withLock { state -> (Waiter?, Phase?, Value?) in
      var last: Value?
      guard let position = state.waiters.firstIndex(where: { $0.id == id }) else {
        return (nil, nil, nil)
      }
      if case .late = departure, !state.waiters[position].isLimited { return (nil, nil, nil) }
      switch state.phase {
      case .sealed:
        state.waiters[position].departure = departure
        return (nil, nil, nil)
      case .resumed(_, let value): last = value
      case .ready, .running, .abandoned, .ended: break
      }
      let waiter = state.waiters.remove(at: position)
      guard state.waiters.isEmpty, !runsWithoutCallers else { return (waiter, nil, last) }
      // Returned because the closure of work that never started must be released after unlocking.
      let phase = state.phase
      state.phase.transition(to: .abandoned)
      return (waiter, phase, last)
    }
    end(abandoned) {
      if let waiter { callBack(waiter, leaving: departure, with: last) }
    }
    return waiter != nil
  }

  /// Calls back callers that have left, and ends the phase of the work that they abandoned. The
  /// cancelled task, and the work with it, ends on its own thread, so it is cancelled last.
  private func end(_ abandoned: Phase?, _ callBack: () -> Void) {
    guard let abandoned else { return callBack() }
    onAbandon(callBack)
    abandoned.task?.cancel()
  }

  /// Calls back a caller that has left.
  ///
  /// - Parameter last: The last value that the work has passed on.
  private func callBack(_ waiter: Waiter, leaving departure: Departure, with last: Value?) {
    waiter.delivery?.begin()
    switch departure {
    case .silent: waiter.timer?.cancel()
    // The timer itself calls back, so its task must not be cancelled.
    case .late(let error): waiter.callback?(.failure(error))
    case .cancelled:
      waiter.timer?.cancel()
      if keepsLastValue, let last { return call(waiter, .success(last)) }
      waiter.callback?(.failure(CancellationError()))
    }
  }

  // MARK: The work

  private func start(_ make: (_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>) {
    let work = state.withLock { state -> Phase.Work? in
      guard case .ready(let work) = state.phase else { return nil }
      state.phase.transition(to: .running(nil))
      return work
    }
    guard let work else { return }
    let task = make { [self] in
      do { end(.success(try await work())) } catch { end(.failure(error)) }
      onEnd()
    }
    let isOver = state.withLock { state in
      switch state.phase {
      case .running: state.phase.transition(to: .running(task))
      case .sealed: state.phase.transition(to: .sealed(task))
      case .resumed(_, let value): state.phase.transition(to: .resumed(task, value))
      case .ready, .abandoned, .ended: return true
      }
      return false
    }
    // The work was abandoned or cancelled before its task was stored.
    if isOver { task.cancel() }
  }

  private func end(_ outcome: Outcome) {
    // The old phase is returned because it has the closure of work that never started. The closure
    // must be released after unlocking.
    let (waiters, old) = state.withLock { state -> ([Waiter], Phase) in
      let old = state.phase
      switch old {
      case .ready, .running, .sealed, .resumed: state.phase.transition(to: .ended(outcome))
      case .abandoned, .ended: break
      }
      defer { state.waiters = [] }
      return (state.waiters, old)
    }
    defer { withExtendedLifetime(old) {} }
    for waiter in waiters where !waiter.isTask { call(waiter, outcome) }
    if case .sealed = old { onUnseal() }
    for waiter in waiters where waiter.isTask { call(waiter, outcome) }
  }

  private func call(_ waiter: Waiter, _ outcome: Outcome) {
    waiter.delivery?.begin()
    waiter.timer?.cancel()
    waiter.callback?(outcome)
  }
}

/// Starts a task on the calling thread until it first suspends, where the system supports that.
private func startHere(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    return Task.immediate { await work() }
  }
  return Task { await work() }
}
