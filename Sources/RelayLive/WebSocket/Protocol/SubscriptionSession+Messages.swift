import RelayNetwork
import RelayStore

extension SubscriptionSession {
  /// Handles a message from the server. As the protocol demands, messages on a closing connection
  /// and for ended operations are ignored.
  mutating func receive(_ message: WebSocketServerMessage) {
    switch (phase, message) {
    case (.ready, .next(let operation, let body)):
      recordMessage()
      guard let id = operations[operation] else { return }
      actions.append(.deliver(id, .response(GraphQLResponse(body: body))))
    case (.ready, .error(let operation, let errors)):
      recordMessage()
      fail(operation, errors)
    case (.ready, .complete(let operation)):
      recordMessage()
      if let id = operations[operation] { end(id, nil) }
    case (.initializing, .acknowledgement):
      recordMessage()
      acknowledge()
    case (.initializing, .ping(let payload)), (.ready, .ping(let payload)):
      recordMessage()
      actions.append(.send(.pong(payload)))
    case (.initializing, .pong), (.ready, .pong), (.ready, .acknowledgement): recordMessage()
    case (.initializing, _):
      handleViolation("it received a message before the acknowledgement")
    case (.idle, _), (.connecting, _), (.closing, _), (.waiting, _), (.refreshing, _): break
    }
  }

  private mutating func fail(_ operation: WebSocketOperationID, _ errors: [GraphQLError]) {
    guard let id = operations[operation] else { return }
    let isUnauthenticated = errors.contains { $0.extensions["code"]?.string == "UNAUTHENTICATED" }
    if isUnauthenticated, awaitRefresh(id) { return }
    end(
      id,
      RelayError(
        .graphQL, errors.first?.message ?? "The server ended the subscription with an error.",
        errors: errors))
  }

  /// Ends a subscription whose operation was rejected, unless new credentials may help.
  mutating func reject(_ operation: WebSocketOperationID, _ failure: ConnectionFailure) {
    guard case .ready = phase, let id = operations[operation] else { return }
    if failure.consequence == .refresh, awaitRefresh(id) { return }
    end(id, failure.error)
  }

  /// Closes a connection whose server violates the protocol.
  mutating func handleViolation(_ reason: String) {
    switch phase {
    case .initializing, .ready:
      close(
        WebSocketCloseCode(rawValue: 4400), reason, failure: ConnectionFailure(reason, host: host))
    case .idle, .connecting, .closing, .waiting, .refreshing: break
    }
  }
}

extension WebSocketOptions {
  /// The options, with durations clamped to values that a clock supports.
  var clamped: WebSocketOptions {
    var options = self
    for limit in [
      \Self.connectionTimeout, \.acknowledgementTimeout, \.pingDelay, \.pongTimeout, \.idleTimeout,
      \.reconnectDelay, \.longestReconnectDelay,
    ] { options[keyPath: limit] = options[keyPath: limit].clampedForSleep }
    options.bufferByteLimit = max(0, bufferByteLimit)
    return options
  }
}
