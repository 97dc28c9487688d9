import RelayNetwork
import RelayStore

/// The state machine of the subscriptions over one connection, without socket, clock and tasks:
/// events go in, actions come out. The connection is a WebSocket or, for ``EventStreamTransport``,
/// an event stream.
///
/// There is at most one connection. After ``Action/connect``, the next one is requested only after
/// ``Event/ended(_:)``.
struct SubscriptionSession {
  /// The identifier of a subscription, stable across reconnections.
  struct SubscriptionID: Hashable, Comparable, Sendable {
    let rawValue: Int
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// An event outside the session.
  enum Event: Sendable {
    case subscribed(SubscriptionID)
    /// The subscriber ended a subscription. A no-op if it has already ended.
    case unsubscribed(SubscriptionID)
    /// The connection is open.
    case opened
    /// The connection has ended or could not be opened. The last event of each connection.
    case ended(ConnectionFailure)
    case received(WebSocketServerMessage)
    /// The server rejected an operation.
    case rejected(WebSocketOperationID, ConnectionFailure)
    /// The server violated the protocol; the reason follows "because".
    case violated(String)
    /// Reading is paused (`true`) or continues (`false`), depending on the messages waiting for
    /// subscriptions.
    case paused(Bool)
    /// The credentials were refreshed, or the refresh failed.
    case refreshed(ConnectionFailure?)
    case suspended
    case resumed
    /// ``deadline`` may have passed.
    case time
  }

  /// A reaction of the session. Actions are executed in order.
  enum Action: Sendable {
    /// Opens a connection.
    case connect
    /// Sends `connection_init` with this connection's parameters.
    case initialize
    /// Sends the `subscribe` message of a subscription.
    case subscribe(SubscriptionID, WebSocketOperationID)
    case send(WebSocketClientMessage)
    /// Closes the connection after the messages sent before.
    case close(WebSocketCloseCode, String)
    /// Ends the connection, or the attempt to open it, at once.
    case cancel
    /// Refreshes the credentials.
    case refresh
    case deliver(SubscriptionID, TransportEvent)
    /// Ends a subscription, with an error or by completion.
    case end(SubscriptionID, RelayError?)
  }

  /// The phases and their transitions. When a connection ends, the phase becomes `idle`; the next
  /// phase follows within the same event.
  ///
  ///     idle          →  connecting | waiting | refreshing
  ///     connecting    →  initializing | closing | idle
  ///     initializing  →  ready | closing | idle
  ///     ready         →  closing | idle
  ///     closing       →  closing (without a deadline, or another consequence) | idle
  ///     waiting       →  connecting | idle
  ///     refreshing    →  connecting | waiting | idle
  enum Phase {
    /// There is no connection, and none is needed.
    case idle
    /// The connection is being opened.
    case connecting
    /// The server has not yet acknowledged the connection.
    case initializing(deadline: Duration)
    /// The server has acknowledged the connection.
    case ready(since: Duration)
    /// The session has closed the connection. `failure` determines what follows the end; `nil`
    /// means a new connection if there are subscriptions.
    case closing(deadline: Duration?, failure: ConnectionFailure?)
    /// An attempt has failed; the next one is scheduled.
    case waiting(until: Duration)
    /// Waits for new credentials.
    case refreshing

    /// Whether `next` may follow this phase.
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
    /// The operation on this connection.
    var operation: WebSocketOperationID?
    /// Whether the subscription was sent on any connection. If so, events up to the next connection
    /// are missed.
    var wasSent = false
    /// Whether the server rejected the operation, which now waits for new credentials.
    var awaitsRefresh = false
    /// The last delivered state.
    var state: ConnectionState?
  }

  /// The maximum time of the closing handshake.
  static let closingTimeout = Duration.seconds(5)
  /// The duration after which a connection counts as successful and the waits start over.
  static let stability = Duration.seconds(10)
  /// The longest wait that a server can request.
  static let longestRequestedDelay = Duration.seconds(600)

  let options: WebSocketOptions
  /// The host, for messages.
  let host: String
  /// Whether credentials can be refreshed.
  let allowsRefresh: Bool
  var phase = Phase.idle {
    didSet { assert(oldValue.mayBecome(phase), "\(oldValue) may not become \(phase)") }
  }
  /// The actions not yet executed.
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
  /// The number of consecutive failed attempts.
  var failureCount = 0
  /// The reason why the last connection ended or could not be opened.
  var endReason = "The connection has ended."
  var refreshedAt: Duration?
  /// The end of the last wait. It applies even if all subscriptions end in the meantime.
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

  /// Handles an event; the resulting reactions are in ``actions``.
  ///
  /// - Parameters:
  ///   - time: The time, measured from any fixed instant.
  ///   - random: A number from 0 to 1, for a wait that the event may start.
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

  /// Returns the state between the end of the last connection and the next attempt.
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
