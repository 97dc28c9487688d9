extension QueryLoad {
  struct State: Sendable {
    var row: RowSnapshot
    /// Whether data in the store may be delivered before a response.
    var showsStore: Bool
    /// Whether the data was ever complete. From then on, data with missing fields is delivered.
    var wasComplete = false
    /// Whether a request has failed without a response. From then on, data with missing fields is
    /// delivered, too.
    var wasOffline = false
    /// Whether data of the query or its fragments was missing from the store at the last check; the
    /// row has only the query's own fields. Always false without ``withholdsIncomplete``.
    var isIncomplete: Bool
    /// Whether the load waits for the store to be loaded before it decides whether to fetch.
    var awaitsPersistence = false
    /// Whether the load waits for the server's ids of its variables.
    var awaitsServerIDs = false
    var lastResponse: LastResponse?
    var error: RelayError?
    var missing = MissingDataRequests()
    /// Whether the load was stopped, so that it sends no requests by itself.
    var isStopped = false
    /// The execution that the load waits for, and the caller's id once the load has joined it.
    var execution: (execution: OperationExecution, caller: UInt64?)?
    /// The id of the last execution that another one replaced before it ended.
    var lastReplaced: OperationExecution.ID = 0
    var poll: Task<Void, Never>?
    /// Whether the data has expired; ``expiry`` is the timer until then.
    var isExpired = false
    /// Whether the data comes from the load's last response and has not expired since. Such data is
    /// shown even if the server marks it as stale at once.
    var isNew = false
    /// The latest check of the age.
    var ages = LatestRequest()
    var expiry: Task<Void, Never>?
    var observation: ObservationHandle?
    var retention: Retention?
    var listening: [ExecutionListening] = []
    var receivers = StateReceivers<LoadState>()
    var isEnded: Bool { receivers.isEnded }
    /// The epoch in which the query was last retained.
    var retainedIn: UInt64
  }

  /// The last response without its data, which is in the store.
  struct LastResponse: Sendable {
    /// The epoch of the execution that received it.
    let epoch: UInt64
    let errors: [GraphQLError]
    let extensions: JSONObject
  }
}

extension QueryLoad.State {
  /// Stores the data of a response.
  mutating func receive(
    _ row: RowSnapshot, of response: NormalizedResponse, in epoch: UInt64
  ) {
    lastResponse = QueryLoad.LastResponse(
      epoch: epoch, errors: response.errors, extensions: response.extensions)
    isIncomplete = false
    isNew = true
    update(with: row)
  }

  /// Stores a new row; returns `false` if it is older than the current one.
  @discardableResult
  mutating func update(with new: RowSnapshot) -> Bool {
    guard new.revision >= row.revision else { return false }
    row = new
    if row.row != nil, !row.lacksData, !isIncomplete { wasComplete = true }
    return true
  }
}

extension QueryLoad {
  /// Returns the state that consumers receive.
  func loadState(_ state: State) -> LoadState {
    let epoch = environment.executions.epoch
    // A response of an earlier epoch is not valid after a reset.
    let lastResponse = state.lastResponse.flatMap { $0.epoch == epoch ? $0 : nil }
    let showsPartialData =
      options.showsPartialData || state.wasComplete
      || state.wasOffline && state.row.row?.hasValues == true
    let isStale = state.isExpired || state.row.isStale
    let isTooOld = isStale && !state.isNew && !options.showsStaleData
    let isWithheld =
      isTooOld
      || lastResponse == nil
        && (!state.showsStore || (state.row.lacksData || state.isIncomplete) && !showsPartialData)
    var error = state.error
    // After a reset, no error is delivered until the query is fetched again.
    let isSettled =
      !state.isEnded && state.execution == nil && state.retainedIn == epoch
      && !state.awaitsPersistence && !state.row.isNotLoaded
    if error == nil, isSettled, isWithheld || state.row.row == nil {
      error = isTooOld ? request.staleError : request.readError(state.row)
    } else if isSettled, state.wasOffline {
      error = error.map { request.error($0, lacking: state.row) }
    }
    return LoadState(
      row: isWithheld ? nil : state.row,
      isLoading: state.execution != nil || state.awaitsPersistence,
      isStale: isStale || state.row.keepsRows, error: error,
      isReset: state.execution == nil && state.retainedIn != epoch,
      responseErrors: lastResponse?.errors ?? [],
      responseExtensions: lastResponse?.extensions ?? [:],
      revision: state.receivers.revision)
  }
}
