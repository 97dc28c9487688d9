import RelayStoreTesting
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("A WebSocket transport", .timeLimit(.minutes(1)))
struct WebSocketTransportTests {
  private typealias Event = ScriptedSubscriber.Event

  @Test("initializes the connection, subscribes after the acknowledgement, and passes events on")
  func subscribes() async {
    let scripted = ScriptedTransport(
      headers: { ["X-Client": "a"] }, parameters: { ["token": "secret"] })
    let subscriber = ScriptedSubscriber(scripted.transport)
    let connection = await scripted.connector.next()
    #expect(scripted.connector.requests.map(\.headers) == [["X-Client": "a"]])
    #expect(scripted.connector.requests[0].subprotocols == ["graphql-transport-ws"])
    #expect(
      await connection.received()
        == #"{"type":"connection_init","payload":{"token":"secret"}}"#)
    connection.send(#"{"type":"connection_ack","payload":{}}"#)
    #expect(
      await connection.received()
        == #"{"id":"1","type":"subscribe","payload":{"query":"subscription Clock { time }","operationName":"Clock","variables":{"zone":"UTC"}}}"#
    )
    connection.send(#"{"payload": {"data" : {"time":1}},"type":"next","id":"1"}"#)
    connection.send(#"{"id":"1","type":"complete"}"#)
    #expect(
      await subscriber.next(5) == [
        .connecting, .connected, .data(#"{"data" : {"time":1}}"#), .completed,
      ])
  }

  @Test("a hundred subscriptions share one connection, which is closed after the last one")
  func sharing() async throws {
    let scripted = ScriptedTransport()
    let subscribers = (0..<100).map { _ in ScriptedSubscriber(scripted.transport) }
    let connection = await scripted.connector.nextReady()
    var ids: Set<String> = []
    for _ in subscribers { ids.insert(await connection.subscribed()) }
    #expect(ids == Set((1...100).map { "\($0)" }))
    for subscriber in subscribers { #expect(await subscriber.connected()) }
    for id in ids { connection.sendNext(id, #"{"id":\#(id)}"#) }
    var received: Set<String> = []
    for subscriber in subscribers {
      if case .data(let text)? = await subscriber.next() { received.insert(text) }
    }
    #expect(received.count == 100)
    for id in ids { connection.send(#"{"id":"\#(id)","type":"complete"}"#) }
    for subscriber in subscribers { #expect(await subscriber.next() == .completed) }
    try await scripted.clock.sleepers(1)
    scripted.clock.advance(by: .seconds(5))
    #expect(await connection.received() == "close 1000 ")
    try await scripted.settle()
    #expect(scripted.connector.requests.count == 1)
  }

  @Test("an operation that is not a subscription is an error that names the remedy")
  func otherKinds() async {
    let scripted = ScriptedTransport()
    for request in [GraphQLRequest.query, .mutation] {
      for send in [
        { _ = try await scripted.transport.execute(request) },
        { try await scripted.transport.stream(request) { _ in } },
      ] as [@Sendable () async throws -> Void] {
        let error = await #expect(throws: RelayError.self) { try await send() }
        #expect(error?.code == .request && error?.operationName == request.operationName)
        #expect(error?.message.contains("routingSubscriptions(to:") == true)
      }
    }
    #expect(scripted.connector.requests.isEmpty)
  }

  @Test("an error message ends the subscription with all errors of the server")
  func errorMessage() async {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    let id = await connection.subscribed()
    connection.send(
      #"{"id":"\#(id)","type":"error","payload":[{"message":"No field"},{"message":"Nor this"}]}"#)
    #expect(await subscriber.next() == .failed(.graphQL, "No field"))
  }

  @Test("messages of unknown and ended operations are ignored, pings are answered")
  func ignored() async {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    let id = await connection.subscribed()
    for other in ["0", "2", "-1", "x", "", "01", "99999999999999999999"] {
      connection.sendNext(other, "{}")
      connection.send(#"{"id":"\#(other)","type":"complete"}"#)
      connection.send(#"{"id":"\#(other)","type":"error","payload":[]}"#)
    }
    connection.sendNext(id, "1")
    connection.send(#"{"id":"\#(id)","type":"complete"}"#)
    connection.send(#"{"id":"\#(id)","type":"complete"}"#)
    connection.sendNext(id, "2")
    connection.send(#"{"type":"ping","payload":{"a":[1]}}"#)
    #expect(await connection.received() == #"{"type":"pong","payload":{"a":[1]}}"#)
    connection.send(#"{"type":"ping"}"#)
    #expect(await connection.received() == #"{"type":"pong"}"#)
    #expect(await subscriber.next(3) == [.data(#"{"data":1}"#), .completed])
    #expect(scripted.connector.requests.count == 1)
  }

  @Test("cancelling sends complete, and ends at once")
  func cancellation() async {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    let id = await connection.subscribed()
    subscriber.cancel()
    #expect(await subscriber.next() == .cancelled)
    #expect(await connection.received() == #"{"id":"\#(id)","type":"complete"}"#)
  }

  @Test("cancelling while the connection is opened or initialized ends at once, and leaves nothing")
  func earlyCancellation() async throws {
    var options = WebSocketOptions()
    options.idleTimeout = .zero
    let opening = ScriptedTransport(ScriptedConnector { _ in .silence }, options: options)
    let first = ScriptedSubscriber(opening.transport)
    #expect(await first.next() == .connecting)
    first.cancel()
    #expect(await first.next() == .cancelled)
    let initializing = ScriptedTransport(options: options)
    let second = ScriptedSubscriber(initializing.transport)
    let connection = await initializing.connector.next()
    _ = await connection.received()
    second.cancel()
    #expect(await second.next(2) == [.connecting, .cancelled])
    #expect(await connection.received() == "close 1000 ")
    try await opening.settle()
    try await initializing.settle()
  }

  @Test("an error of the receiver ends the subscription, and is thrown")
  func receiverError() async {
    let scripted = ScriptedTransport()
    let subscriber = ScriptedSubscriber(scripted.transport) { _ in
      throw RelayError(.update, "Full")
    }
    let connection = await scripted.connector.nextReady()
    let id = await connection.subscribed()
    connection.sendNext(id, "1")
    #expect(
      await subscriber.next(4) == [
        .connecting, .connected, .data(#"{"data":1}"#), .failed(.update, "Full"),
      ])
    #expect(await connection.received() == #"{"id":"\#(id)","type":"complete"}"#)
  }

  @Test("messages that arrive before the connection is known wait for its initialization")
  func earlyMessages() async {
    let ping = WebSocketConnectionEvent.text(Array(#"{"type":"ping"}"#.utf8))
    let scripted = ScriptedTransport(
      ScriptedConnector { index in
        switch index {
        case 0: .early([ping])
        case 1: .early(Array(repeating: ping, count: 17))
        default: .early([.closed(WebSocketEnd(code: .goingAway))])
        }
      }, random: 0)
    let subscriber = ScriptedSubscriber(scripted.transport)
    let first = await scripted.connector.next()
    #expect(await first.received() == #"{"type":"connection_init"}"#)
    #expect(await first.received() == #"{"type":"pong"}"#)
    first.close(1001)
    let second = await scripted.connector.next()
    var messages = [await second.received()]
    while let last = messages.last, !last.hasPrefix("close") {
      messages.append(await second.received())
    }
    #expect(messages.last == "close 4400 it received too much before it was initialized")
    _ = await scripted.connector.next()
    _ = await scripted.connector.next()
    #expect(
      await subscriber.next(6) == [
        .connecting, .disconnected(.zero), .connecting, .disconnected(.zero), .connecting,
        .disconnected(.zero),
      ])
    #expect(scripted.connector.maximumOpenCount == 1)
  }

  @Test("messages right after the acknowledgement are not among those before the initialization")
  func messagesAfterAcknowledgement() async {
    for _ in 0..<300 {
      let scripted = ScriptedTransport(random: 0)
      let subscriber = ScriptedSubscriber(scripted.transport)
      let connection = await scripted.connector.next()
      await connection.acknowledge()
      for _ in 0..<100 { connection.send(#"{"type":"ping"}"#) }
      connection.sendNext("1", "1")
      #expect(await subscriber.next(3) == [.connecting, .connected, .data(#"{"data":1}"#)])
    }
  }

  @Test("releasing the transport closes its connection")
  func release() async throws {
    var scripted: ScriptedTransport? = ScriptedTransport()
    let connection: ScriptedConnection
    do {
      guard let (subscriber, open) = await scripted?.begin() else { return }
      connection = open
      _ = await connection.subscribed()
      subscriber.cancel()
      await subscriber.end()
      _ = await connection.received()
    }
    let connector = scripted?.connector
    let driver = WeakReference(scripted?.transport.driver)
    scripted = nil
    #expect(await connection.received() == "close 1000 ")
    try await eventually(true) { driver.isReleased }
    try await eventually(0) { connector?.openCount }
  }
}
