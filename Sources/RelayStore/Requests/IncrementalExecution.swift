/// The part of an execution that receives a response in parts, and commits each payload.
///
/// Every payload is one change of the store. A payload that is not the last one leaves the execution
/// receiving; until the last one the collector keeps what the operation's plan reaches.
struct IncrementalExecution: Sendable {
  let id: OperationExecution.ID
  /// The id of the execution in the store, which may have several environments.
  private let reception = Self.makeReception()
  let request: OperationRequest
  let kind: OperationKind
  /// The record that the data belongs to.
  let root: DataID
  let context: RequestContext?
  let running: RunningRequest
  let store: RecordStore
  let transport: any Transport
  let executions: ExecutionTable
  /// Returns the changes that commit the first payload.
  let begin: @Sendable (RecordPayload) -> [RecordStore.Change]

  private static let lastReception = Locked<UInt64>(0, rank: .leaf)

  private static func makeReception() -> UInt64 {
    lastReception.withLock { last in
      last += 1
      return last
    }
  }

  private struct Progress {
    var reader: IncrementalReader
    var received = Received()
  }

  /// What was received so far.
  private struct Received: Sendable {
    var fetched: FetchedData?
    var isFinished = false
    /// Whether the server has said that no payload follows, although parts are missing.
    var lacksParts = false
    /// Whether the rest of the response is not needed.
    var isOver: Bool { isFinished || lacksParts }
  }

  /// Sends the request, and commits the payloads until the last one.
  ///
  /// - Returns: The data after the last payload.
  /// - Throws: As ``OperationRequest/response(over:kind:context:running:)``; ``RelayError`` with code
  ///   `incomplete` when the response ends early.
  func run() async throws -> FetchedData {
    let progress = Locked(
      Progress(reader: IncrementalReader(request.reader())), rank: .consumer)
    do {
      try await request.stream(
        over: transport, kind: kind, context: context, running: running
      ) { event in
        guard case .response(let answer) = event else { return }
        if !progress.withLock({ $0.received.isOver }) { try receive(answer, progress) }
        // Nothing follows, so the end of the connection is not awaited.
        if progress.withLock({ $0.received.isOver }) { throw ResponseCompletion() }
      }
    } catch {
      let end = progress.withLock { $0.received }
      // After the last payload nothing is missing, however the transport ends.
      if end.isFinished, let fetched = end.fetched { return fetched }
      stopExpecting(progress)
      throw incomplete(end, after: end.lacksParts ? nil : error)
    }
    let end = progress.withLock { $0.received }
    guard end.isFinished, let fetched = end.fetched else {
      stopExpecting(progress)
      throw incomplete(end, after: nil)
    }
    return fetched
  }

  private func receive(_ answer: GraphQLResponse, _ progress: borrowing Locked<Progress>) throws {
    running.trace?.responded(bytes: answer.body.count)
    let (payload, labels, earlier) = try progress.withLock { progress in
      do {
        let payload = try progress.reader.payload(answer.body)
        return (payload, progress.reader.labels, progress.received.fetched)
      } catch let error as RelayError {
        throw request.explained(error, by: answer)
      }
    }
    running.trace?.parsed(payload.errors)
    var fetched = earlier ?? FetchedData(row: RowSnapshot())
    fetched.response.status = answer.status
    fetched.response.retryAfter = answer.retryAfter
    fetched.response.errors += payload.errors
    for member in payload.extensions.members {
      fetched.response.extensions[member.key] = member.value
    }
    if earlier == nil {
      guard let records = payload.records else { throw request.withoutData(fetched.response) }
      fetched.response.payload = records
    }
    try executions.beginCommit(id)
    try commit(payload, isFirst: earlier == nil, labels: labels, to: &fetched)
    running.trace?.published(isLast: !payload.hasNext)
    progress.withLock {
      $0.received = Received(
        fetched: fetched, isFinished: !payload.hasNext, lacksParts: payload.lacksParts)
    }
    if payload.hasNext { executions.endCommit(id, with: fetched) }
  }

