import RelayNetwork
import RelayStore

/// The state machine of the subscriptions over one connection, without the socket, the clock and the
/// tasks: events go in, actions come out. The connection is a WebSocket or, for
/// ``EventStreamTransport``, an event stream.
///
/// There is at most one connection. A new one is asked for only after the end of the last, so
/// ``Action/connect`` is always followed by ``Event/ended(_:)`` before the next.
struct WebSocketSession {
  /// The identifier of a subscription. It stays the same over reconnections.
  struct SubscriptionID: Hashable, Comparable, Sendable {
    let rawValue: Int
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// An event outside the session.
  enum Event: Sendable {
    case subscribed(SubscriptionID)
    /// A subscription has ended by its subscriber. A no-op if it has ended before.
    case unsubscribed(SubscriptionID)
    /// The connection is open.
    case opened
    /// The connection has ended, or was not opened; the last event of each connection.
    case ended(WebSocketFailure)
    case received(WebSocketServerMessage)
    /// The server has rejected an operation.
    case rejected(WebSocketOperationID, WebSocketFailure)
    /// The server has violated the protocol; the reason follows "because".
    case violated(String)
    /// Reading is paused (`true`) or continues (`false`), because messages wait for subscriptions.
    case paused(Bool)
    /// The credentials are new, or could not be refreshed.
    case refreshed(WebSocketFailure?)
    case suspended
    case resumed
    /// ``deadline`` may have passed.
    case time
  }

  /// A reaction of the session, to be executed in order.
  enum Action: Sendable {
    /// Opens a connection.
    case connect
    /// Sends `connection_init` with the parameters of this connection.
    case initialize
    /// Sends the `subscribe` message of a subscription.
    case subscribe(SubscriptionID, WebSocketOperationID)
    case send(WebSocketClientMessage)
    /// Closes the connection, after the messages that were sent before.
    case close(WebSocketCloseCode, String)
    /// Ends the connection at once, or the attempt to open it.
    case cancel
    /// Refreshes the credentials.
    case refresh
    case deliver(SubscriptionID, TransportEvent)
    /// Ends a subscription, with an error or by completion.
    case end(SubscriptionID, RelayError?)
  }

  /// The phases and their transitions. The end of a connection leads to `idle`, from which the next
  /// phase follows in the same event.
  ///
  ///     idle          →  connecting | waiting | refreshing
  ///     connecting    →  initializing | closing | idle
  ///     initializing  →  ready | closing | idle
  ///     ready         →  closing | idle
  ///     closing       →  closing (without a deadline, or another consequence) | idle
  ///     waiting       →  connecting | idle
  ///     refreshing    →  connecting | waiting | idle
  enum Phase {
    /// There is no connection, and none is wanted.
    case idle
    /// The connection is being opened.
    case connecting
    /// The server has not acknowledged the connection.
    case initializing(deadline: Duration)
    /// The server has acknowledged the connection.
    case ready(since: Duration)
    /// The session has closed the connection. `failure` tells what follows its end; `nil` is a new
    /// connection, if one is wanted.
    case closing(deadline: Duration?, failure: WebSocketFailure?)
    /// An attempt has failed; the next follows.
    case waiting(until: Duration)
    /// New credentials are awaited.
    case refreshing

    /// Whether a phase may follow this one.
    func mayBecome(_ next: Phase) -> Bool {
      switch (self, next) {
      case (_, .idle), (.idle, .connecting), (.idle, .waiting), (.idle, .refreshing),
        (.connecting, .initializing), (.initializing, .ready), (.waiting, .connecting),
        (.refreshing, .connecting), (.refreshing, .waiting), (.connecting, .closing),
        (.initializing, .closing),
        (.ready, .closing), (.closing, .closing):
        true
      default: false
      }
    }
  }

  /// A subscription that has not ended.
  struct Subscription {
    /// Its operation on this connection.
    var operation: WebSocketOperationID?
    /// Whether it was sent on any connection: the events between that one and the next are missed.
    var wasSent = false
    /// Whether the server has rejected its operation until the credentials are new.
    var awaitsRefresh = false
    /// The state that was delivered last.
    var state: ConnectionState?
  }

  /// The maximum time of the closing handshake.
  static let closingTimeout = Duration.seconds(5)
  /// The time after which a connection was a success: the waits begin anew.
  static let stability = Duration.seconds(10)
  /// The longest wait that a server can ask for.
  static let longestRequestedDelay = Duration.seconds(600)

