/// One use of an operation: what is sent, and how its response is read.
struct OperationRequest: Sendable {
  let identity: RequestIdentity
  let plan: BoundPlan
  /// What of the data the caller sees.
  let dataPlan: SelectionPlan
  let scope: VariableScope
  let operation: OperationPlan
  private let variables: Variables
  private let root: DataID
  private let treatsMissingFieldsAsNull: Bool
  private let limits: ResponseLimits
  /// The most rows of data that was built by hand.
  private let rowLimit: Int

  /// - Parameter root: The record that the response's data belongs to.
  init<Operation: GraphQLOperation>(_ operation: Operation, store: RecordStore, root: DataID) {
    self.init(
      Operation.__operation, variables: operation.__variables, store: store, root: root)
  }

  /// - Parameter root: The record that the response's data belongs to.
  init(_ operation: OperationPlan, variables: Variables, store: RecordStore, root: DataID) {
    self.operation = operation
    self.variables = variables
    let stored = operation.storedVariables(variables)
    dataPlan = operation.reader
    scope = VariableScope(operation: stored)
    identity = RequestIdentity(
      self.operation.normalization, variables: stored, name: self.operation.name)
    plan = store.bind(self.operation.normalization, stored)
    self.root = root
    treatsMissingFieldsAsNull = store.configuration.treatsMissingFieldsAsNull
    limits = store.configuration.responseLimits
    rowLimit = store.configuration.readLimits.rows
  }

  /// What the store notes when a response is written.
  var written: WrittenOperation { WrittenOperation(identity, plan, root: root) }

  /// Sends the operation and reads the response.
  ///
  /// - Parameter hold: What the transport's waits for a test are counted in.
  /// - Throws: ``RelayError``, also for errors without data and for cancellation.
  func response(
    over transport: any Transport, kind: OperationKind, context: RequestContext?,
    hold: RequestHold
  ) async throws -> NormalizedResponse {
    let sent = operation.sentVariables(variables)
    var request = GraphQLRequest(
      operationName: operation.name, kind: kind, text: operation.text, variables: sent.json)
    request.uploads = sent.uploads
    request.responseByteLimit = limits.bytes
    if let context { request.context = context }
    request.id = operation.id
    request.includesText = operation.id == nil
    let answer: GraphQLResponse
    do {
      answer = try await RequestHold.$current.withValue(hold) { [request] in
        try await transport.execute(request)
      }
      try Task.checkCancellation()
    } catch {
      throw named(error)
    }
    do {
      var response = try response(answer.body)
      response.status = answer.status
      response.retryAfter = answer.retryAfter
      return response
    } catch var error as RelayError {
      error.note(status: answer.status, retryAfter: answer.retryAfter)
      if error.code == .response {
        error.excerpt = Excerpt.redacted(answer.body)
        error.errors = answer.failures
      }
      throw error
    }
  }

  /// Reads a response that has data.
  private func response(_ body: [UInt8]) throws -> NormalizedResponse {
    let response = try reader().response(body)
    if response.payload != nil { return response }
    if !response.errors.isEmpty { throw failed(response) }
    throw RelayError(
      .response, "Response for \"\(operation.name)\" has neither data nor errors.",
      operationName: operation.name)
  }

  /// That a response does not have what was asked for.
  ///
  /// - Parameter other: What to say where the server gives no reason.
  func failed(
    _ response: NormalizedResponse,
    orElse other: String = "The server sent no data and no error."
  ) -> RelayError {
    let first = response.errors.first
    var error = RelayError(
      .graphQL, "\"\(operation.name)\" failed: \(first?.message ?? other)",
      operationName: operation.name, path: first?.path ?? [], errors: response.errors)
    error.note(status: response.status, retryAfter: response.retryAfter)
    return error
  }

  /// That no response came in time.
  func timedOut(after timeout: Duration) -> RelayError {
    var error = RelayError(
      .transport, "\"\(operation.name)\" was not answered within \(timeout).",
      operationName: operation.name)
    error.isRetryable = true
    return error
  }

  /// That what the store has cannot be shown.
  ///
  /// - Returns: `nil` where nothing says why, which is while a record of another type stands there.
  func unreadable(_ row: RowSnapshot) -> RelayError? {
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

  /// An error of a transport with the operation's name.
  func named(_ error: any Error) -> RelayError {
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

  /// A response's data that was built by hand.
  func payload(_ data: some GraphQLView) throws -> RecordPayload {
    let row = data.__row.storage
    guard row.rowCount <= rowLimit else {
      throw RelayError(
        .request,
        "The data given for \"\(operation.name)\" has more than \(rowLimit) rows, each counted as often as it is there.",
        operationName: operation.name)
    }
    return try reader(isClientMade: true).data(JSONValue.object(row.json).jsonBytes)
  }

  /// A response's data from its bytes.
  func payload(_ json: [UInt8]) throws -> RecordPayload { try reader().data(json) }

  private func reader(isClientMade: Bool = false) -> ResponseReader {
    ResponseReader(
      plan: plan, root: root, operationName: operation.name, isClientMade: isClientMade,
      treatsMissingFieldsAsNull: treatsMissingFieldsAsNull && !isClientMade,
      limits: isClientMade ? ResponseLimits(bytes: .max, records: .max) : limits)
  }
}

extension OperationRequest {
  /// Whether the store has all of a query, and nothing of it is out of date.
  func isAvailable(in store: RecordStore) -> Bool {
    if case .available = store.check(written) { true } else { false }
  }

  /// Whether the store can answer a query: all of it is there, and it can be read.
  func availability(in store: RecordStore) -> OperationAvailability {
    let answer = store.check(written)
    guard case .available = answer else { return answer }
    return store.read(.root, dataPlan, scope).row == nil ? .missing : answer
  }

  /// What the store answers to a query; `nil` where it cannot.
  func answer(in store: RecordStore) -> RowSnapshot? {
    guard isAvailable(in: store) else { return nil }
    let row = store.read(.root, dataPlan, scope)
    return row.row == nil ? nil : row
  }
}

extension RequestIdentity {
  /// The identity of an operation with its variables.
  static func of(_ operation: some GraphQLOperation) -> RequestIdentity {
    let plan = Self.plan(of: operation)
    return RequestIdentity(
      plan.normalization, variables: operation.storedVariables, name: plan.name)
  }

  private static func plan<Operation: GraphQLOperation>(of operation: Operation) -> OperationPlan {
    Operation.__operation
  }
}
