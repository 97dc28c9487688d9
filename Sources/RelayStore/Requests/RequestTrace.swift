/// The trace of one request, for the timeline and for telemetry.
///
/// Each call adds the time since the previous call to one phase. The lock guards the times; the
/// recorder and the hook are called after unlocking.
package final class RequestTrace: Sendable {
  private struct State {
    var progress = TracedRequest.Progress()
    /// The time of the last call.
    var last: Duration
    var isSent = false
    var isEnded = false
    /// The contexts of the span and of its parent, once the request is sent.
    var contexts: (own: TraceContext, parent: TraceContext?)?
  }

  /// A phase whose duration is measured.
  private typealias Phase = WritableKeyPath<OperationTimings, Double> & Sendable

  private let tracing: RequestTracing
  private let request: OperationRequest
  private let kind: OperationKind
  private let begin: Duration
  /// The number of the request in the timeline; 0 without a timeline.
  private let number: Int
  private let state: Locked<State>

  /// - Parameter begin: The time of the call; `nil` for now.
  init(
    _ request: OperationRequest, _ kind: OperationKind, for tracing: RequestTracing,
    begin: Duration? = nil
  ) {
    self.request = request
    self.kind = kind
    self.tracing = tracing
    number = tracing.recorder?.makeRequestNumber() ?? 0
    self.begin = begin ?? tracing.store.time.elapsed
    state = Locked(State(last: self.begin), rank: .leaf)
  }

  /// The cause of the publishes that write the response; `nil` without a timeline.
  var cause: PublishCause? { cause(.response) }

  /// Returns the cause of a publish that the request leads to; `nil` without a timeline.
  func cause(_ kind: PublishCause.Kind) -> PublishCause? {
    if tracing.recorder == nil { return nil }
    return PublishCause(kind, operation: request.operation.name, request: number)
  }

  /// Returns a request with the header fields of the trace.
  func adding(to request: GraphQLRequest) -> GraphQLRequest {
    guard let context = beginSpan(), tracing.telemetry?.propagatesTraceContext == true else {
      return request
    }
    var fields = ["traceparent": context.traceParent]
    if let state = context.traceState { fields["tracestate"] = state }
    return request.adding(headers: fields)
  }

  /// Asks the hook for the parent of the span.
  ///
  /// - Returns: The context of the span; `nil` without telemetry.
  @discardableResult
  private func beginSpan() -> TraceContext? {
    guard let telemetry = tracing.telemetry else { return nil }
    // The hook is called without a lock.
    let parent = telemetry.parent()
    let own = parent?.child() ?? TraceContext()
    state.withLock { $0.contexts = (own, parent) }
    return own
  }

  // MARK: Phases

  /// Ends the time in the queue.
  package func sent() {
    let state = end(\.queued) { $0.isSent = true }
    record(.sent, state)
  }

  /// Ends the wait for a response.
  package func responded(_ body: [UInt8]) {
    let recorded = tracing.recorder.map { Array(body.prefix($0.responseByteLimit)) }
    _ = end(\.network) { state in
      state.progress.bytes += body.count
      state.progress.response = recorded.map { ($0, body.count) }
    }
  }

  /// Ends the parsing of a response.
  ///
  /// - Parameter errors: The GraphQL errors in it.
  func parsed(_ errors: [GraphQLError]) {
    _ = end(\.parsing) { state in
      if errors.isEmpty { return }
      state.progress.errorCount += errors.count
      state.progress.errors += errors.prefix(100 - state.progress.errors.count)
    }
  }

  /// Ends the publish of a response.
  ///
  /// - Parameter isLast: Whether this is the last response.
  package func published(isLast: Bool) {
    let state = end(\.publishing) { $0.progress.responses += 1 }
    if isLast { return }
    record(.received, state)
    self.state.withLock { $0.progress.response = nil }
  }

  /// Ends the request; idempotent.
  package func ended(_ error: (any Error)?) {
    let state = end(\.network) { _ in }
    guard state.isSent, end() else { return }
    let outcome: OperationOutcome =
      switch error {
      case nil: .success
      case .some(let error) where request.operationError(error).code == .cancelled: .cancelled
      case .some: .failure
      }
    let named = error.map { request.operationError($0) }
    record(.ended, state, outcome: outcome, error: named)
    report(state, outcome: outcome, error: named, isCacheHit: false)
  }

  /// Ends a request that was not sent because the store has the data.
  func servedByStore() {
    beginSpan()
    let state = end(\.queued) { _ in }
    guard end() else { return }
    record(.servedByStore, state, outcome: .success)
    report(state, outcome: .success, error: nil, isCacheHit: true)
  }

  /// Marks the request as ended; returns `false` if it already was.
  private func end() -> Bool {
    state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
  }

  /// Adds the time since the last call to a phase.
  private func end(_ phase: Phase, _ change: (inout State) -> Void) -> State {
    let now = tracing.store.time.elapsed
    return state.withLock { state in
      state.progress.timings[keyPath: phase] += (now - state.last).timelineSeconds
      state.last = now
      state.progress.timings.total = (now - begin).timelineSeconds
      change(&state)
      return state
    }
  }

  // MARK: Reporting

  private func record(
    _ phase: TracedRequest.Phase, _ state: State, outcome: OperationOutcome? = nil,
    error: RelayError? = nil
  ) {
    guard let recorder = tracing.recorder else { return }
    let event = TracedRequest(
      number: number, phase: phase, operation: request.written, kind: kind,
      progress: state.progress, outcome: outcome, error: error,
      traceParent: state.contexts?.own.traceParent, variables: request.scope.operation,
      text: request.operation.text)
    let (errors, bytes) = (state.progress.errors.count, state.progress.bytes)
    // The errors are at most as large as the responses that had them.
    let size =
      256 + (errors > 0 ? 512 * errors + bytes : 0)
      + (state.progress.response?.recorded.count ?? 0)
    recorder.append(.request(event), at: state.last, byteCount: size)
  }

  private func report(
    _ state: State, outcome: OperationOutcome, error: RelayError?, isCacheHit: Bool
  ) {
    guard let telemetry = tracing.telemetry, let contexts = state.contexts else { return }
    let span = OperationSpan(
      name: request.operation.name, kind: kind, start: tracing.store.time.date(begin),
      timings: state.progress.timings, outcome: outcome, error: error, isCacheHit: isCacheHit,
      responses: state.progress.responses, bytes: state.progress.bytes, context: contexts.own,
      parent: contexts.parent)
    // An updater may have released the last caller.
    tracing.store.afterUpdater { _ in telemetry.onEnd(span) }
  }
}
