/// A query being loaded and kept: its requests, its data in the store, and who is told of both.
///
/// Dropping it ends all of that.
final class QueryLoad: Sendable {
  fileprivate struct State: Sendable {
    var row: RowSnapshot
    /// Whether what the store has may be shown.
    var showsStore: Bool
    /// Whether what the store has was all there once: holes that come later are shown as such.
    var wasWhole = false
    var answer: Answer?
    var error: RelayError?
    var flight: (flight: SharedRequest, place: UInt64?)?
    var timer: Task<Void, Never>?
    var poll: Task<Void, Never>?
    var observation: ObservationHandle?
    var retention: Retention?
    var consumers: [ObjectIdentifier: Mailbox<LoadState>] = [:]
    /// The closures that are called with every state, by their numbers.
    var closures: [UInt64: @Sendable (LoadState) -> Void] = [:]
    var lastClosure: UInt64 = 0
    var listening: RequestListening?
    var version: UInt64 = 0
    var isEnded = false
    /// How often the environment had been reset when its data was last retained.
    var retainedAt: UInt64
  }

  /// The last response, but for its data, which is in the store.
  fileprivate struct Answer: Sendable {
    /// How often the environment had been reset when its request began.
    let resets: UInt64
    let errors: [GraphQLError]
    let extensions: JSONObject
  }

  private let environment: RelayEnvironment
  private let request: OperationRequest
  private let options: LoadOptions
  private let state: Locked<State>

  init(
    _ request: OperationRequest, in environment: RelayEnvironment, policy: FetchPolicy,
    options: LoadOptions
  ) {
    self.environment = environment
    self.request = request
    self.options = options
    let store = environment.store
    state = Locked(
      State(
        row: store.read(.root, request.dataPlan, request.scope),
        showsStore: policy != .networkOnly, retainedAt: environment.requests.resets))
    let retention = store.retain(request.identity, request.plan, root: .root)
    let observation = store.observe(.root, request.dataPlan, request.scope) { [weak self] row in
      self?.take(row)
    }
    let listening = RequestListening(to: .reset, in: environment) { [weak self] in
      self?.dropAnswer()
    }
    state.withLock { state in
      state.retention = retention
      state.observation = observation
      state.listening = listening
    }
    // What changed between the reading and the observing.
    take(store.read(.root, request.dataPlan, request.scope))
    start(policy)
    waitForPoll()
  }

  deinit { end() }

  private func start(_ policy: FetchPolicy) {
    switch policy {
    case .storeOnly: break
    case .storeOrNetwork:
      // What is unreadable although all of it is there, for a null or a deleted record, is asked for too, once.
      let isUnreadable = state.withLock { $0.row.row == nil }
      if isUnreadable || !request.isAvailable(in: environment.store) { return fetch() }
      state.withLock { $0.wasWhole = true }
    case .networkOnly, .storeAndNetwork: fetch()
    }
  }

  /// Asks again when the interval has passed, and nothing has come meanwhile: every answer begins it anew.
  private func waitForPoll() {
    guard let interval = options.pollInterval else { return }
    let poll = Task { [weak self, clock = environment.clock] in
      if (try? await clock.wait(for: interval)) != nil { self?.fetch() }
    }
    let old = state.withLock { state in
      if state.isEnded { return Optional(poll) }
      defer { state.poll = poll }
      return state.poll
    }
    old?.cancel()
  }

  // MARK: Requests

  /// Sends a request, unless one is on its way.
  func fetch() {
    guard state.withLock({ !$0.isEnded && $0.flight == nil }) else { return }
    var left: SharedRequest?
    while true {
      let flight = environment.flight(for: request, context: options.context, leaving: left)
      let isFirst = state.withLock { state in
        guard !state.isEnded, state.flight == nil else { return false }
        state.flight = (flight, nil)
        state.error = nil
        return true
      }
      if isFirst { retainAfterReset() }
      guard isFirst else {
        flight.work.letGo()
        return
      }
      deliver()
      let number = flight.number
      if let place = flight.work.join({ [weak self] in self?.land(number, $0) }) {
        let isEnded = state.withLock { state in
          if state.flight?.flight === flight { state.flight?.place = place }
          return state.isEnded
        }
        if isEnded { flight.work.leave(place) } else { startTimer(flight, place) }
        return
      }
      let isOwn = state.withLock { state in
        guard state.flight?.flight === flight else { return false }
        state.flight = nil
        return true
      }
      // A reset has ended it, and another call may have begun the next.
      guard isOwn else { return }
      left = flight
    }
  }

  /// A reset has let go of the data; with a new request it is kept again.
  private func retainAfterReset() {
    let resets = environment.requests.resets
    guard state.withLock({ !$0.isEnded && $0.retainedAt != resets }) else { return }
    let retention = environment.store.retain(request.identity, request.plan, root: .root)
    // The one from before is let go of while nothing is locked.
    _ = state.withLock { state -> Retention? in
      guard !state.isEnded else { return nil }
      state.retainedAt = resets
      defer { state.retention = retention }
      return state.retention
    }
  }

  /// Shows nothing of what was answered before a reset, its errors included; a request from before it is cancelled.
  private func dropAnswer() {
    let row = environment.store.read(.root, request.dataPlan, request.scope)
    let resets = environment.requests.resets
    let (timer, isCancelled) = state.withLock { state -> (Task<Void, Never>?, Bool) in
      (state.answer, state.error, state.wasWhole) = (nil, nil, false)
      if row.revision >= state.row.revision { state.row = row }
      guard let flight = state.flight?.flight, flight.resets != resets else { return (nil, false) }
      (state.flight, state.error) = (nil, request.named(CancellationError()))
      defer { state.timer = nil }
      return (state.timer, true)
    }
    timer?.cancel()
    if isCancelled { waitForPoll() }
    deliver()
  }

