/// The execution of a query or mutation: sends the request, and commits the response or its parts.
///
/// Every payload is one change of the store; a response in one part is a single payload. After any
/// payload but the last, the execution is receiving. Until the last one arrives, the garbage
/// collector retains everything that the operation's plan reaches.
struct OperationExecutor: Sendable {
  let kind: OperationKind
  /// The record that the data belongs to.
  let root: DataID
  let context: RequestContext?
  let running: RunningRequest
  let transport: any Transport
  let commit: ResponseCommit
  /// A closure that returns the changes for the first payload.
  let begin: @Sendable (RecordPayload?) -> [RecordStore.Change]

  private var request: OperationRequest { commit.request }

  /// A response with at least one part still to come.
  private struct Reception {
    var reader: IncrementalReader
    /// The operation as the store tracks it.
    let operation: ReceivingOperation
    /// The data received until now; `nil` before the first payload.
    var fetched: FetchedData?
    var isFinished = false
    /// Whether the server has ended the response although parts are missing.
    var lacksParts = false
    /// Whether the rest of the response is not needed.
    var isOver: Bool { isFinished || lacksParts }
  }

  /// Sends the request, and commits the payloads until the last one.
  ///
  /// - Returns: The data after the last payload.
  /// - Throws: As ``OperationRequest/response(over:kind:context:running:)``; ``RelayError`` with
  ///   code `incomplete` if the response ends early.
  func run() async throws -> FetchedData {
    if request.operation.isIncremental { return try await runInParts() }
    let response = try await request.response(
      over: transport, kind: kind, context: context, running: running)
    var fetched = FetchedData(row: RowSnapshot(), response: response)
    try write(IncrementalPayload(records: response.payload), isFirst: true, to: &fetched)
    return fetched
  }

  private func runInParts() async throws -> FetchedData {
    let reader = IncrementalReader(request.reader())
    let operation = ReceivingOperation(
      execution: commit.store.makeID(), query: kind == .query ? request.identity : nil,
      name: request.operation.name, plan: request.plan, root: root, labels: reader.labels)
    let reception = Locked(Reception(reader: reader, operation: operation), rank: .consumer)
    var failure: (any Error)?
    do {
      try await request.stream(
        over: transport, kind: kind, context: context, running: running
      ) { event in
        guard case .response(let received) = event else { return }
        if !reception.withLock({ $0.isOver }) { try receive(received, reception) }
        // No payload follows, so there is no need to wait for the end of the connection.
        if reception.withLock({ $0.isOver }) { throw ResponseCompletion() }
      }
    } catch {
      failure = error
    }
    let end = reception.withLock { $0 }
    // After the last payload the response is complete, however the transport ends.
    if end.isFinished, let fetched = end.fetched { return fetched }
    stopExpecting(end)
    throw incompleteError(end, after: end.lacksParts ? nil : failure)
  }

  private func receive(_ received: GraphQLResponse, _ reception: borrowing Locked<Reception>) throws
  {
    running.trace?.responded(received.body)
    let (payload, operation, earlier) = try reception.withLock { reception in
      do {
        let payload = try reception.reader.payload(received.body)
        return (payload, reception.operation, reception.fetched)
      } catch let error as RelayError {
        throw request.responseError(error, by: received)
      }
    }
    running.trace?.parsed(payload.errors)
    var fetched = earlier ?? FetchedData(row: RowSnapshot())
    // A response in parts has no `maxAge`: its headers come before its data.
    fetched.response.status = received.status
    fetched.response.retryAfter = received.retryAfter
    fetched.response.errors += payload.errors
    for member in payload.extensions.members {
      fetched.response.extensions[member.key] = member.value
    }
    if earlier == nil {
      guard let records = payload.records else {
        throw request.noDataError(fetched.response, in: received)
      }
      fetched.response.payload = records
    }
    try write(payload, isFirst: earlier == nil, of: operation, to: &fetched)
    reception.withLock { reception in
      reception.fetched = fetched
      reception.isFinished = !payload.hasNext
      reception.lacksParts = payload.lacksParts
    }
    if payload.hasNext { commit.executions.endCommit(commit.id, with: fetched) }
  }

  /// Writes a payload to the store.
  ///
  /// - Parameter operation: The operation that receives the response in parts; `nil` for a response
  ///   in one part.
  private func write(
    _ payload: IncrementalPayload, isFirst: Bool, of operation: ReceivingOperation? = nil,
    to fetched: inout FetchedData
  ) throws {
    let written = request.written(by: fetched.response)
    let reading: ResponseCommit.Reading = payload.hasNext && kind == .query ? .later : .withWrite
    try commit(&fetched, root: root, reading: reading, isLast: !payload.hasNext) { decision in
      let end = operation.map {
        RecordStore.Change.stopExpecting($0.execution, isIncomplete: false)
      }
      if decision.isSuperseded { return ([end].compactMap { $0 }, nil) }
      var changes: [RecordStore.Change] = []
      if isFirst {
        changes = begin(payload.records)
      } else if let records = payload.records {
        changes = [.commit(records, root: root)]
      }
      if !payload.failedConnections.isEmpty {
        changes.append(Self.endLists(payload.failedConnections))
      }
      if let operation, payload.hasNext || payload.pending.endsParts {
        changes.append(.expect(payload.pending, by: operation))
      }
      if payload.hasNext { return (changes, nil) }
      if let end { changes.append(end) }
      // An operation with incomplete lists does not count as fetched.
      let isFetched = decision.isRecorded && kind == .query && !payload.hasFailedLists
      return (changes, isFetched ? written : nil)
    }
  }

  /// Returns the change that makes the lists of connections continue after the last edge that
  /// arrived. The page info describes the complete page and may have arrived before its edges.
  private static func endLists(_ connections: [DataID]) -> RecordStore.Change {
    .commit { source in
      for id in connections { try? source[id]?.endList() }
    }
  }

  /// Ends a response that has ended early.
  private func stopExpecting(_ reception: Reception) {
    // A response superseded by a newer one leaves no data incomplete.
    let isIncomplete = !commit.executions.isSuperseded(commit.id)
    let connections = isIncomplete ? reception.reader.streamedConnections : []
    let execution = reception.operation.execution
    commit.store.afterUpdater { store in
      var changes = [RecordStore.Change.stopExpecting(execution, isIncomplete: isIncomplete)]
      if !connections.isEmpty { changes.append(Self.endLists(connections)) }
      try? store.publish(changes)
    }
  }

  /// Returns the error of a response that ended before its last payload.
  private func incompleteError(_ reception: Reception, after error: (any Error)?) -> any Error {
    let name = request.operation.name
    guard reception.fetched != nil else {
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
  /// Sets a connection's page info so that the list ends at its last edge, if that has a cursor.
  fileprivate func endList() throws {
    guard let last = try getLinkedRecords("edges")?.last, let cursor = try last?.getValue("cursor"),
      !cursor.isNull
    else { return }
    let info = try getLinkedRecord("pageInfo")
    try info?.setValue(cursor, for: "endCursor")
    try info?.setValue(true, for: "hasNextPage")
  }
}
