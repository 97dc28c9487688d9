/// An operation with its variables: the request to send, and the plan that normalizes the response.
package final class OperationRequest: Sendable {
  package let identity: RequestIdentity
  package let plan: BoundPlan
  /// The plan that reads the operation's data for the caller.
  let dataPlan: SelectionPlan
  let scope: VariableScope
  package let operation: OperationPlan
  private let variables: Variables
  private let root: DataID
  private let treatsMissingFieldsAsNull: Bool
  private let limits: ResponseLimits
  private let serverMaxAge: ServerMaxAge?
  private let serverIDs: ServerIDTable
  /// Whether the data may become stale because of its age.
  let mayExpire: Bool

  /// - Parameter root: The record that the response's data belongs to.
  package convenience init<Operation: GraphQLOperation>(
    _ operation: Operation, store: RecordStore, root: DataID
  ) {
    self.init(
      Operation.__operation, variables: operation.__variables, store: store, root: root)
  }

  /// - Parameter root: The record that the response's data belongs to.
  package init(_ operation: OperationPlan, variables: Variables, store: RecordStore, root: DataID) {
    self.operation = operation
    self.variables = variables
    dataPlan = operation.reader
    scope = VariableScope(operation: operation.storedVariables(variables))
    identity = RequestIdentity(
      name: operation.name, documentHash: operation.documentHash, scope: scope)
    plan = store.bind(operation.normalization, in: scope)
    self.root = root
    treatsMissingFieldsAsNull = store.configuration.treatsMissingFieldsAsNull
    limits = store.configuration.responseLimits
    serverMaxAge = store.configuration.serverMaxAge
    serverIDs = store.serverIDs
    mayExpire = store.configuration.mayExpire || operation.normalization.maxAge != nil
  }

  /// The data of a query as the caller reads it.
  var data: ReadTarget { data(at: .root) }

  /// Returns the data below a record.
  func data(at root: DataID) -> ReadTarget { .record(root, dataPlan, in: scope) }

  /// The identity and plan that the store records when a response is written.
  package var written: WrittenOperation { WrittenOperation(identity, plan, root: root) }

  /// Returns the identity and plan that the store records with a response.
  package func written(by response: NormalizedResponse) -> WrittenOperation {
    var written = written
    written.maxAge = response.maxAge
    return written
  }

  /// Sends the operation and reads the response.
  ///
  /// - Parameter running: The objects that accompany the request.
  /// - Throws: ``RelayError``, also for errors without data and for cancellation.
  func response(
    over transport: any Transport, kind: OperationKind, context: RequestContext?,
    running: RunningRequest
  ) async throws -> NormalizedResponse {
    let received = try await send(kind, context: context, running: running) { request in
      let received = try await transport.execute(request)
      running.trace?.responded(received.body)
      return received
    }
    let response = try read(received, running.trace)
    if response.payload == nil { throw noDataError(response, in: received) }
    return response
  }

  /// Reads a response, which may have no data.
  ///
  /// - Parameters:
  ///   - root: The record that the data belongs to; `nil` for the request's root.
  ///   - trace: The trace of the request; counts the errors of the response.
  package func read(
    _ received: GraphQLResponse, root: DataID? = nil, _ trace: RequestTrace?
  ) throws -> NormalizedResponse {
    var response: NormalizedResponse
    do { response = try reader(root: root).response(received.body) } catch let error as RelayError {
      throw responseError(error, by: received)
    }
    trace?.parsed(response.errors)
    response.status = received.status
    response.retryAfter = received.retryAfter
    response.maxAge = serverMaxAge?.maxAge(
      header: received.header, extensions: response.extensions)
    return response
  }

  /// Sends the operation and passes on each of its responses.
  ///
  /// - Parameters:
  ///   - running: The objects that accompany the request.
  ///   - receive: Called with one event at a time, in order.
  /// - Throws: The error of `receive`; otherwise ``RelayError``, also for cancellation.
  func stream(
    over transport: any Transport, kind: OperationKind, context: RequestContext?,
    running: RunningRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    try await send(kind, context: context, running: running) {
      try await transport.stream($0, receive)
    }
  }

  private func send<Value: Sendable>(
    _ kind: OperationKind, context: RequestContext?, running: RunningRequest,
    over transport: @Sendable (GraphQLRequest) async throws -> Value
  ) async throws -> Value {
    defer { context?.progress?.end() }
    // Before the ids are replaced: an id that the outbox adds in between is replaced too.
    if kind != .subscription {
      try serverIDs.check(operation.sentVariables(variables).json, of: operation.name)
    }
    let request = graphQLRequest(kind, context: context, running.trace)
    running.trace?.sent()
    do {
      let received = try await RequestHold.$current.withValue(running.hold) {
        try await transport(request)
      }
      try Task.checkCancellation()
      return received
    } catch {
      throw operationError(error)
    }
  }

  /// Returns the request to send.
  ///
  /// - Parameter trace: The trace whose header fields the request has.
  package func graphQLRequest(
    _ kind: OperationKind, context: RequestContext?, _ trace: RequestTrace? = nil
  ) -> GraphQLRequest {
    let sent = operation.sentVariables(variables)
    var request = GraphQLRequest(
      operationName: operation.name, kind: kind, text: operation.text,
      variables: serverIDs.replacing(in: sent.json))
    request.uploads = sent.uploads
    request.responseByteLimit = limits.bytes
    if let context { request.context = context }
    request.id = operation.id
    request.includesText = operation.id == nil
    request.allowsIncrementalDelivery = operation.isIncremental
    return trace?.adding(to: request) ?? request
  }

  /// Returns the error of an unreadable response, with the details known about the response.
  func responseError(_ error: RelayError, by received: GraphQLResponse) -> RelayError {
    var error = error
    error.setStatus(received.status, retryAfter: received.retryAfter)
    guard error.code == .response else { return error }
    error.excerpt = Excerpt.redacted(received.body)
    error.errors = received.errorPageErrors
    if let status = received.status {
      error.message += " Its status is \(status)\(Excerpt.ending(for: received))"
    }
    return error
  }

  /// Returns the error of a response without data.
  package func noDataError(_ response: NormalizedResponse, in received: GraphQLResponse)
    -> RelayError
  {
    if !response.errors.isEmpty { return serverError(response) }
    let error = RelayError(
      .response, "Response for \"\(operation.name)\" has neither data nor errors.",
      operationName: operation.name)
    return responseError(error, by: received)
  }

  /// Returns the error of a response without the requested data.
  ///
  /// - Parameter message: The message if the server gives no reason.
  func serverError(
    _ response: NormalizedResponse,
    orElse message: String = "The server sent no data and no error."
  ) -> RelayError {
    let first = response.errors.first
    var error = RelayError(
      .graphQL, "\"\(operation.name)\" failed: \(first?.message ?? message)",
      operationName: operation.name, path: first?.path ?? [], errors: response.errors)
    error.setStatus(response.status, retryAfter: response.retryAfter)
    return error
  }

  /// Returns the error of a response in which a root field is null because of an error; `nil` for
  /// any other response.
  package func refusal(_ response: NormalizedResponse) -> RelayError? {
    // An error without a path may be the reason for any null.
    let isRefused = response.payload?.hasFailedField(
      of: root, orNull: response.errors.contains { $0.path.components.isEmpty })
    return isRefused == true ? serverError(response) : nil
  }

  /// Returns the error of a request whose response did not arrive in time.
  func timeoutError(after timeout: Duration) -> RelayError {
    var error = RelayError(
      .transport, "\"\(operation.name)\" got no response within \(timeout).",
      operationName: operation.name)
    error.isRetryable = true
    error.isTimeout = true
    return error
  }

  /// Returns the error of data in the store that cannot be read.
  ///
  /// - Returns: `nil` if the snapshot has no reason, for example when a record of another type is
  ///   linked.
  func readError(_ row: RowSnapshot) -> RelayError? {
    let cause =
      row.failure ?? row.cause
      ?? row.missing.first.map { FieldError(missing: $0, owner: operation.name) }
      ?? row.errors.first
    return cause.map { cause in
      var error = RelayError(field: cause)
      error.operationName = operation.name
      return error
    }
  }

  /// Returns the error of a request that has failed, with the first field that the store does not
  /// have, unless that is the query's own field.
  func error(_ error: RelayError, lacking row: RowSnapshot) -> RelayError {
    guard let missing = readError(row), missing.path.components.count > 1 else { return error }
    var error = error
    error.message += " " + missing.message
    error.path = missing.path
    return error
  }

  /// The error of stale data that is not shown.
  var staleError: RelayError {
    RelayError(
      .field, "The data of \"\(operation.name)\" is stale.", operationName: operation.name)
  }

  /// Returns the error to throw to a caller: `CancellationError` if the caller's own task was
  /// cancelled.
  func callerError(_ error: any Error) -> any Error {
    Task.isCancelled ? CancellationError() : operationError(error)
  }

  /// Returns a transport's error with the operation's name.
  package func operationError(_ error: any Error) -> RelayError {
    if error is CancellationError || Task.isCancelled {
      return RelayError(
        .cancelled, "\"\(operation.name)\" was cancelled.", operationName: operation.name,
        underlying: error)
    }
    if var error = error as? RelayError {
      if error.operationName == operation.name { return error }
      error.operationName = operation.name
      return error
    }
    return RelayError(
      .transport, "\"\(operation.name)\" got no response: \(error)", operationName: operation.name,
      underlying: error)
  }

  /// Parses the bytes of client-made data into a payload.
  package func clientPayload(_ json: [UInt8]) throws -> RecordPayload {
    try reader(isClientMade: true).data(json)
  }

  /// Parses the bytes of a response's data into a payload.
  func payload(_ json: [UInt8]) throws -> RecordPayload { try reader().data(json) }

  /// Returns a reader of responses.
  ///
  /// - Parameter root: The record that the data belongs to; `nil` for the request's root.
  package func reader(isClientMade: Bool = false, root: DataID? = nil) -> ResponseReader {
    ResponseReader(
      plan: plan, root: root ?? self.root, operationName: operation.name,
      isClientMade: isClientMade,
      treatsMissingFieldsAsNull: treatsMissingFieldsAsNull && !isClientMade,
      limits: isClientMade ? ResponseLimits(bytes: .max, records: .max) : limits)
  }
}

