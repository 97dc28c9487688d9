import RelayNetwork
import RelayStore

extension SubscriptionSession {
  /// The time at which the next ``Event/time`` is due; `nil` when no deadline is pending.
  var deadline: Duration? {
    switch phase {
    case .idle, .refreshing: nil
    case .connecting: idleDeadline
    case .initializing(let deadline): min(deadline, idleDeadline ?? deadline)
    case .ready:
      if let livenessDeadline {
        min(livenessDeadline, idleDeadline ?? livenessDeadline)
      } else {
        idleDeadline
      }
    case .closing(let deadline, _): deadline
    case .waiting(let end): end
    }
  }

  /// The time at which the connection must be checked or counts as dead; `nil` while reading is
  /// paused, when the server's response would not be read.
  private var livenessDeadline: Duration? {
    if isReadingPaused { return nil }
    return pingedAt.map { $0 + options.pongTimeout } ?? (lastMessageAt + options.pingDelay)
  }

  /// Registers that the server has sent a message.
  mutating func recordMessage() {
    lastMessageAt = now
    pingedAt = nil
  }

  mutating func setPaused(_ isPaused: Bool) {
    isReadingPaused = isPaused
    if !isPaused { recordMessage() }
  }

  mutating func handleDeadline() {
    guard let deadline, deadline <= now else { return }
    if let idleDeadline, idleDeadline <= now { return closeIdle() }
    switch phase {
    case .idle, .refreshing, .connecting: break
    case .initializing:
      let failure = ConnectionFailure(
        "the server did not acknowledge it in time", host: host, isTimeout: true)
      close(
        WebSocketCloseCode(rawValue: 4504), "Connection acknowledgement timeout", failure: failure)
    case .ready: checkLiveness()
    case .closing(_, let failure):
      actions.append(.cancel)
      phase = .closing(deadline: nil, failure: failure)
    case .waiting: begin()
    }
  }

  private mutating func closeIdle() {
    if case .connecting = phase { cancel() } else { close(.normalClosure) }
  }

  private mutating func checkLiveness() {
    if pingedAt == nil {
      pingedAt = now
      actions.append(.send(.ping))
    } else {
      cancel(
        failure: ConnectionFailure(
          "the server did not respond to a ping", host: host, isTimeout: true))
    }
  }
}
