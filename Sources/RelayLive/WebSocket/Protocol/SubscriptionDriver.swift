import Foundation
import RelayNetwork
import RelayStore

/// The driver of a ``SubscriptionSession``: its socket, clock, tasks and queues.
///
/// One lock guards the session and the driver's own state. The session's actions are applied under
/// the lock. Events go to the inboxes and messages to the outgoing queue; everything that must run
/// outside the lock becomes an effect. Effects run in order, on one thread at a time. Continuations
/// are resumed outside the lock.
final class SubscriptionDriver: Sendable {
  typealias ID = SubscriptionSession.SubscriptionID

  /// The app's parameters for each connection.
  struct Configuration: Sendable {
    let url: URL
    let headers: @Sendable () async throws -> [String: String]
    let parameters: @Sendable () async throws -> JSONObject?
    let refresh: (@Sendable () async throws -> Void)?
    let options: WebSocketOptions
    let random: @Sendable () -> Double

    var host: String { url.host ?? "the server" }
  }

  private static let subprotocol = "graphql-transport-ws"

  private let configuration: Configuration
  private let connector: any WebSocketConnector
  private let clock: ElapsedClock
  private let state: Locked<SubscriptionDriverState>

  init(
    _ configuration: Configuration, connector: any WebSocketConnector, clock: any Clock<Duration>
  ) {
    self.configuration = configuration
    self.connector = connector
    self.clock = ElapsedClock(clock)
    let session = SubscriptionSession(
      configuration.options, host: configuration.host,
      allowsRefresh: configuration.refresh != nil)
    state = Locked(SubscriptionDriverState(session), rank: .consumer)
  }

  // MARK: Subscriptions

  /// Subscribes and passes the events to a closure until the subscription ends.
  ///
  /// - Throws: The error that ended the subscription; any error thrown by `receive`;
  ///   `CancellationError` when the task is cancelled.
  func stream(_ request: GraphQLRequest, _ receive: TransportReceiver) async throws {
    try Task.checkCancellation()
    let id = subscribe(request)
    defer { unsubscribe(id) }
    try await withTaskCancellationHandler {
      while let event = try await next(id) { try await receive(event) }
    } onCancel: {
      unsubscribe(id)
    }
  }

  /// Starts a subscription.
  func subscribe(_ request: GraphQLRequest) -> ID {
    let (now, random) = (clock.now(), configuration.random())
    let inbox = SubscriptionInbox(request)
    let (id, wakeUps) = state.withLock { state in
      state.lastSubscriptionID += 1
      let id = ID(rawValue: state.lastSubscriptionID)
      state.inboxes[id] = inbox
      return (id, state.handle(.subscribed(id), at: now, random: random))
    }
    wakeUps.resume()
    execute()
    return id
  }

  /// Ends a subscription and discards its events; a no-op if it has already ended.
  func unsubscribe(_ id: ID) {
    let (now, random) = (clock.now(), configuration.random())
    let (waiter, wakeUps) = state.withLock { state in
      let inbox = state.inboxes.removeValue(forKey: id)
      state.removeBytes(inbox?.byteCount ?? 0)
      return (inbox?.waiter, state.handle(.unsubscribed(id), at: now, random: random))
    }
    waiter?.resume(throwing: CancellationError())
    wakeUps.resume()
    execute()
  }

