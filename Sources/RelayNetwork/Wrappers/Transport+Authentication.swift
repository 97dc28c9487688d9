import RelayStore

extension Transport {
  /// Returns a transport that sends requests through this one with credentials, and refreshes the
  /// credentials once when the server rejects them.
  ///
  ///     transport.authenticated(
  ///       by: { ["Authorization": "Bearer " + (await session.token)] },
  ///       refresh: { try await session.refresh() })
  ///
  /// Requests rejected at the same time share one refresh; requests that start during a refresh
  /// wait for it. Each rejected request is then sent once more, except for a mutation one of whose
  /// fields has a value: the server has executed it. If its ``/RelayStore/Upload`` is a
  /// stream that was already read, the request fails with an error that says so. A refresh
  /// continues even if the requests waiting for it are cancelled.
  ///
  /// A running subscription's credentials can be rejected by an event or on reconnection. The
  /// subscription then starts again with new credentials, and reports a gap. If the new credentials
  /// are rejected within a minute, the subscription ends with the error.
  ///
  /// Neither closure may send its own request through this transport or an environment that uses
  /// it. In `refresh`, that request would wait for the refresh itself; in `headers`, it would call
  /// `headers` again. Use another transport for these requests.
  ///
  /// - Parameters:
  ///   - headers: Returns the header fields with the credentials; called each time a request is
  ///     sent.
  ///   - refresh: Obtains new credentials. Its error is thrown to every request that asked for
  ///     them, with ``/RelayStore/RelayError/isUnauthenticated`` set.
  ///   - isRejected: Whether a result means that the credentials are invalid: by default the status
  ///     401, or an error with the code `UNAUTHENTICATED` in its extensions.
  ///   - clock: The clock that measures the age of a subscription's credentials.
  public func authenticated(
    by headers: @escaping @Sendable () async throws -> [String: String],
    refresh: @escaping @Sendable () async throws -> Void,
    isRejected: @escaping @Sendable (Result<GraphQLResponse, any Error>) -> Bool = {
      $0.isUnauthenticated
    },
    clock: any Clock<Duration> = ContinuousClock()
  ) -> some Transport {
    AuthenticatingTransport(
      next: self, headers: headers, isRejected: isRejected, clock: clock,
      refresher: CredentialRefresher(refresh))
  }
}

/// A transport that adds credentials to requests and refreshes rejected credentials.
private struct AuthenticatingTransport<Next: Transport>: Transport {
  let next: Next
  let headers: @Sendable () async throws -> [String: String]
  let isRejected: @Sendable (Result<GraphQLResponse, any Error>) -> Bool
  let clock: any Clock<Duration>
  let refresher: CredentialRefresher

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let generation = try await refresher.currentGeneration()
    let result: Result<GraphQLResponse, any Error>
    do {
      result = .success(try await next.execute(request.adding(headers: headers())))
    } catch {
      result = .failure(error)
    }
    guard isRejected(result), (try? result.get())?.isExecution(of: request.kind) != true else {
      return try result.get()
    }
    try await renew(after: generation, for: request, result)
    return try await next.execute(request.adding(headers: headers()))
  }

  /// Refreshes rejected credentials.
  ///
  /// - Throws: ``RelayError`` when the request cannot be resent.
  private func renew(
    after generation: Int, for request: GraphQLRequest,
    _ result: Result<GraphQLResponse, any Error>
  ) async throws {
    do { try await refresher.renew(after: generation) } catch let error as CancellationError {
      throw error
    } catch {
      throw RelayError(ofRefresh: error, of: request.operationName)
    }
    if let file = request.spentUpload {
      throw RelayError(
        cannotResend: file, after: RelayError(rejecting: result, of: request.operationName))
    }
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    let progress = Locked(StreamProgress(time: StoreTime(clock)), rank: .leaf)
    while true {
      let generation = try await refresher.currentGeneration()
      let result: Result<GraphQLResponse, any Error>
      do {
        try await next.stream(request.adding(headers: headers())) { event in
          try await pass(event, of: request, progress, receive)
        }
        return
      } catch let rejection as Rejection {
        result = .success(rejection.response)
      } catch {
        result = .failure(error)
      }
      let mayRefresh = progress.withLock { $0.beginRefresh(of: request.kind) }
      if case .failure(let error) = result {
        guard mayRefresh, !progress.withLock({ $0.hasReceiverFailed }), isRejected(result) else {
          throw error
        }
      }
      try await renew(after: generation, for: request, result)
      progress.withLock { $0.endRefresh() }
    }
  }

  /// Passes on an event, or throws a ``Rejection`` if the event rejects the credentials and a
  /// refresh is allowed.
  private func pass(
    _ event: TransportEvent, of request: GraphQLRequest,
    _ progress: borrowing Locked<StreamProgress>,
    _ receive: TransportReceiver
  ) async throws {
    if case .response(let response) = event {
      let result = Result<GraphQLResponse, any Error>.success(response)
      if isRejected(result), !response.isExecution(of: request.kind) {
        if progress.withLock({ $0.mayRefresh(request.kind) }) {
          throw Rejection(response: response)
        }
        // New credentials were rejected by an event.
        if request.kind == .subscription {
          throw RelayError(rejecting: result, of: request.operationName)
        }
      }
    }
    let isGap = progress.withLock { $0.takeGap(before: event) }
    do {
      if isGap, case .response = event { try await receive(.gap) }
      try await receive(event)
      if isGap, case .connection = event { try await receive(.gap) }
    } catch {
      progress.withLock { $0.hasReceiverFailed = true }
      throw error
    }
    if case .response = event { progress.withLock { $0.hasResponse = true } }
  }

  /// A response that rejects the credentials.
  private struct Rejection: Error {
    let response: GraphQLResponse
  }
}

