extension Transport {
  /// Returns this transport with credentials that are refreshed once when the server rejects them.
  ///
  ///     transport.authenticated(
  ///       by: { ["Authorization": "Bearer " + (await session.token)] },
  ///       refresh: { try await session.refresh() })
  ///
  /// Requests that are rejected at the same time share one refresh, and requests that begin during
  /// a refresh wait for it. Each rejected request is then sent once more; one whose ``Upload`` is a
  /// stream that was read already ends with an error that says so. A refresh continues when the
  /// requests that wait for it are cancelled.
  ///
  /// Neither closure may send its own request through this transport, or an environment that uses
  /// it: that of `refresh` would wait for the refresh, and that of `headers` would call `headers`
  /// again. Use another transport for them.
  ///
  /// - Parameters:
  ///   - headers: Returns the header fields with the credentials; called each time a request is
  ///     sent.
  ///   - refresh: Obtains new credentials. Its error is thrown to every request that asked for
  ///     them.
  ///   - isRejected: Whether a result says that the credentials are not valid: by default the
  ///     status 401, or an error with the code `UNAUTHENTICATED` in its extensions.
  public func authenticated(
    by headers: @escaping @Sendable () async throws -> [String: String],
    refresh: @escaping @Sendable () async throws -> Void,
    isRejected: @escaping @Sendable (Result<GraphQLResponse, any Error>) -> Bool = {
      $0.isUnauthenticated
    }
  ) -> some Transport {
    let refresher = CredentialRefresher(refresh)
    return intercepting { request, next in
      let generation = try await refresher.currentGeneration()
      let result: Result<GraphQLResponse, any Error>
      do {
        result = .success(try await next.execute(request.adding(headers: headers())))
      } catch {
        result = .failure(error)
      }
      guard isRejected(result) else { return try result.get() }
      try await refresher.renew(after: generation)
      if let file = request.spentUpload {
        throw RelayError(
          cannotResend: file, after: RelayError(rejecting: result, of: request.operationName))
      }
      return try await next.execute(request.adding(headers: headers()))
    }
  }
}

extension Result where Success == GraphQLResponse, Failure == any Error {
  /// Whether the server rejects the credentials: with the HTTP status 401, or with an error whose
  /// extensions have the code `UNAUTHENTICATED`.
  public var isUnauthenticated: Bool {
    let errors: [GraphQLError]
    switch self {
    case .success(let response): errors = response.requestErrors
    case .failure(let error as RelayError) where error.status == 401: return true
    case .failure(let error): errors = (error as? RelayError)?.errors ?? []
    }
    return errors.contains { $0.extensions["code"]?.string == "UNAUTHENTICATED" }
  }
}

/// The refreshes of one transport's credentials. Requests whose credentials are rejected share one
/// refresh.
private final class CredentialRefresher: Sendable {
  private struct State {
    /// The number of successful refreshes; it identifies the current credentials.
    var generation = 0
    /// The refresh in flight.
    var running: SharedWork<Void>?
  }

  /// Guards the generation and the refresh in flight. The refresh runs outside the lock.
  private let state = Locked(State(), rank: .leaf)
  private let refresh: @Sendable () async throws -> Void

  init(_ refresh: @escaping @Sendable () async throws -> Void) { self.refresh = refresh }

  /// Returns the generation of the credentials, after the refresh in flight, if there is one.
  func currentGeneration() async throws -> Int {
    // A failed refresh throws to the requests that asked for it, not to this one.
    if let running = state.withLock({ $0.running }) { _ = try? await running.value() }
    try Task.checkCancellation()
    return state.withLock { $0.generation }
  }

  /// Refreshes the credentials unless they are newer than `generation`; joins the refresh in
  /// flight.
  func renew(after generation: Int) async throws {
    let running = state.withLock { state -> SharedWork<Void>? in
      if state.generation > generation { return nil }
      if let running = state.running { return running }
      let work = SharedWork(runsWithoutCallers: true) { [self] in try await run() }
      state.running = work
      return work
    }
    _ = try await running?.value()
  }

  private func run() async throws {
    do {
      try await refresh()
      state.withLock { state in
        state.generation += 1
        state.running = nil
      }
    } catch {
      state.withLock { $0.running = nil }
      throw error
    }
  }
}
