import RelayStoreTesting
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("Back pressure of a WebSocket transport", .timeLimit(.minutes(1)))
struct WebSocketBackPressureTests {
  private static func options(byteLimit: Int) -> WebSocketOptions {
    var options = WebSocketOptions()
    options.bufferByteLimit = byteLimit
    return options
  }

  @Test("reading pauses above the limit, and continues when half of it is left")
  func pauses() async throws {
    let gates = (0..<40).map { _ in Promise<Void>() }
    let scripted = ScriptedTransport(options: Self.options(byteLimit: 10_000))
    let subscriber = ScriptedSubscriber(scripted.transport) { try await gates[$0].value }
    let connection = await scripted.connector.nextReady()
    #expect(await subscriber.next(2).last == .connected)
    let id = await connection.subscribed()
    let text = "\"" + String(repeating: "a", count: 860) + "\""
    connection.sendNext(id, text)
    #expect(await subscriber.next() != nil)
    for _ in 1..<40 { connection.sendNext(id, text) }
    try await eventually(true) { connection.isPaused }
    // The receiver has the first event; each of the others takes 1,000 bytes.
    for index in 0..<40 {
      gates[index].fulfill(.success(()))
      if index < 39 { #expect(await subscriber.next() != nil) }
    }
    try await eventually(false) { connection.isPaused }
    #expect(connection.pauseCount >= 1 && connection.pauseCount <= 8)
  }

  @Test("a receiver that stands still does not hold back what others have received")
  func slowReceiver() async throws {
    let gate = Promise<Void>()
    let scripted = ScriptedTransport(options: Self.options(byteLimit: 10_000))
    let slow = ScriptedSubscriber(scripted.transport) { _ in try await gate.value }
    let connection = await scripted.connector.nextReady()
    let slowID = await connection.subscribed()
    let fast = ScriptedSubscriber(scripted.transport)
    let fastID = await connection.subscribed()
    #expect(await fast.next() == .connected)
    let text = "\"" + String(repeating: "a", count: 900) + "\""
    for index in 0..<5 {
      connection.sendNext(slowID, text)
      connection.sendNext(fastID, "\(index)")
      #expect(await fast.next() == .data("{\"data\":\(index)}"))
    }
    for _ in 0..<20 { connection.sendNext(slowID, text) }
    try await eventually(true) { connection.isPaused }
    connection.sendNext(fastID, "\"held\"")
    slow.cancel()
    #expect(await fast.next() == .data(#"{"data":"held"}"#))
    #expect(!connection.isPaused)
    await slow.end()
  }

  @Test("a connection is read until its acknowledgement, however slow a receiver is")
  func unacknowledged() async throws {
    let gate = Promise<Void>()
    let scripted = ScriptedTransport(random: 0, options: Self.options(byteLimit: 100))
    let slow = ScriptedSubscriber(scripted.transport) { _ in try await gate.value }
    let lost = await scripted.connector.nextReady()
    let id = await lost.subscribed()
    for _ in 0..<10 { lost.sendNext(id, "1") }
    try await eventually(true) { lost.isPaused }
    lost.lose()
    let next = await scripted.connector.nextReady()
    // The operation is sent after the acknowledgement.
    #expect(await !next.subscribed().isEmpty)
    gate.fulfill(.success(()))
    slow.cancel()
    await slow.end()
  }

  @Test("a paused connection is not taken for a dead one")
  func pausedLiveness() async throws {
    let gate = Promise<Void>()
    let scripted = ScriptedTransport(options: Self.options(byteLimit: 100))
    let subscriber = ScriptedSubscriber(scripted.transport) { _ in try await gate.value }
    let connection = await scripted.connector.nextReady()
    let id = await connection.subscribed()
    for _ in 0..<3 { connection.sendNext(id, "1") }
    try await eventually {
      (connection.isPaused, scripted.clock.sleeperCount)
    } is: {
      $0 == (true, 0)
    }
    scripted.clock.advance(by: .seconds(1_000))
    gate.fulfill(.success(()))
    #expect(await subscriber.next(5).count == 5)
    try await eventually(.seconds(1_015)) { scripted.clock.nextDeadline }
    #expect(scripted.connector.requests.count == 1)
  }

  @Test("a server that reads nothing gets one pong at most, and no subscription that has ended")
  func stalledServer() async {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    _ = await connection.subscribed()
    connection.blockSending()
    for index in 0..<100 { connection.send("{\"type\":\"ping\",\"payload\":{\"a\":\(index)}}") }
    for _ in 0..<100 {
      let other = ScriptedSubscriber(scripted.transport)
      let state = await other.next()
      #expect(state == .connected)
      other.cancel()
      await other.end()
    }
    var outgoing = OutgoingMessages()
    for index in 1...100 {
      outgoing.append(.pong([UInt8(index)]))
      outgoing.append(.subscribe(.init(rawValue: index), .subscription))
      outgoing.append(.complete(.init(rawValue: index)))
    }
    guard case .message(.pong([100]))? = outgoing.removeFirst() else {
      Issue.record("The last pong is missing")
      return
    }
    #expect(outgoing.isEmpty)
    subscriber.cancel()
    await subscriber.end()
  }

  /// The operations of the next outgoing messages; messages that end an operation are negated.
  private static func operations(_ outgoing: inout OutgoingMessages) -> [Int] {
    var operations: [Int] = []
    while let item = outgoing.removeFirst() {
      switch item {
      case .message(.subscribe(let id, _)): operations.append(id.rawValue)
      case .message(.complete(let id)): operations.append(-id.rawValue)
      default: Issue.record("Another item: \(item)")
      }
    }
    return operations
  }

  @Test("a subscription that ends before it was sent is removed, and the order of others stays")
  func endedBefore() {
    var outgoing = OutgoingMessages()
    for index in 1...200 { outgoing.append(.subscribe(.init(rawValue: index), .subscription)) }
    for _ in 0..<50 { _ = outgoing.removeFirst() }
    // The messages from 51 on have not been sent yet.
    for index in 1...200 where index % 5 > 0 { outgoing.append(.complete(.init(rawValue: index))) }
    outgoing.append(.subscribe(.init(rawValue: 201), .subscription))
    let waiting = (51...200).filter { $0 % 5 == 0 }
    let ended = (1...50).filter { $0 % 5 > 0 }.map { -$0 }
    #expect(Self.operations(&outgoing) == waiting + ended + [201])
    #expect(outgoing.isEmpty)
  }

  @Test("100,000 subscriptions end in linear time while the server reads nothing")
  func manyEnds() {
    let count = 100_000
    var outgoing = OutgoingMessages()
    for index in 1...count { outgoing.append(.subscribe(.init(rawValue: index), .subscription)) }
    for _ in 0..<count / 2 { _ = outgoing.removeFirst() }
    for index in 1...count { outgoing.append(.complete(.init(rawValue: index))) }
    #expect(Self.operations(&outgoing) == (1...count / 2).map { -$0 })
  }

  @Test("states that nobody takes are bounded, and the newest is kept")
  func boundedStates() {
    var inbox = SubscriptionInbox(.subscription)
    for index in 1...10_000 {
      _ = inbox.append(.connection(.disconnected(retryAfter: .seconds(index), reason: "")))
      _ = inbox.append(.connection(.connecting))
      _ = inbox.append(.connection(.connected))
      _ = inbox.append(.gap)
    }
    var events: [TransportEvent] = []
    while let (event, _) = inbox.takeFirst() { events.append(event) }
    #expect(events.count < 40)
    guard case .gap? = events.last, case .connection(.connected)? = events.dropLast().last else {
      Issue.record("The last events are missing: \(events)")
      return
    }
  }
}