/// The progress of a caller's stream. Each refresh starts another stream of the next transport.
private struct StreamProgress {
  let time: StoreTime
  /// The time of the last credential refresh; `nil` if there was none.
  private var refreshedAt: Duration?
  var hasResponse = false
  /// Whether the stream's receiver threw an error.
  var hasReceiverFailed = false
  /// Whether the stream was connected, so that a restart may miss responses.
  private var hasBegun = false
  /// Whether the stream was restarted and may be missing responses.
  private var isInterrupted = false

  init(time: StoreTime) { self.time = time }

  /// Whether a rejection may lead to a refresh. Only a subscription can be restarted after a
  /// response, and only a subscription outlives its credentials.
  func mayRefresh(_ kind: OperationKind) -> Bool {
    guard let refreshedAt else { return !hasResponse || kind == .subscription }
    return kind == .subscription
      && time.elapsed - refreshedAt >= CredentialRefresh.lifetime
  }

  /// Registers the start of a refresh, if one is allowed.
  mutating func beginRefresh(of kind: OperationKind) -> Bool {
    guard mayRefresh(kind) else { return false }
    refreshedAt = time.elapsed
    isInterrupted = hasBegun
    return true
  }

  /// Registers the end of a refresh. The age of the credentials counts from here.
  mutating func endRefresh() { refreshedAt = time.elapsed }

  /// Returns whether a gap must be reported with an event, because the event is the first one of a
  /// restarted stream.
  mutating func takeGap(before event: TransportEvent) -> Bool {
    switch event {
    case .response, .connection(.connected): hasBegun = true
    case .gap, .connection: return false
    }
    defer { isInterrupted = false }
    return isInterrupted
  }
}

/// The limits of credential refreshes, for requests and for live connections.
package enum CredentialRefresh {
  /// The minimum age of credentials before another refresh: a server that rejects new credentials
  /// would reject the next ones as well.
  package static let lifetime = Duration.seconds(60)
}

/// The refreshes of one transport's credentials, shared by the requests whose credentials are
/// rejected.
private final class CredentialRefresher: Sendable {
  private struct State {
    /// The number of successful refreshes. It identifies the current credentials.
    var generation = 0
    /// The refresh in flight.
    var running: SharedWork<Void>?
  }

  /// Guards the generation and the refresh in flight. The refresh runs outside the lock.
  private let state = Locked(State(), rank: .leaf)
  private let refresh: @Sendable () async throws -> Void

  init(_ refresh: @escaping @Sendable () async throws -> Void) { self.refresh = refresh }

  /// Returns the generation of the credentials, after any refresh in flight.
  func currentGeneration() async throws -> Int {
    // A failed refresh throws only to the requests that asked for it.
    if let running = state.withLock({ $0.running }) { _ = try? await running.value() }
    try Task.checkCancellation()
    return state.withLock { $0.generation }
  }

  /// Refreshes the credentials unless they are newer than `generation`, joining any refresh in
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
