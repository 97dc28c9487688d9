import SeededRandom
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("Storms of events of a WebSocket session", .timeLimit(.minutes(1)))
struct WebSocketStormTests {
  @Test("10,000 random storms have one socket at most, lose no subscription, and report each gap")
  func storms() {
    let seed = UInt64.random(in: 0 ... .max)
    var reached: [String: Int] = [:]
    for index in 0..<10_000 {
      var storm = WebSocketStorm(seed: seed &+ UInt64(index))
      storm.run(steps: 60)
      if let fault = storm.fault {
        Issue.record("Seed \(seed &+ UInt64(index)): \(fault)")
        return
      }
      reached.merge(storm.reached) { $0 + $1 }
    }
    let expected = [
      "gap", "suspended", "disconnected", "fatal", "refresh", "rejected operation", "paused",
      "dead", "ack timeout", "violation", "closing timeout", "completed", "idle",
    ]
    for state in expected where reached[state, default: 0] < 50 {
      Issue.record("Seed \(seed): \"\(state)\" was reached \(reached[state, default: 0]) times")
    }
  }
}

/// A session, and a model of its environment that checks its actions.
struct WebSocketStorm {
  private enum Socket { case none, opening, open, initialized, ready, closing }
  private typealias ID = SubscriptionSession.SubscriptionID

  /// The model's knowledge of a subscription.
  private struct Subscriber {
    var wasSent = false
    var operation: WebSocketOperationID?
    /// Whether a gap must precede the next response.
    var owesGap = false
    var isConnected = false
    var isRejected = false
  }

