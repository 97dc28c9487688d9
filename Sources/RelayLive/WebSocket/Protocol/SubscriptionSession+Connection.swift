import RelayNetwork
import RelayStore

extension SubscriptionSession {
  /// Connects if there are subscriptions and the session is not suspended. First waits for a
  /// credential refresh in flight, and until the next attempt is due.
  mutating func begin() {
    if subscriptions.isEmpty || isSuspended {
      phase = .idle
    } else if isRefreshing {
      phase = .refreshing
      deliverToAll(.connecting)
    } else if earliestAttempt > now {
      phase = .waiting(until: earliestAttempt)
      deliverToAll(disconnected(retryAfter: earliestAttempt - now))
    } else {
      phase = .connecting
      deliverToAll(.connecting)
      actions.append(.connect)
    }
  }

  mutating func initialize() {
    switch phase {
    case .connecting:
      phase = .initializing(deadline: now + options.acknowledgementTimeout)
      actions.append(.initialize)
    case .closing: actions.append(.cancel)
    case .idle, .initializing, .ready, .waiting, .refreshing: break
    }
  }

  /// Starts the subscriptions after the server's acknowledgement.
  mutating func acknowledge() {
    phase = .ready(since: now)
    for id in subscriptions.keys.sorted() { start(id) }
  }

  /// Closes the connection.
  ///
  /// - Parameter failure: The failure that determines what follows once the connection has ended;
  ///   `nil` to connect again if there are subscriptions.
  mutating func close(
    _ code: WebSocketCloseCode, _ reason: String = "", failure: ConnectionFailure? = nil
  ) {
    endOperations()
    actions.append(.close(code, reason))
    phase = .closing(deadline: now + Self.closingTimeout, failure: failure)
  }

  mutating func cancel(failure: ConnectionFailure? = nil) {
    endOperations()
    actions.append(.cancel)
    phase = .closing(deadline: nil, failure: failure)
  }

  /// Removes the operations of the connection. Resets the failure count if the connection was
  /// stable.
  mutating func endOperations() {
    if case .ready(let start) = phase, now - start >= Self.stability { failureCount = 0 }
    for id in operations.values { subscriptions[id]?.operation = nil }
    operations = [:]
    (idleDeadline, pingedAt, isReadingPaused) = (nil, nil, false)
  }

  mutating func handleEnd(_ failure: ConnectionFailure) {
    switch phase {
    case .connecting, .initializing, .ready:
      endOperations()
      conclude(failure)
    case .closing(_, let failure): conclude(failure)
    case .idle, .waiting, .refreshing: break
    }
  }

  /// Does what the failure of an ended connection requires.
  mutating func conclude(_ failure: ConnectionFailure?) {
    phase = .idle
    if let failure { endReason = failure.error.message }
    guard let failure, !isSuspended else { return begin() }
    switch failure.consequence {
    case .fatal: endAll(failure.error)
    case .refresh where subscriptions.isEmpty: begin()
    case .refresh where isRefreshing:
      deliverToAll(disconnected(retryAfter: .zero))
      begin()
    case .refresh where mayRefresh:
      deliverToAll(disconnected(retryAfter: .zero))
      refresh()
      begin()
    case .refresh: endAll(failure.error)
    case .retry: wait(after: failure)
    }
  }

  mutating func wait(after failure: ConnectionFailure) {
    failureCount += 1
    let policy = RetryPolicy(
      delay: options.reconnectDelay, longestDelay: options.longestReconnectDelay, jitter: 1)
    let requested = min(failure.error.retryAfter ?? .zero, Self.longestRequestedDelay)
    earliestAttempt =
      now + max(requested, policy.delay(afterAttempt: failureCount, random: random))
    if earliestAttempt <= now || isRefreshing {
      deliverToAll(disconnected(retryAfter: .zero))
    }
    begin()
  }

  // MARK: Credentials

  var mayRefresh: Bool {
    allowsRefresh && (refreshedAt.map { now - $0 >= CredentialRefresh.lifetime } ?? true)
  }

  mutating func refresh() {
    isRefreshing = true
    actions.append(.refresh)
  }

  /// Makes an operation wait for new credentials and the connection that uses them.
  ///
  /// - Returns: `false` if the credentials are already new or cannot be refreshed.
  mutating func awaitRefresh(_ id: SubscriptionID) -> Bool {
    guard isRefreshing || mayRefresh, let operation = subscriptions[id]?.operation else {
      return false
    }
    operations[operation] = nil
    subscriptions[id]?.operation = nil
    subscriptions[id]?.awaitsRefresh = true
    if !isRefreshing { refresh() }
    return true
  }

  mutating func handleRefresh(_ failure: ConnectionFailure?) {
    guard isRefreshing else { return }
    isRefreshing = false
    let rejected = subscriptions.filter { $0.value.awaitsRefresh }.keys.sorted()
    if failure == nil { refreshedAt = now }
    var failure = failure
    if failure?.consequence == .refresh { failure?.consequence = .fatal }
    switch (phase, failure) {
    case (.refreshing, nil): begin()
    case (.refreshing, let failure?): conclude(failure)
    case (.ready, nil):
      // Credentials are sent only at the start of a connection.
      if rejected.isEmpty { return }
      endReason = "The credentials are new."
      deliverToAll(disconnected(retryAfter: .zero))
      close(.normalClosure)
    case (_, let failure?): for id in rejected { end(id, failure.error) }
    case (_, nil): break
    }
  }

  // MARK: Suspension

  mutating func suspend() {
    if isSuspended { return }
    isSuspended = true
    deliverToAll(.suspended)
    switch phase {
    case .idle: break
    case .waiting, .refreshing: phase = .idle
    case .connecting: cancel()
    case .initializing, .ready: close(.normalClosure)
    case .closing(let deadline, _): phase = .closing(deadline: deadline, failure: nil)
    }
  }

  mutating func resume() {
    isSuspended = false
    earliestAttempt = now
    switch phase {
    case .idle, .waiting: begin()
    case .closing: deliverToAll(.connecting)
    case .connecting, .initializing, .ready, .refreshing: break
    }
  }
}