  /// Returns the next event of a subscription, waiting if necessary; `nil` after the last one.
  ///
  /// - Throws: The error that ended the subscription; `CancellationError` after
  ///   ``unsubscribe(_:)``.
  func next(_ id: ID) async throws -> TransportEvent? {
    let (ready, hasEffects) = state.withLock { ($0.takeFirst(id), $0.hasEffects) }
    if hasEffects { execute() }
    if let ready { return try ready.get() }
    return try await withCheckedThrowingContinuation { continuation in
      let ready = state.withLock { state -> Result<TransportEvent?, any Error>? in
        if let ready = state.takeFirst(id) { return ready }
        state.inboxes[id]?.waiter = continuation
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }

  /// Handles an event from the app, a timer or a task.
  func handle(_ event: SubscriptionSession.Event) {
    let (now, random) = (clock.now(), configuration.random())
    state.withLock { $0.handle(event, at: now, random: random) }.resume()
    execute()
  }

  // MARK: Effects

  /// Executes the effects, unless another thread is doing so.
  private func execute() {
    guard state.withLock({ $0.beginEffects() }) else { return }
    while let effect = state.withLock({ $0.nextEffect() }) { execute(effect) }
  }

  private func execute(_ effect: SubscriptionDriverState.Effect) {
    switch effect {
    case .connect(let attempt): connect(attempt)
    case .cancelTask(let task): task.cancel()
    case .cancelConnection(let connection): connection.cancel()
    case .pause(let connection):
      connection.pauseReading()
      handlePause(true, of: connection)
    case .unpause(let connection):
      connection.resumeReading()
      handlePause(false, of: connection)
    case .send(let connection): send(over: connection)
    case .refresh: refresh()
    case .setTimer(let id, let deadline): setTimer(id, deadline)
    }
  }

  private func handlePause(_ isPaused: Bool, of connection: any WebSocketConnection) {
    let now = clock.now()
    state.withLock { $0.handlePause(isPaused, of: connection, at: now) }.resume()
  }

  /// Opens a connection in a separate task, because all subscriptions share it.
  private func connect(_ attempt: Int) {
    let task = Task.detached { [self] in
      do {
        var request = WebSocketRequest(url: configuration.url)
        request.headers = try await configuration.headers()
        try HeaderFields.check(request.headers)
        let parameters = try await configuration.parameters()
        try Task.checkCancellation()
        request.subprotocols = [Self.subprotocol]
        request.messageByteLimit = configuration.options.messageByteLimit
        request.timeout = configuration.options.connectionTimeout
        let connection = try await connector.connect(to: request) { [self] event in
          receive(event, attempt)
        }
        open(connection, parameters)
      } catch {
        handle(.ended(ConnectionFailure(opening: error, host: configuration.host)))
      }
    }
    let isWanted = state.withLock { $0.setTask(task, attempt: attempt) }
    if !isWanted { task.cancel() }
  }

  private func open(_ connection: any WebSocketConnection, _ parameters: JSONObject?) {
    let (now, random) = (clock.now(), configuration.random())
    state.withLock { $0.open(connection, parameters, at: now, random: random) }.resume()
    execute()
  }

  private func refresh() {
    Task.detached { [self] in
      do {
        try await configuration.refresh?()
        handle(.refreshed(nil))
      } catch {
        handle(.refreshed(ConnectionFailure(opening: error, host: configuration.host)))
      }
    }
  }

  /// Sends the outgoing messages one at a time until none is left.
  private func send(over connection: any WebSocketConnection) {
    Task.detached { [self] in
      while let item = state.withLock({ $0.nextOutgoing(of: connection) }) {
        switch item {
        // After a failure, the end of the connection follows.
        case .message(let message): try? await connection.send(message)
        case .close(let code, let reason): connection.close(code: code, reason: reason)
        }
      }
    }
  }

  private func setTimer(_ id: Int, _ deadline: Duration) {
    let task = Task.detached { [weak self, clock] in
      try? await clock.sleep(deadline)
      if !Task.isCancelled { self?.handleTimer(id) }
    }
    let isWanted = state.withLock { $0.setTimer(task, id: id) }
    if !isWanted { task.cancel() }
  }

  private func handleTimer(_ id: Int) {
    state.withLock { $0.removeTimer(id: id) }
    handle(.time)
  }

  // MARK: The connection

  /// Handles an event of a connection, on the connector's thread. Messages are parsed before taking
  /// the lock.
  private func receive(_ event: WebSocketConnectionEvent, _ attempt: Int) {
    switch event {
    case .text(let bytes):
      do throws(WebSocketMessageError) {
        receive(.received(try WebSocketServerMessage(bytes)), attempt, byteCount: bytes.count)
      } catch {
        receive(.violated("it received \(error)"), attempt)
      }
    case .binary: receive(.violated("it received a binary message"), attempt)
    case .pong: receive(.received(.pong), attempt)
    case .message(let message): receive(.received(message), attempt, byteCount: message.byteCount)
    case .rejected(let operation, let failure):
      receive(SubscriptionSession.Event.rejected(operation, failure), attempt)
    case .closed(let end):
      let failure = ConnectionFailure(end, host: configuration.host)
      receive(.ended(failure), attempt, random: configuration.random())
    }
  }

  private func receive(
    _ event: SubscriptionSession.Event, _ attempt: Int, byteCount: Int = 0, random: Double = 1
  ) {
    let now = clock.now()
    let (wakeUps, hasEffects) = state.withLock { state in
      let wakeUps = state.receive(
        event, byteCount: byteCount, attempt: attempt, at: now, random: random)
      return (wakeUps, state.hasEffects)
    }
    wakeUps.resume()
    if hasEffects { execute() }
  }
}

/// A clock whose instants are durations since its creation.
struct ElapsedClock: Sendable {
  /// Returns the time since the clock's creation.
  let now: @Sendable () -> Duration
  /// Sleeps until an instant; the duration is clamped by ``Swift/Duration/clampedForSleep``.
  let sleep: @Sendable (_ deadline: Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { deadline in
      let now = start.duration(to: clock.now)
      let end = now + (deadline - now).clampedForSleep
      try await clock.sleep(until: start.advanced(by: end), tolerance: nil)
    }
  }
}