extension OperationRequest {
  /// Returns the cause of publishing a payload that was obtained by other means; `nil` unless the
  /// store records a timeline.
  func payloadCause(in store: RecordStore) -> PublishCause? {
    store.recorder == nil ? nil : PublishCause(.payload, operation: operation.name)
  }

  /// Returns whether the store has all of a query's data and none of it is stale.
  func isAvailable(in store: RecordStore) -> Bool {
    store.check(written).isAvailable
  }

  /// Returns whether the store has the data of a query: complete, not stale, and readable.
  func availability(in store: RecordStore) -> OperationAvailability {
    let availability = store.check(written, listing: 100)
    guard availability.isAvailable else { return availability }
    let row = store.read(data)
    if row.row != nil { return availability }
    let path = (row.failure ?? row.cause)?.path ?? row.missing.first ?? []
    return .missing([MissingData(path: path)])
  }

  /// Returns the data of a query from the store; `nil` unless it is complete, not stale, and
  /// readable.
  func availableData(in store: RecordStore) -> RowSnapshot? {
    guard isAvailable(in: store) else { return nil }
    let row = store.read(data)
    return row.row == nil ? nil : row
  }
}

extension OperationRequest {
  /// Loads the store if necessary, and returns a query's data from it.
  func loadedData(in store: RecordStore) async -> RowSnapshot {
    let row = store.read(data)
    guard row.isNotLoaded else { return row }
    await store.loaded()
    return store.read(data)
  }

  /// Loads the store if necessary, and returns a query's available data from it.
  func loadedAvailableData(in store: RecordStore) async -> RowSnapshot? {
    if let row = availableData(in: store) { return row }
    guard store.isLoading else { return nil }
    await store.loaded()
    return availableData(in: store)
  }
}

extension RequestIdentity {
  /// Returns the identity of an operation with its variables.
  static func of(_ operation: some GraphQLOperation) -> RequestIdentity {
    let plan = Self.plan(of: operation)
    return RequestIdentity(
      name: plan.name, documentHash: plan.documentHash, variables: operation.storedVariables)
  }

  private static func plan<Operation: GraphQLOperation>(of operation: Operation) -> OperationPlan {
    Operation.__operation
  }
}
