extension Transport {
  /// This transport with credentials, which are renewed once when the server refuses them.
  ///
  ///     transport.authenticated(
  ///       by: { ["Authorization": "Bearer " + (await session.token)] },
  ///       refresh: { try await session.refresh() })
  ///
  /// Requests that are refused at the same time share one refresh, and those that begin while it runs wait for
  /// it. Each is then sent once more. A refresh goes on when those who wait for it are cancelled.
  ///
  /// - Parameters:
  ///   - headers: The header fields with the credentials, asked for each time a request is sent.
  ///   - refresh: Gets new credentials. What it throws is thrown to all who wait for it.
  ///   - isRefused: Whether a server's answer says that the credentials are not valid: by default the status 401, or an
  ///     error with the code `UNAUTHENTICATED` in its extensions.
  public func authenticated(
    by headers: @escaping @Sendable () async throws -> [String: String],
    refresh: @escaping @Sendable () async throws -> Void,
    isRefused: @escaping @Sendable (Result<GraphQLResponse, any Error>) -> Bool = {
      $0.isUnauthenticated
    }
  ) -> some Transport {
    let refreshes = Refreshes(refresh)
    return intercepting { request, next in
      let generation = try await refreshes.current()
      let result: Result<GraphQLResponse, any Error>
      do {
        result = .success(try await next.execute(request.adding(headers: headers())))
      } catch {
        result = .failure(error)
      }
      guard isRefused(result) else { return try result.get() }
      try await refreshes.renew(after: generation)
      return try await next.execute(request.adding(headers: headers()))
    }
  }
}

extension Result where Success == GraphQLResponse, Failure == any Error {
  /// Whether a server says that it does not know who asks: with the HTTP status 401, or with an
  /// error whose extensions have the code `UNAUTHENTICATED`.
  public var isUnauthenticated: Bool {
    let errors: [GraphQLError]
    switch self {
    case .success(let response): errors = response.refusals
    case .failure(let error as RelayError) where error.status == 401: return true
    case .failure(let error): errors = (error as? RelayError)?.errors ?? []
    }
    return errors.contains { $0.extensions["code"]?.string == "UNAUTHENTICATED" }
  }
}

/// Renews credentials once for all who find them refused.
private final class Refreshes: Sendable {
  private struct State {
    /// Counts the credentials.
    var generation = 0
    var running: SharedWork<Void>?
  }

  private let state = Locked(State(), rank: .leaf)
  private let refresh: @Sendable () async throws -> Void

  init(_ refresh: @escaping @Sendable () async throws -> Void) { self.refresh = refresh }

  /// The credentials' number, once no refresh runs.
  func current() async throws -> Int {
    // What the refresh throws is for those who asked for it.
    if let running = state.withLock({ $0.running }) { _ = try? await running.value() }
    try Task.checkCancellation()
    return state.withLock { $0.generation }
  }

  /// Returns once there are newer credentials than those with this number.
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