  private func commit(
    _ payload: IncrementalPayload, isFirst: Bool, labels: [PartLabel],
    to fetched: inout FetchedData
  ) throws {
    var isCommitted = false
    func changes() throws -> ([RecordStore.Change], WrittenOperation?) {
      let commit = try executions.commit(id)
      isCommitted = true
      if commit.isSuperseded {
        return ([.stopExpecting(reception, isIncomplete: false)], nil)
      }
      let records = payload.records
      var changes: [RecordStore.Change] = []
      if let records { changes = isFirst ? begin(records) : [.commit(records, root: root)] }
      if !payload.failedConnections.isEmpty {
        changes.append(Self.endLists(payload.failedConnections))
      }
      if payload.hasNext || !payload.pending.received.isEmpty
        || !payload.pending.failedLists.isEmpty
      {
        let operation = ReceivingOperation(
          execution: reception, query: kind == .query ? request.identity : nil,
          name: request.operation.name, plan: request.plan, root: root, labels: labels)
        changes.append(.expect(payload.pending, by: operation))
      }
      if payload.hasNext { return (changes, nil) }
      changes.append(.stopExpecting(reception, isIncomplete: false))
      // An operation whose lists lack elements does not count as fetched.
      let isFetched = commit.isRecorded && kind == .query && !payload.hasFailedLists
      return (changes, isFetched ? request.written : nil)
    }
    do {
      if payload.hasNext, kind == .query {
        fetched.readLater { [store, request, root] in
          store.read(root, request.dataPlan, in: request.scope)
        }
        try store.publish(cause: running.trace?.cause, changes)
      } else {
        fetched.row = try store.publish(
          thenRead: root, request.dataPlan, in: request.scope, cause: running.trace?.cause, changes)
      }
    } catch  where isCommitted {
      // The error of the updater, which is thrown once the whole response was received.
      fetched.updaterError = error
      fetched.row = store.read(root, request.dataPlan, in: request.scope)
    }
  }

  /// Returns the change after which lists of connections continue after the last edge that has
  /// arrived: the page info, which is that of the whole page, may have come before it.
  private static func endLists(_ connections: [DataID]) -> RecordStore.Change {
    .commit { source in
      for id in connections { try? source[id]?.endList() }
    }
  }

  /// Ends a response that has ended early.
  private func stopExpecting(_ progress: borrowing Locked<Progress>) {
    // A response that a newer one has replaced leaves nothing incomplete.
    let isIncomplete = !executions.isSuperseded(id)
    let connections = isIncomplete ? progress.withLock { $0.reader.streamedConnections } : []
    store.afterUpdater { [reception] store in
      var changes = [RecordStore.Change.stopExpecting(reception, isIncomplete: isIncomplete)]
      if !connections.isEmpty { changes.append(Self.endLists(connections)) }
      try? store.publish(changes)
    }
  }

  /// Returns the error of a response that has not ended with its last payload.
  private func incomplete(_ progress: Received, after error: (any Error)?) -> any Error {
    let name = request.operation.name
    guard progress.fetched != nil, !progress.isFinished else {
      return error
        ?? RelayError(.transport, "\"\(name)\" got no response.", operationName: name)
    }
    if let error = error as? RelayError, error.code == .cancelled { return error }
    if error is CancellationError { return CancellationError() }
    let reason = (error as? RelayError)?.message ?? error.map { "\($0)" }
    var failure = RelayError(
      .incomplete,
      "The response to \"\(name)\" ended before all of its parts had arrived"
        + (reason.map { ": \($0)" } ?? "."),
      operationName: name, underlying: error)
    failure.isRetryable = (error as? RelayError)?.isRetryable ?? true
    return failure
  }
}

extension RecordProxy {
  /// Ends the list of a connection with its last edge, if that has a cursor.
  fileprivate func endList() throws {
    guard let last = try getLinkedRecords("edges")?.last, let cursor = try last?.getValue("cursor"),
      !cursor.isNull
    else { return }
    let info = try getLinkedRecord("pageInfo")
    try info?.setValue(cursor, for: "endCursor")
    try info?.setValue(true, for: "hasNextPage")
  }
}
