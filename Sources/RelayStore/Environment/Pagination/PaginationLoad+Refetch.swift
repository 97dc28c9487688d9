// Refetching a list.

extension PaginationLoad {
  /// Fetches the list again, with other values for some variables.
  func refetch(changing changes: [(String, JSONValue?)]) async throws {
    try await beginRefetch(changing: changes)()
  }

  /// Fetches the list again with a request of the fragment's query, and observes the result.
  func refetch(_ request: OperationRequest) async throws { try await beginRefetch(request)() }

  /// Starts to fetch the list again: the state is refetching when this returns.
  ///
  /// - Returns: A function that sends the request, waits for the response and observes the result.
  func beginRefetch(
    changing changes: [(String, JSONValue?)]
  ) throws -> @Sendable () async throws -> Void {
    // The first page has no cursors.
    let cursors = [info.after, info.before].compactMap(\.self)
      .map { ($0, source.nothing(for: $0)) }
    let request = try deliveringErrors {
      try source.request(for: target, changing: cursors + changes, in: environment.store)
    }
    return beginRefetch(request)
  }

  /// Fetches the list again for missing fields, with as many edges as it has now.
  func refetchMissing() {
    let cursors = [info.after, info.before].compactMap(\.self)
      .map { ($0, source.nothing(for: $0)) }
    let (target, connection) = state.withLock { ($0.target, $0.ends.id) }
    var counts: [(String, JSONValue?)] = []
    let count = connection.map { environment.store.edgeCount(of: $0) } ?? 0
    if let variable = info.first ?? info.last, case .record(_, let scope) = target {
      let asked = scope.arguments[variable] ?? scope.operation[variable]
      if count > asked?.int ?? 0 { counts = [(variable, .number(JSONNumber(count)))] }
    }
    let request = try? source.request(
      for: target, changing: cursors + counts, in: environment.store)
    guard let request else { return }
    let refetch = beginRefetch(request, follows: false)
    Task { try? await refetch() }
  }

  /// - Parameter follows: Whether to follow the result, because it may be another record or have
  ///   other variables.
  private func beginRefetch(
    _ request: OperationRequest, follows: Bool = true
  ) -> @Sendable () async throws -> Void {
    let delivery = OutcomeDelivery(in: environment.store.deliveries, isInFlight: true)
    let token = state.withLock { state in
      // From here on, rows are delivered even while an older refetch commits.
      (state.isRefetching, state.refetch) = (true, nil)
      state.error = nil
      return state.refetches.begin()
    }
    deliver()
    return { [self] in try await refetch(request, token, follows: follows, delivery) }
  }

  private func refetch(
    _ request: OperationRequest, _ token: LatestRequest.Token, follows: Bool,
    _ delivery: OutcomeDelivery
  ) async throws {
    defer { delivery.end() }
    let store = environment.store
    let retention = store.retain(request.identity, request.plan, root: .root)
    let target: SpreadReference
    do {
      let fetched = try await environment.fetched(
        request, timeout: nil, context: nil, delivery: delivery
      ) { execution in
        state.withLock { if $0.refetches.isLatest(token) { $0.refetch = execution } }
      }
      target = source.target(of: request, in: store)
      if target == .nothing, !fetched.response.errors.isEmpty {
        throw request.serverError(fetched.response)
      }
    } catch {
      retention.release()
      let failure = request.operationError(error)
      finishRefetch(token) { if failure.code != .cancelled { $0.error = failure } }
      throw request.callerError(error)
    }
    let isLatest = state.withLock { $0.refetches.isLatest(token) }
    if isLatest, follows { follow(target) }
    finishRefetch(token) { $0.retention = retention }
  }

  /// Ends a refetch; a no-op unless it is the latest.
  private func finishRefetch(_ token: LatestRequest.Token, _ body: (inout State) -> Void) {
    let before = state.withLock { state -> Retention? in
      guard state.refetches.isLatest(token) else { return nil }
      state.missing.didRequest(state.row)
      (state.isRefetching, state.refetch) = (false, nil)
      let before = state.retention
      body(&state)
      return before
    }
    // Returned so that the previous retention is released after unlocking.
    withExtendedLifetime(before) { deliver() }
    fetchMissing()
  }
}