  private(set) var fault: String?
  private(set) var reached: [String: Int] = [:]
  private var generator: SeededGenerator
  private var session: SubscriptionSession
  private var now = Duration.zero
  private var socket = Socket.none
  private var isRefreshing = false
  private var subscribers: [ID: Subscriber] = [:]
  private var lastID = 0
  private var sentOperations: Set<Int> = []
  private var expectedResponse: (ID, [UInt8])?
  private var isCalm = false

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    var options = WebSocketOptions()
    options.idleTimeout = .seconds(Int.random(in: 0...5, using: &generator))
    session = SubscriptionSession(
      options, host: "localhost", allowsRefresh: Bool.random(using: &generator))
  }

  /// Runs random events, then a calm in which every subscription must be sent, then the end.
  mutating func run(steps: Int) {
    for _ in 0..<steps where fault == nil { step() }
    calm()
  }

  private mutating func fail(_ text: String) { fault = fault ?? "\(text) at \(now)" }

  private mutating func reach(_ state: String) { reached[state, default: 0] += 1 }

  // MARK: Events

  private mutating func handle(_ event: SubscriptionSession.Event) {
    session.handle(event, at: now, random: Double.random(in: 0...1, using: &generator))
    let actions = session.actions
    session.actions = []
    for action in actions where fault == nil { check(action) }
    if let (id, _) = expectedResponse { fail("A response of \(id.rawValue) was not delivered") }
    if let deadline = session.deadline, deadline <= now { fail("A deadline has passed") }
  }

  private mutating func step() {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1: subscribe()
    case 2: unsubscribe()
    case 3: advance()
    case 4: if chance(3) { handle(.suspended) } else { handle(.resumed) }
    case 5: finishRefresh()
    case 6: fireDeadline()
    default: stepSocket()
    }
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &generator) == 0
  }

  private mutating func subscribe() {
    lastID += 1
    let id = ID(rawValue: lastID)
    subscribers[id] = Subscriber()
    handle(.subscribed(id))
  }

  private mutating func unsubscribe() {
    guard let id = subscribers.keys.sorted().randomElement(using: &generator) else { return }
    subscribers[id] = nil
    handle(.unsubscribed(id))
    handle(.unsubscribed(id))
  }

  private mutating func advance() {
    now += .milliseconds(Int.random(in: 0...20_000, using: &generator))
    // A timer may be late, but it fires.
    if let deadline = session.deadline, deadline <= now { handle(.time) }
  }

  private mutating func fireDeadline() {
    guard let deadline = session.deadline else { return }
    now = max(now, deadline)
    handle(.time)
  }

  private mutating func finishRefresh() {
    guard isRefreshing else { return }
    isRefreshing = false
    let isFailure = !isCalm && chance(3)
    let failure = ConnectionFailure(
      consequence: chance(2) ? .retry : .fatal, error: RelayError(.transport, "No token"))
    handle(.refreshed(isFailure ? failure : nil))
  }

  private mutating func stepSocket() {
    switch socket {
    case .none: break
    case .opening:
      if chance(3) { return end() }
      socket = .open
      handle(.opened)
    case .open: break
    case .initialized:
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: end()
      case 1: handle(.received(.ping(nil)))
      case 2: handle(.received(.next(.unknown, [])))
      default:
        socket = .ready
        handle(.received(.acknowledgement))
      }
    case .ready: stepReady()
    case .closing:
      // Messages that cross the close frame are ignored.
      if chance(2) { handle(.received(.next(.init(rawValue: 1), [1]))) } else { end() }
    }
  }

  private mutating func stepReady() {
    let live = subscribers.filter { $0.value.operation != nil }.keys.sorted()
    let id = live.randomElement(using: &generator)
    let operation = id.flatMap { subscribers[$0]?.operation } ?? .unknown
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: end()
    case 1:
      reach("violation")
      handle(.violated("it received nonsense"))
    case 2:
      if let id { finish(id) }
      handle(.received(.complete(operation)))
      handle(.received(.complete(operation)))
      reach("completed")
    case 3:
      if let id { finish(id) }
      handle(.received(.error(operation, [GraphQLError(message: "No")])))
    case 4:
      if let id { subscribers[id]?.isRejected = true }
      if let id { subscribers[id]?.operation = nil }
      handle(
        .received(
          .error(
            operation, [GraphQLError(message: "No", extensions: ["code": "UNAUTHENTICATED"])])))
      reach("rejected operation")
    case 5:
      handle(.paused(true))
      reach("paused")
    case 6: handle(.paused(false))
    case 7:
      handle(
        .received(
          .next(
            .init(rawValue: Int.random(in: 0...lastID * 3 + 1, using: &generator) + 1_000_000), [9])
        ))
    case 8: handle(.received(.pong))
    default:
      guard let id else { return }
      let body = [UInt8](repeating: 7, count: Int.random(in: 0...3, using: &generator))
      expectedResponse = (id, body)
      handle(.received(.next(operation, body)))
    }
  }

  /// Expects the server to end a subscription.
  private mutating func finish(_ id: ID) { subscribers[id]?.isRejected = true }

  /// Ends the connection for a random reason.
  private mutating func end() {
    socket = .none
    let consequences: [ConnectionFailure.Consequence] = [.retry, .retry, .retry, .refresh, .fatal]
    var failure = ConnectionFailure(
      consequence: consequences.randomElement(using: &generator) ?? .retry,
      error: RelayError(.transport, "Lost"))
    if isCalm { failure.consequence = .retry }
    if failure.consequence == .fatal { reach("fatal") }
    for id in subscribers.keys { subscribers[id]?.operation = nil }
    handle(.ended(failure))
  }

  // MARK: Actions

  private mutating func check(_ action: SubscriptionSession.Action) {
    switch action {
    case .connect:
      if socket != .none { fail("A second socket") }
      if isRefreshing { fail("A connection with old credentials") }
      socket = .opening
    case .initialize:
      if socket != .open { fail("An initialization of \(socket)") }
      socket = .initialized
    case .subscribe(let id, let operation): checkSubscribe(id, operation)
    case .send(let message): checkSend(message)
    case .close(let code, _):
      if socket != .initialized && socket != .ready { fail("A close frame of \(socket)") }
      if code.rawValue == 4504 { reach("ack timeout") }
      if code == .normalClosure { reach("idle") }
      beginClosing()
    case .cancel:
      if socket == .none { fail("There is nothing to cancel") }
      reach(socket == .closing ? "closing timeout" : "dead")
      beginClosing()
    case .refresh:
      if isRefreshing { fail("A second refresh") }
      isRefreshing = true
      reach("refresh")
    case .deliver(let id, let event): checkDelivery(event, to: id)
    case .end(let id, let error):
      guard let subscriber = subscribers.removeValue(forKey: id) else {
        return fail("A second end")
      }
      if error == nil, !subscriber.isRejected { fail("A completion that the server has not sent") }
    }
  }

  private mutating func beginClosing() {
    socket = .closing
    for id in subscribers.keys { subscribers[id]?.operation = nil }
  }

  private mutating func checkSubscribe(_ id: ID, _ operation: WebSocketOperationID) {
    guard let subscriber = subscribers[id] else { return fail("A subscription that has ended") }
    if socket != .ready { fail("A subscription over \(socket)") }
    if subscriber.operation != nil { fail("A subscription that is sent already") }
    if subscriber.owesGap { fail("A subscription without its gap") }
    if !subscriber.isConnected { fail("A subscription that is not told to be connected") }
    if !sentOperations.insert(operation.rawValue).inserted { fail("An id is used twice") }
    subscribers[id]?.operation = operation
    subscribers[id]?.wasSent = true
    subscribers[id]?.isRejected = false
  }

  private mutating func checkSend(_ message: WebSocketClientMessage) {
    switch message {
    case .complete(let operation):
      if socket != .ready || !sentOperations.contains(operation.rawValue) {
        fail("The end of an operation that was not sent")
      }
    case .ping, .pong:
      if socket != .initialized && socket != .ready { fail("A ping over \(socket)") }
    case .initialization, .subscribe: fail("An unexpected message")
    }
  }

  private mutating func checkDelivery(_ event: TransportEvent, to id: ID) {
    guard let subscriber = subscribers[id] else { return fail("An event after the end") }
    switch event {
    case .response(let response):
      guard let (expected, body) = expectedResponse, expected == id, body == response.body else {
        return fail("An unexpected response")
      }
      expectedResponse = nil
      if subscriber.owesGap { fail("A response before the gap") }
    case .gap:
      if !subscriber.owesGap { fail("A gap without a reason") }
      if !subscriber.isConnected { fail("A gap before the connection") }
      subscribers[id]?.owesGap = false
      reach("gap")
    case .connection(let state):
      subscribers[id]?.isConnected = state == .connected
      switch state {
      case .connected: subscribers[id]?.owesGap = subscriber.wasSent
      case .disconnected: reach("disconnected")
      case .suspended: reach("suspended")
      case .connecting: break
      }
    }
  }

  // MARK: The calm

  /// Lets every connection succeed until all subscriptions are sent, then ends them.
  private mutating func calm() {
    isCalm = true
    subscribe()
    handle(.resumed)
    for _ in 0..<20 where fault == nil && !isComplete {
      switch socket {
      case .none: if isRefreshing { finishRefresh() } else { fireDeadline() }
      case .opening:
        socket = .open
        handle(.opened)
      case .initialized:
        socket = .ready
        handle(.received(.acknowledgement))
      case .ready: finishRefresh()
      case .open, .closing: end()
      }
    }
    if fault == nil, !isComplete { fail("Subscriptions are lost: \(session.phase)") }
    while fault == nil, !subscribers.isEmpty { unsubscribe() }
    for _ in 0..<10 where fault == nil && session.deadline != nil {
      if socket == .closing { end() } else { fireDeadline() }
    }
    if socket == .closing { end() }
    if isRefreshing { finishRefresh() }
    if fault == nil, socket != .none || session.deadline != nil || !session.operations.isEmpty {
      fail("Something is left: \(socket), \(session.phase)")
    }
  }

  private var isComplete: Bool {
    socket == .ready && subscribers.values.allSatisfy { $0.operation != nil && !$0.owesGap }
  }
}
