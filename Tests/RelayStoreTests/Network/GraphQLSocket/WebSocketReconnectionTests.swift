import RelayStoreTesting
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("Reconnections of a WebSocket transport", .timeLimit(.minutes(1)))
struct WebSocketReconnectionTests {
  private static let lost = RelayError(.transport, "Refused").retryable

  @Test("a lost connection is opened again after a wait, with a gap behind the state")
  func reconnects() async throws {
    let scripted = ScriptedTransport()
    let (subscriber, first) = await scripted.begin()
    #expect(await first.subscribed() == "1")
    first.sendNext("1", "1")
    first.lose()
    #expect(await subscriber.next(2) == [.data(#"{"data":1}"#), .disconnected(.seconds(1))])
    try await scripted.clock.sleepers(1)
    scripted.clock.advance(by: .seconds(1))
    let second = await scripted.connector.nextReady()
    #expect(await second.subscribed() == "2")
    second.sendNext("1", "\"late\"")
    second.sendNext("2", "2")
    #expect(
      await subscriber.next(4) == [.connecting, .connected, .gap, .data(#"{"data":2}"#)])
    #expect(scripted.connector.maximumOpenCount == 1)
  }

  @Test("the waits double up to thirty seconds, and begin anew after a connection that held")
  func waits() async throws {
    let scripted = ScriptedTransport(
      ScriptedConnector { (1...7).contains($0) ? .fail(Self.lost) : .open })
    let (subscriber, first) = await scripted.begin()
    first.lose()
    for seconds in [1, 2, 4, 8, 16, 30, 30, 30] {
      #expect(await subscriber.next() == .disconnected(.seconds(seconds)))
      try await scripted.clock.sleepers(1)
      scripted.clock.advance(by: .seconds(seconds))
      #expect(await subscriber.next() == .connecting)
    }
    let second = await scripted.connector.nextReady()
    #expect(await subscriber.next(2) == [.connected, .gap])
    try await scripted.clock.sleepers(1)
    scripted.clock.advance(by: .seconds(10))
    second.lose()
    #expect(await subscriber.next() == .disconnected(.seconds(1)))
  }

  @Test("a connection that is accepted and lost at once does not begin the waits anew")
  func shortConnections() async throws {
    let scripted = ScriptedTransport()
    let subscriber = ScriptedSubscriber(scripted.transport)
    for seconds in [1, 2, 4] {
      let connection = await scripted.connector.nextReady()
      _ = await connection.subscribed()
      connection.close(1011)
      while let event = await subscriber.next(), event != .disconnected(.seconds(seconds)) {}
      try await scripted.clock.sleepers(1)
      scripted.clock.advance(by: .seconds(seconds))
    }
  }

  @Test("the first attempt may fail, and the random number is the part of the wait")
  func offlineStart() async throws {
    let scripted = ScriptedTransport(
      ScriptedConnector { $0 == 0 ? .fail(Self.lost) : .open }, random: 0.25)
    let subscriber = ScriptedSubscriber(scripted.transport)
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.milliseconds(250))])
    try await scripted.clock.sleepers(1)
    scripted.clock.advance(by: .milliseconds(250))
    _ = await scripted.connector.nextReady()
    #expect(await subscriber.next(2) == [.connecting, .connected])
  }

  @Test("the wait is no shorter than the server asks for")
  func retryAfter() async {
    var busy = RelayError(.transport, "Busy")
    busy.setStatus(503, retryAfter: .seconds(90))
    let scripted = ScriptedTransport(ScriptedConnector { [busy] _ in .fail(busy) })
    let subscriber = ScriptedSubscriber(scripted.transport)
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(90))])
  }

  @Test("subscriptions that begin during a wait or an attempt join it")
  func joining() async throws {
    let scripted = ScriptedTransport(ScriptedConnector { $0 == 0 ? .fail(Self.lost) : .open })
    let first = ScriptedSubscriber(scripted.transport)
    #expect(await first.next(2) == [.connecting, .disconnected(.seconds(1))])
    try await scripted.clock.sleepers(1)
    scripted.clock.advance(by: .milliseconds(400))
    let second = ScriptedSubscriber(scripted.transport)
    #expect(await second.next() == .disconnected(.milliseconds(600)))
    scripted.clock.advance(by: .milliseconds(600))
    let connection = await scripted.connector.next()
    let third = ScriptedSubscriber(scripted.transport)
    #expect(await third.next() == .connecting)
    await connection.acknowledge()
    for subscriber in [first, second] {
      #expect(await subscriber.next(2) == [.connecting, .connected])
    }
    #expect(await third.next() == .connected)
    let ids = [
      await connection.subscribed(), await connection.subscribed(), await connection.subscribed(),
    ]
    #expect(ids == ["1", "2", "3"])
    #expect(scripted.connector.requests.count == 2)
  }

  @Test("a wait holds for subscriptions that begin after all others have left")
  func abandonedWait() async throws {
    let scripted = ScriptedTransport(ScriptedConnector { $0 == 0 ? .fail(Self.lost) : .open })
    let first = ScriptedSubscriber(scripted.transport)
    #expect(await first.next(2) == [.connecting, .disconnected(.seconds(1))])
    try await scripted.clock.sleepers(1)
    first.cancel()
    await first.end()
    try await scripted.settle()
    scripted.clock.advance(by: .milliseconds(300))
    let second = ScriptedSubscriber(scripted.transport)
    #expect(await second.next() == .disconnected(.milliseconds(700)))
    try await scripted.clock.sleepers(1)
    scripted.clock.advance(by: .milliseconds(700))
    _ = await scripted.connector.nextReady()
    #expect(await second.next(2) == [.connecting, .connected])
  }

  @Test("a subscription that begins when a wait is over wakes those that waited")
  func lateTimer() async throws {
    let scripted = ScriptedTransport(ScriptedConnector { $0 == 0 ? .fail(Self.lost) : .open })
    let first = ScriptedSubscriber(scripted.transport)
    #expect(await first.next(2) == [.connecting, .disconnected(.seconds(1))])
    try await scripted.clock.sleepers(1)
    // Either the timer or the subscription ends the wait first.
    scripted.clock.advance(by: .seconds(1))
    let second = ScriptedSubscriber(scripted.transport)
    _ = await scripted.connector.nextReady()
    #expect(await first.next(2) == [.connecting, .connected])
    while let event = await second.next(), event != .connected {}
  }

  @Test("a subscription that begins while the connection closes has the next one")
  func subscribeWhileClosing() async {
    var options = WebSocketOptions()
    options.idleTimeout = .zero
    let scripted = ScriptedTransport(options: options)
    let (first, closing) = await scripted.begin()
    _ = await closing.subscribed()
    closing.ignoreClose()
    first.cancel()
    _ = await closing.received()
    #expect(await closing.received() == "close 1000 ")
    let second = ScriptedSubscriber(scripted.transport)
    #expect(await second.next() == .connecting)
    #expect(scripted.connector.requests.count == 1)
    closing.close(1000)
    let connection = await scripted.connector.nextReady()
    #expect(await second.next() == .connected)
    #expect(await connection.subscribed() == "2")
    #expect(scripted.connector.maximumOpenCount == 1)
  }

  @Test("a close frame without an answer ends the connection after five seconds")
  func closingTimeout() async throws {
    var options = WebSocketOptions()
    options.idleTimeout = .zero
    let scripted = ScriptedTransport(options: options)
    let (subscriber, connection) = await scripted.begin()
    _ = await connection.subscribed()
    connection.ignoreClose()
    subscriber.cancel()
    _ = await connection.received()
    #expect(await connection.received() == "close 1000 ")
    try await eventually(.seconds(5)) { scripted.clock.nextDeadline }
    scripted.clock.advance(by: .seconds(5))
    #expect(await connection.received() == "cancel")
    try await scripted.settle()
  }

  // MARK: Liveness

  @Test("a connection without an acknowledgement is closed after ten seconds")
  func acknowledgementTimeout() async throws {
    let scripted = ScriptedTransport()
    let subscriber = ScriptedSubscriber(scripted.transport)
    let connection = await scripted.connector.next()
    _ = await connection.received()
    try await scripted.clock.sleepers(1)
    #expect(scripted.clock.nextDeadline == .seconds(10))
    scripted.clock.advance(by: .seconds(10))
    #expect(await connection.received() == "close 4504 Connection acknowledgement timeout")
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(1))])
  }

  @Test("a silent connection is checked after 15 seconds, and dead after 25")
  func dead() async throws {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    _ = await connection.subscribed()
    try await eventually(.seconds(10)) { scripted.clock.nextDeadline }
    scripted.clock.advance(by: .seconds(10))
    try await eventually(.seconds(15)) { scripted.clock.nextDeadline }
    scripted.clock.advance(by: .seconds(5))
    #expect(await connection.received() == #"{"type":"ping"}"#)
    try await eventually(.seconds(25)) { scripted.clock.nextDeadline }
    scripted.clock.advance(by: .seconds(10))
    #expect(await connection.received() == "cancel")
    #expect(await subscriber.next() == .disconnected(.seconds(1)))
  }

  @Test("any message of the server shows that the connection lives")
  func alive() async throws {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    let id = await connection.subscribed()
    for (index, answer) in [
      #"{"type":"pong"}"#, #"{"type":"ping"}"#, #"{"id":"1","type":"next","payload":{}}"#,
    ].enumerated() {
      let clock = scripted.clock
      try await eventually {
        (clock.nextDeadline ?? .zero) - clock.now.offset
      } is: {
        $0 > .zero
      }
      while clock.now.offset < .seconds(20 * index + 15) { try await fire(clock) }
      #expect(await connection.received() == #"{"type":"ping"}"#)
      clock.advance(by: .seconds(5))
      connection.send(answer)
      if answer.contains("ping") { #expect(await connection.received() == #"{"type":"pong"}"#) }
    }
    #expect(id == "1")
    #expect(await subscriber.next() == .data("{}"))
    #expect(scripted.connector.requests.count == 1)
  }

  /// Advances the clock to its next deadline, and lets the timer start the next one.
  private func fire(_ clock: VirtualClock) async throws {
    try await clock.sleepers(1)
    clock.advance(by: (clock.nextDeadline ?? .zero) - clock.now.offset)
  }

  // MARK: Suspension

  @Test("suspending closes the connection and keeps the subscriptions; resuming connects at once")
  func suspension() async throws {
    let scripted = ScriptedTransport()
    let (subscriber, first) = await scripted.begin()
    _ = await first.subscribed()
    scripted.transport.suspend()
    scripted.transport.suspend()
    #expect(await first.received() == "close 1000 ")
    #expect(await subscriber.next() == .suspended)
    try await scripted.settle()
    let late = ScriptedSubscriber(scripted.transport)
    #expect(await late.next() == .suspended)
    #expect(scripted.connector.requests.count == 1)
    scripted.transport.resume()
    scripted.transport.resume()
    let second = await scripted.connector.nextReady()
    #expect(await subscriber.next(3) == [.connecting, .connected, .gap])
    #expect(await late.next(2) == [.connecting, .connected])
    #expect(await second.subscribed() == "2")
    #expect(await second.subscribed() == "3")
    #expect(scripted.connector.maximumOpenCount == 1)
  }

  @Test("suspending ends an attempt, a wait and a closing connection, and resuming follows each")
  func suspensionAnytime() async throws {
    let scripted = ScriptedTransport(
      ScriptedConnector { $0 == 0 ? .silence : $0 == 1 ? .fail(Self.lost) : .open })
    let subscriber = ScriptedSubscriber(scripted.transport)
    #expect(await subscriber.next() == .connecting)
    // An attempt that is cancelled before its task runs requests no connection.
    try await eventually(1) { scripted.connector.openCount }
    scripted.transport.suspend()
    try await scripted.settle()
    scripted.transport.resume()
    #expect(
      await subscriber.next(3) == [.suspended, .connecting, .disconnected(.seconds(1))])
    scripted.transport.suspend()
    #expect(await subscriber.next() == .suspended)
    try await scripted.settle()
    scripted.transport.resume()
    let connection = await scripted.connector.nextReady()
    #expect(await subscriber.next(2) == [.connecting, .connected])
    _ = await connection.subscribed()
    connection.ignoreClose()
    scripted.transport.suspend()
    #expect(await connection.received() == "close 1000 ")
    scripted.transport.resume()
    #expect(await subscriber.next(2) == [.suspended, .connecting])
    connection.close(1000)
    _ = await scripted.connector.nextReady()
    #expect(await subscriber.next(2) == [.connected, .gap])
    #expect(scripted.connector.maximumOpenCount == 1)
  }

  @Test("a connection that is opened after its attempt was cancelled is ended")
  func lateOpening() async throws {
    let opening = Promise<Void>()
    let scripted = ScriptedTransport(ScriptedConnector { $0 == 0 ? .late(opening) : .open })
    let subscriber = ScriptedSubscriber(scripted.transport)
    #expect(await subscriber.next() == .connecting)
    try await eventually(1) { scripted.connector.openCount }
    scripted.transport.suspend()
    #expect(await subscriber.next() == .suspended)
    scripted.transport.resume()
    #expect(await subscriber.next() == .connecting)
    opening.fulfill(.success(()))
    #expect(await scripted.connector.next().received() == "cancel")
    _ = await scripted.connector.nextReady()
    #expect(await subscriber.next() == .connected)
    #expect(scripted.connector.maximumOpenCount == 1)
  }

  @Test("an attempt that is cancelled before its task is known is cancelled with it")
  func earlyCancellation() {
    var state = SubscriptionDriverState(
      SubscriptionSession(WebSocketOptions(), host: "localhost", allowsRefresh: false))
    _ = state.handle(.subscribed(.init(rawValue: 1)), at: .zero, random: 1)
    let isWanted = state.setTask(Task {}, attempt: 1)
    _ = state.handle(.suspended, at: .zero, random: 1)
    let isStillWanted = state.setTask(Task {}, attempt: 1)
    #expect(isWanted && !isStillWanted)
  }

  @Test("resuming connects at once, even if a failed connection is still closing")
  func resumeWhileClosing() async {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    _ = await connection.subscribed()
    connection.ignoreClose()
    connection.send("{")
    #expect(await connection.received().hasPrefix("close 4400"))
    scripted.transport.suspend()
    scripted.transport.resume()
    connection.close(4400)
    _ = await scripted.connector.nextReady()
    #expect(await subscriber.next(4) == [.suspended, .connecting, .connected, .gap])
  }

  @Test("resuming ends a wait between two attempts")
  func resumeWhileWaiting() async {
    let scripted = ScriptedTransport(ScriptedConnector { $0 == 0 ? .fail(Self.lost) : .open })
    let subscriber = ScriptedSubscriber(scripted.transport)
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(1))])
    scripted.transport.resume()
    _ = await scripted.connector.nextReady()
    #expect(await subscriber.next(2) == [.connecting, .connected])
  }
}

extension RelayError {
  /// The same error, marked as retryable.
  var retryable: RelayError {
    var error = self
    error.isRetryable = true
    return error
  }
}
