/// The data of an operation's response, committed to the store and read back.
struct FetchedData: Sendable {
  private var knownRow: RowSnapshot
  /// A closure that reads the data; if set, it overrides ``knownRow``.
  private var readRow: (@Sendable () -> RowSnapshot)?
  /// The response; empty when no request was sent.
  @Boxed var response: NormalizedResponse
  /// The error thrown by a mutation's updater; the response is in the store nevertheless.
  var updaterError: (any Error)?

  init(
    row: RowSnapshot, response: NormalizedResponse = NormalizedResponse(),
    updaterError: (any Error)? = nil
  ) {
    knownRow = row
    _response = Boxed(wrappedValue: response)
    self.updaterError = updaterError
  }

  /// The data. If a query's response arrives in parts, each access reads the data again until the
  /// last part arrives: most callers only need the final data, and every read visits all rows.
  var row: RowSnapshot {
    get { readRow?() ?? knownRow }
    set { (knownRow, readRow) = (newValue, nil) }
  }

  /// Makes each access read the data.
  mutating func readOnEachAccess(_ read: @escaping @Sendable () -> RowSnapshot) { readRow = read }
}

/// One execution of an operation, from its creation to its outcome, shared by all callers that wait
/// for it.
///
/// Its states are the phases of ``SharedWork``: queued is ready, sent is running, committing is
/// sealed, receiving is resumed, and finished is ended or abandoned.
///
///     queued      →  sent | finished
///     sent        →  committing | finished
///     committing  →  receiving | finished
///     receiving   →  committing | finished
///
///   - queued: No caller waits yet, and no request was sent.
///   - sent: The request was sent, and no response has arrived.
///   - committing: A response is being written to the store. A caller that leaves now still
///     receives it, unless more responses follow. So a mutation is never both cancelled and
///     committed.
///   - receiving: A response was written, and more follow. The callers have received its data. When
///     its last caller leaves, the execution is finished; a mutation's caller then receives the
///     data already written.
///   - finished: The callers have the data or an error. The execution completed, failed, was ended
///     by a reset (possible in any state), or its last caller left before the last response. In the
///     last case the transport's task is cancelled.
///
/// ``ExecutionTable`` has an entry for each execution until it is ended or abandoned.
package final class OperationExecution: Sendable {
  typealias ID = UInt64

  /// The id, which increases with each execution of an environment.
  let id: ID
  package let request: OperationRequest
  let kind: OperationKind
  /// The id of the optimistic update that applies until the execution ends.
  package let optimisticUpdate: UInt64?
  /// The number of resets before its creation; see ``ExecutionTable/epoch``.
  let epoch: UInt64
  /// The counter of waits that only a test can end; see ``RequestHold``.
  let hold: RequestHold
  /// The trace for the timeline and telemetry; `nil` without both.
  let trace: RequestTrace?
  /// The delivery of the outcome to the callers.
  let delivery: OutcomeDelivery
  private let work: SharedWork<FetchedData>

  init(
    id: ID, _ request: OperationRequest, kind: OperationKind, optimisticUpdate: UInt64? = nil,
    epoch: UInt64, running: RunningRequest, delivery: OutcomeDelivery, work: SharedWork<FetchedData>
  ) {
    self.id = id
    self.request = request
    self.kind = kind
    self.optimisticUpdate = optimisticUpdate
    self.epoch = epoch
    hold = running.hold
    trace = running.trace
    self.delivery = delivery
    self.work = work
  }

  /// Whether the response is being written to the store.
  var isCommitting: Bool { work.isSealed }

  /// Starts to commit a response.
  ///
  /// - Throws: `CancellationError` if the execution has already ended or been abandoned.
  func beginCommit() throws {
    if !work.seal() { throw CancellationError() }
  }

  /// Ends the commit of a response that is not the last one, and passes its data to the callers.
  func endCommit(with data: FetchedData) { work.resume(with: data) }

  /// Sends the request if it has not been sent, and calls back with the outcome.
  ///
  /// - Parameters:
  ///   - timeout: This caller's time limit, until the first response; `nil` waits without limit.
  ///   - onData: Called with the data after each response but the last.
  /// - Returns: The caller's id for ``leave(_:)``; `nil` if the execution was already abandoned.
  func join(
    timeout: Duration?, clock: any Clock<Duration>,
    onData: @escaping @Sendable (FetchedData) -> Void,
    _ call: @escaping @Sendable (Result<FetchedData, any Error>) -> Void
  ) -> UInt64? {
    work.join(within: timeLimit(timeout, clock), onValue: onData, call)
  }

  /// Sends the request if it has not been sent, and waits for the outcome; returns `nil` if the
  /// execution was already abandoned.
  ///
  /// - Parameters:
  ///   - timeout: This caller's time limit, until the first response; `nil` waits without limit.
  ///   - delivery: The delivery to this caller, which pauses while the execution is in flight.
  func value(
    timeout: Duration?, clock: any Clock<Duration>, delivery: OutcomeDelivery? = nil
  ) async throws -> FetchedData? {
    try await work.value(within: timeLimit(timeout, clock), delivery: delivery)
  }

  private func timeLimit(
    _ timeout: Duration?, _ clock: any Clock<Duration>
  ) -> SharedWork<FetchedData>.TimeLimit? {
    guard let timeout else { return nil }
    return { [request] in
      do { try await clock.wait(for: timeout) } catch { return nil }
      return request.timeoutError(after: timeout)
    }
  }

  /// Removes a caller without calling it back.
  func leave(_ caller: UInt64) { work.leave(caller) }

  /// Abandons the execution if it has no callers.
  func cancelIfUnused() { work.cancelIfUnused() }

  /// Ends the execution for all callers, as a reset does.
  func cancel() { work.cancel() }
}
