import RelayNetwork
import RelayStore

/// The state of a ``SubscriptionDriver``, guarded by its lock.
struct SubscriptionDriverState {
  typealias ID = SubscriptionSession.SubscriptionID

  /// An operation to execute outside the lock.
  enum Effect: Sendable {
    case connect(attempt: Int)
    case cancelTask(Task<Void, Never>)
    case cancelConnection(any WebSocketConnection)
    case pause(any WebSocketConnection)
    case unpause(any WebSocketConnection)
    /// Starts the task that sends the outgoing messages.
    case send(any WebSocketConnection)
    case refresh
    /// Starts a timer that fires at `deadline`.
    case setTimer(id: Int, deadline: Duration)
  }

  /// A waiting task and the result to resume it with.
  struct WakeUp: Sendable {
    let waiter: SubscriptionInbox.Waiter
    let result: Result<TransportEvent?, any Error>
  }

  /// The limits of events held back until the opening task provides the connection. Until then, a
  /// server has no reason to send more than pings.
  private static let (earlyCountLimit, earlyByteLimit) = (16, 64 * 1024)

  var session: SubscriptionSession
  var inboxes: [ID: SubscriptionInbox] = [:]
  var lastSubscriptionID = 0
  var connection: (any WebSocketConnection)?
  /// The parameters of the connection, until they are sent.
  var parameters: JSONObject?
  /// The events that arrived before the connection was known; `nil` afterwards.
  private var early: [SubscriptionSession.Event]?
  private var earlyByteCount = 0
  /// Whether more events arrived than can be held back.
  private var isEarlyFull = false
  /// The timer that is running or about to start.
  private var timer: (id: Int, deadline: Duration, task: Task<Void, Never>?)?
  private var lastTimerID = 0
  private var attempt = 0
  /// The task that opens the connection.
  private var task: Task<Void, Never>?
  private var isTaskCancelled = false
  private var outgoing = OutgoingMessages()
  private var effects: [Effect] = []
  private var isExecuting = false
  /// The number of bytes in all inboxes.
  private(set) var queuedByteCount = 0
  private var isReadingPaused = false

  init(_ session: SubscriptionSession) { self.session = session }

  /// Handles an event and applies the resulting actions.
  ///
  /// - Returns: The tasks to resume.
  mutating func handle(
    _ event: SubscriptionSession.Event, at now: Duration, random: Double
  ) -> [WakeUp] {
    session.handle(event, at: now, random: random)
    if case .ended = event { endConnection() }
    var wakeUps: [WakeUp] = []
    // An action may produce further actions.
    var index = 0
    while index < session.actions.count {
      apply(session.actions[index], &wakeUps)
      index += 1
    }
    session.actions.removeAll(keepingCapacity: true)
    adjustReading()
    adjustTimer()
    return wakeUps
  }

  private mutating func apply(_ action: SubscriptionSession.Action, _ wakeUps: inout [WakeUp]) {
    switch action {
    case .deliver(let id, let event): deliver(event, to: id, &wakeUps)
    case .end(let id, let error): end(id, error, &wakeUps)
    case .connect:
      attempt += 1
      (early, earlyByteCount) = ([], 0)
      (isEarlyFull, isTaskCancelled) = (false, false)
      effects.append(.connect(attempt: attempt))
    case .initialize:
      send(.initialization(parameters))
      parameters = nil
    case .subscribe(let id, let operation):
      if let request = inboxes[id]?.request { send(.subscribe(operation, request)) }
    case .send(let message): send(message)
    case .close(let code, let reason):
      outgoing.close(code, reason)
      startSending()
    case .cancel:
      isTaskCancelled = true
      if let task { effects.append(.cancelTask(task)) }
      if let connection { effects.append(.cancelConnection(connection)) }
    case .refresh: effects.append(.refresh)
    }
  }

  // MARK: Inboxes

  private mutating func deliver(_ event: TransportEvent, to id: ID, _ wakeUps: inout [WakeUp]) {
    // In place: copying the inbox would copy its events.
    guard let index = inboxes.index(forKey: id) else { return }
    switch inboxes.values[index].deliver(event) {
    case .discarded: break
    case .queued(let byteCount): queuedByteCount += byteCount
    case .passed(let waiter):
      wakeUps.append(WakeUp(waiter: waiter, result: .success(event)))
    case .tooLarge:
      let error = inboxes.values[index].limitError
      session.handle(.unsubscribed(id), at: session.now)
      end(id, error, &wakeUps)
    }
  }

  private mutating func end(_ id: ID, _ error: RelayError?, _ wakeUps: inout [WakeUp]) {
    guard let index = inboxes.index(forKey: id) else { return }
    var error = error
    error?.operationName = inboxes.values[index].name
    let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
    inboxes.values[index].finish(result)
    guard let waiter = inboxes.values[index].waiter else { return }
    inboxes.values[index].waiter = nil
    wakeUps.append(WakeUp(waiter: waiter, result: result.map { nil }))
  }

  /// Removes the next event of a subscription or returns its end; `nil` if there is neither.
  mutating func takeFirst(_ id: ID) -> Result<TransportEvent?, any Error>? {
    guard let index = inboxes.index(forKey: id) else { return .failure(CancellationError()) }
    if let (event, byteCount) = inboxes.values[index].takeFirst() {
      removeBytes(byteCount)
      return .success(event)
    }
    return inboxes.values[index].end.map { $0.map { nil } }
  }