  private func startTimer(_ flight: SharedRequest, _ place: UInt64) {
    guard let timeout = options.timeout else { return }
    let number = flight.number
    let timer = Task { [weak self, clock = environment.clock, request] in
      guard (try? await clock.wait(for: timeout)) != nil, flight.work.leave(place) else { return }
      self?.land(number, .failure(request.timedOut(after: timeout)))
    }
    let isLate = state.withLock { state in
      let isLate = state.flight?.flight !== flight
      if !isLate { state.timer = timer }
      return isLate
    }
    if isLate { timer.cancel() }
  }

  private func land(_ number: UInt64, _ outcome: Result<FetchedData, any Error>) {
    let (timer, isAnswer) = state.withLock { state -> (Task<Void, Never>?, Bool) in
      guard let flight = state.flight?.flight, flight.number == number else { return (nil, false) }
      state.flight = nil
      switch outcome {
      case .success where flight.resets != environment.requests.resets:
        // A reset has taken what was written.
        state.error = request.named(CancellationError())
      case .success(let fetched):
        state.answer = Answer(
          resets: flight.resets, errors: fetched.response.errors,
          extensions: fetched.response.extensions)
        state.show(fetched.row)
      case .failure(let error): state.error = request.named(error)
      }
      defer { state.timer = nil }
      return (state.timer, true)
    }
    timer?.cancel()
    if isAnswer { waitForPoll() }
    deliver()
  }

  // MARK: Delivery

  private func take(_ row: RowSnapshot) {
    let isTold = state.withLock { state in
      guard state.show(row) else { return false }
      // With the end of a request comes what it has changed.
      return state.flight.map { !environment.requests.isLanding($0.flight.number) } ?? true
    }
    if isTold { deliver() }
  }

  /// What is to be shown now.
  var current: LoadState { state.withLock { loadState($0) } }

  private func deliver() {
    let (shown, consumers, closures) = state.withLock { state in
      state.version += 1
      return (
        loadState(state), Array(state.consumers.values),
        state.closures.isEmpty ? [] : state.closures.sorted { $0.key < $1.key }.map(\.value)
      )
    }
    for consumer in consumers { consumer.deliver(shown) }
    for closure in closures { closure(shown) }
  }

  /// A new consumer; the current state is in its mailbox.
  func subscribe() -> Mailbox<LoadState> {
    let mailbox = Mailbox<LoadState>(environment.store.deliveries)
    let (shown, isEnded) = state.withLock { state in
      if !state.isEnded { state.consumers[ObjectIdentifier(mailbox)] = mailbox }
      return (loadState(state), state.isEnded)
    }
    if isEnded { mailbox.close() } else { mailbox.deliver(shown) }
    return mailbox
  }

  func unsubscribe(_ mailbox: Mailbox<LoadState>) {
    mailbox.close()
    state.withLock { $0.consumers[ObjectIdentifier(mailbox)] = nil }
  }

  /// Calls a closure with every state from now on, the current one at once; several threads may call, so that an
  /// older state can come after a newer one, which its revision tells.
  func subscribe(_ closure: @escaping @Sendable (LoadState) -> Void) -> UInt64 {
    let (number, shown) = state.withLock { state in
      state.lastClosure += 1
      state.version += 1
      if !state.isEnded { state.closures[state.lastClosure] = closure }
      return (state.lastClosure, loadState(state))
    }
    closure(shown)
    return number
  }

  func unsubscribe(_ number: UInt64) {
    // What it holds is released while nothing is locked.
    _ = state.withLock { $0.closures.removeValue(forKey: number) }
  }

  /// Ends everything; calling it again does nothing.
  func end() {
    let old = state.withLock { state in
      let old = state
      state.isEnded = true
      state.flight = nil
      state.timer = nil
      state.poll = nil
      state.observation = nil
      state.retention = nil
      state.consumers = [:]
      state.closures = [:]
      state.listening = nil
      return UncheckedState(old)
    }.state
    old.timer?.cancel()
    old.poll?.cancel()
    old.observation?.cancel()
    old.retention?.release()
    if let (flight, place) = old.flight, let place { flight.work.leave(place) }
    for consumer in old.consumers.values { consumer.close() }
  }

  /// A state on its way out of the lock.
  private struct UncheckedState: Sendable {
    let state: State
    init(_ state: State) { self.state = state }
  }
}

extension QueryLoad.State {
  /// Takes what the store has now; returns whether it is no older than what was there.
  @discardableResult
  fileprivate mutating func show(_ new: RowSnapshot) -> Bool {
    guard new.revision >= row.revision else { return false }
    row = new
    if row.row != nil, !row.lacksData { wasWhole = true }
    return true
  }
}

extension QueryLoad {
  /// What consumers see of a state.
  private func loadState(_ state: State) -> LoadState {
    let resets = environment.requests.resets
    // What was answered before a reset is of no account any more.
    let answer = state.answer.flatMap { $0.resets == resets ? $0 : nil }
    let showsHoles = options.showsPartialData || state.wasWhole
    let isWithheld =
      answer == nil && (!state.showsStore || state.row.lacksData && !showsHoles)
    var error = state.error
    // After a reset nothing is shown until the query is asked for again.
    let isSettled = !state.isEnded && state.flight == nil && state.retainedAt == resets
    if error == nil, isSettled, isWithheld || state.row.row == nil {
      error = request.unreadable(state.row)
    }
    return LoadState(
      row: isWithheld ? nil : state.row, isLoading: state.flight != nil, error: error,
      isReset: state.flight == nil && state.retainedAt != resets,
      responseErrors: answer?.errors ?? [], responseExtensions: answer?.extensions ?? [:],
      revision: state.version)
  }
}