  let options: WebSocketOptions
  /// The host, for messages.
  let host: String
  /// Whether credentials can be refreshed.
  let allowsRefresh: Bool
  var phase = Phase.idle {
    didSet { assert(oldValue.mayBecome(phase), "\(oldValue) may not become \(phase)") }
  }
  /// The actions that are not executed yet.
  var actions: [Action] = []
  var subscriptions: [SubscriptionID: Subscription] = [:]
  /// The subscriptions by their operations on this connection.
  var operations: [WebSocketOperationID: SubscriptionID] = [:]
  /// The time of the event, measured from any fixed instant.
  var now = Duration.zero
  /// The random number of the event, from 0 to 1.
  var random = 1.0
  var isSuspended = false
  var isRefreshing = false
  var lastOperationID = 0
  /// The number of attempts that have failed in a row.
  var failureCount = 0
  /// Why the last connection has ended, or could not be opened.
  var endReason = "The connection has ended."
  var refreshedAt: Duration?
  /// The end of the last wait. It holds even if no subscription is left meanwhile.
  var earliestAttempt = Duration.zero
  var idleDeadline: Duration?
  var lastMessageAt = Duration.zero
  var pingedAt: Duration?
  var isReadingPaused = false

  init(_ options: WebSocketOptions, host: String, allowsRefresh: Bool) {
    self.options = options.clamped
    self.host = host
    self.allowsRefresh = allowsRefresh
  }

  /// Handles an event; ``actions`` are its consequences.
  ///
  /// - Parameters:
  ///   - time: The time, measured from any fixed instant.
  ///   - random: A number from 0 to 1, for the wait that the event may begin.
  mutating func handle(_ event: Event, at time: Duration, random: Double = 1) {
    now = max(now, time)
    self.random = random
    switch event {
    case .subscribed(let id): add(id)
    case .unsubscribed(let id): remove(id)
    case .opened: initialize()
    case .ended(let failure): handleEnd(failure)
    case .received(let message): receive(message)
    case .rejected(let operation, let failure): reject(operation, failure)
    case .violated(let reason): handleViolation(reason)
    case .paused(let isPaused): setPaused(isPaused)
    case .refreshed(let failure): handleRefresh(failure)
    case .suspended: suspend()
    case .resumed: resume()
    case .time: break
    }
    handleDeadline()
  }

  // MARK: Subscriptions

  mutating func add(_ id: SubscriptionID) {
    subscriptions[id] = Subscription()
    idleDeadline = nil
    if isSuspended { return deliver(.suspended, to: id) }
    switch phase {
    case .idle: begin()
    case .connecting, .initializing, .closing, .refreshing: deliver(.connecting, to: id)
    case .ready: start(id)
    case .waiting(let end): deliver(disconnected(retryAfter: max(.zero, end - now)), to: id)
    }
  }

  mutating func remove(_ id: SubscriptionID) {
    guard let subscription = subscriptions.removeValue(forKey: id) else { return }
    if let operation = subscription.operation {
      operations[operation] = nil
      actions.append(.send(.complete(operation)))
    }
    handleRemoval()
  }

  /// Ends a subscription.
  mutating func end(_ id: SubscriptionID, _ error: RelayError?) {
    guard let subscription = subscriptions.removeValue(forKey: id) else { return }
    if let operation = subscription.operation { operations[operation] = nil }
    actions.append(.end(id, error))
    handleRemoval()
  }

  mutating func handleRemoval() {
    guard subscriptions.isEmpty else { return }
    switch phase {
    case .waiting, .refreshing: phase = .idle
    case .connecting, .initializing, .ready: idleDeadline = now + options.idleTimeout
    case .idle, .closing: break
    }
  }

  mutating func endAll(_ error: RelayError) {
    (failureCount, earliestAttempt) = (0, .zero)
    for id in subscriptions.keys.sorted() { end(id, error) }
  }

  /// Sends a subscription on this connection.
  mutating func start(_ id: SubscriptionID) {
    guard var subscription = subscriptions[id] else { return }
    lastOperationID += 1
    let operation = WebSocketOperationID(rawValue: lastOperationID)
    let isMissingEvents = subscription.wasSent
    subscription.operation = operation
    subscription.wasSent = true
    subscription.awaitsRefresh = false
    subscriptions[id] = subscription
    operations[operation] = id
    deliver(.connected, to: id)
    if isMissingEvents { actions.append(.deliver(id, .gap)) }
    actions.append(.subscribe(id, operation))
  }

  /// The state between the end of the last connection and the next attempt.
  func disconnected(retryAfter delay: Duration) -> ConnectionState {
    .disconnected(retryAfter: delay, reason: endReason)
  }

  /// Whether the server has acknowledged the connection.
  var isReady: Bool { if case .ready = phase { true } else { false } }

  mutating func deliver(_ state: ConnectionState, to id: SubscriptionID) {
    if subscriptions[id]?.state == state { return }
    subscriptions[id]?.state = state
    actions.append(.deliver(id, .connection(state)))
  }

  mutating func deliverToAll(_ state: ConnectionState) {
    for id in subscriptions.keys.sorted() { deliver(state, to: id) }
  }
}