  /// Registers that bytes have left the inboxes.
  mutating func removeBytes(_ count: Int) {
    queuedByteCount -= count
    adjustReading()
  }

  /// Pauses reading when too many bytes are waiting; continues when half of them are left.
  private mutating func adjustReading() {
    guard let connection else { return }
    let limit = session.options.bufferByteLimit
    // The server's acknowledgement must be read.
    if !isReadingPaused, queuedByteCount > limit, session.isReady {
      isReadingPaused = true
      effects.append(.pause(connection))
    } else if isReadingPaused, queuedByteCount <= limit / 2 {
      isReadingPaused = false
      effects.append(.unpause(connection))
    }
  }

  /// Handles a pause or continuation of reading.
  mutating func handlePause(
    _ isPaused: Bool, of connection: any WebSocketConnection, at now: Duration
  ) -> [WakeUp] {
    guard connection === self.connection else { return [] }
    return handle(.paused(isPaused), at: now, random: 1)
  }

  // MARK: Sending

  private mutating func send(_ message: WebSocketClientMessage) {
    outgoing.append(message)
    startSending()
  }

  private mutating func startSending() {
    guard let connection, !outgoing.isSending, !outgoing.isEmpty else { return }
    outgoing.isSending = true
    effects.append(.send(connection))
  }

  /// Removes the next message to send; `nil` if there is none or the connection has ended.
  mutating func nextOutgoing(of connection: any WebSocketConnection) -> OutgoingMessages.Item? {
    guard connection === self.connection else { return nil }
    let item = outgoing.removeFirst()
    if item == nil { outgoing.isSending = false }
    return item
  }

  // MARK: The connection

  /// Sets the task that opens the connection.
  ///
  /// - Returns: `false` if the task must be cancelled instead.
  mutating func setTask(_ task: Task<Void, Never>, attempt: Int) -> Bool {
    guard attempt == self.attempt, early != nil else { return true }
    self.task = task
    return !isTaskCancelled
  }

  /// Sets the open connection and handles the events held back until now.
  mutating func open(
    _ connection: any WebSocketConnection, _ parameters: JSONObject?, at now: Duration,
    random: Double
  ) -> [WakeUp] {
    let attempt = attempt
    (self.connection, self.parameters, task) = (connection, parameters, nil)
    var wakeUps = handle(.opened, at: now, random: random)
    // One of the events may end the connection and start the next attempt.
    while attempt == self.attempt, let event = early?.first {
      early?.removeFirst()
      wakeUps += handle(event, at: now, random: random)
    }
    if attempt == self.attempt { early = nil }
    return wakeUps
  }

  /// Handles an event of a connection, or holds it back until the opening task provides the
  /// connection.
  ///
  /// - Parameter byteCount: The size of the message.
  mutating func receive(
    _ event: SubscriptionSession.Event, byteCount: Int, attempt: Int, at now: Duration,
    random: Double
  ) -> [WakeUp] {
    guard attempt == self.attempt else { return [] }
    if early == nil { return handle(event, at: now, random: random) }
    earlyByteCount += byteCount
    if case .ended = event {
      early?.append(event)
    } else if early?.count ?? 0 < Self.earlyCountLimit, earlyByteCount <= Self.earlyByteLimit {
      early?.append(event)
    } else if !isEarlyFull {
      isEarlyFull = true
      early?.append(.violated("it received too much before it was initialized"))
    }
    return []
  }

  private mutating func endConnection() {
    (connection, task, parameters, early) = (nil, nil, nil, nil)
    outgoing = OutgoingMessages()
    isReadingPaused = false
  }

  // MARK: Effects and the timer

  var hasEffects: Bool { !effects.isEmpty }

  mutating func beginEffects() -> Bool {
    if isExecuting || effects.isEmpty { return false }
    isExecuting = true
    return true
  }

  mutating func nextEffect() -> Effect? {
    if effects.isEmpty {
      isExecuting = false
      return nil
    }
    return effects.removeFirst()
  }

  /// Sets the timer to the session's deadline. An earlier timer is retained; when it fires, it
  /// starts the next one.
  private mutating func adjustTimer() {
    let deadline = session.deadline
    if let timer, deadline == nil || timer.deadline > deadline ?? .zero {
      if let task = timer.task { effects.append(.cancelTask(task)) }
      self.timer = nil
    }
    guard let deadline, timer == nil else { return }
    lastTimerID += 1
    timer = (lastTimerID, deadline, nil)
    effects.append(.setTimer(id: lastTimerID, deadline: deadline))
  }

  /// Sets the task of a timer.
  ///
  /// - Returns: `false` if the timer has become obsolete.
  mutating func setTimer(_ task: Task<Void, Never>, id: Int) -> Bool {
    guard timer?.id == id else { return false }
    timer?.task = task
    return true
  }

  /// Removes a timer that has fired.
  mutating func removeTimer(id: Int) {
    if timer?.id == id { timer = nil }
  }
}

extension [SubscriptionDriverState.WakeUp] {
  /// Resumes the tasks.
  func resume() {
    for wakeUp in self { wakeUp.waiter.resume(with: wakeUp.result) }
  }
}
