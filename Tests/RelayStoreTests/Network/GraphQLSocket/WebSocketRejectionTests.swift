import Foundation
import RelayStoreTesting
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("Rejections of a WebSocket transport", .timeLimit(.minutes(1)))
struct WebSocketRejectionTests {
  /// The close codes of the protocol and of RFC 6455, by consequence.
  static let codes: [ConnectionFailure.Consequence: [UInt16]] = [
    .retry: [
      1000, 1001, 1004, 1005, 1006, 1011, 1012, 1013, 1014, 1015, 1016, 2999, 3001, 3002, 3008,
      3999,
      4000, 4001, 4399, 4408, 4425, 4429, 4499, 4500, 4502, 4503, 4504, 4599, 4600, 4999,
    ],
    .refresh: [3000, 3003, 4401, 4403],
    .fatal: [
      1002, 1003, 1007, 1008, 1009, 1010, 4004, 4005, 4400, 4402, 4404, 4405, 4406, 4407, 4409,
      4410,
      4422, 4498, 4501, 4505,
    ],
  ]

  @Test(
    "every close code has its consequence",
    arguments: [.retry, .refresh, .fatal] as [ConnectionFailure.Consequence])
  func closeCodes(consequence: ConnectionFailure.Consequence) async throws {
    for code in Self.codes[consequence] ?? [] { try await close(code, consequence) }
  }

  private func close(_ code: UInt16, _ consequence: ConnectionFailure.Consequence) async throws {
    let scripted = ScriptedTransport(refresh: {})
    let (subscriber, connection) = await scripted.begin()
    _ = await connection.subscribed()
    connection.close(code, "Because")
    switch consequence {
    case .retry: #expect(await subscriber.next() == .disconnected(.seconds(1)))
    case .refresh:
      _ = await scripted.connector.nextReady()
      #expect(
        await subscriber.next(4) == [.disconnected(.zero), .connecting, .connected, .gap])
    case .fatal:
      #expect(
        await subscriber.next()
          == .failed(
            .transport,
            "The WebSocket connection to example.com was closed with code \(code): Because"))
      try await scripted.settle()
    }
  }

  /// The HTTP statuses of a handshake, by consequence.
  static let statuses: [ConnectionFailure.Consequence: [Int]] = [
    .refresh: [401, 403], .retry: [408, 425, 429, 500, 502, 503, 504, 530],
    .fatal: [200, 204, 301, 302, 307, 308, 400, 404, 405, 407, 410, 426, 501, 505],
  ]

  @Test(
    "every HTTP status of the handshake has its consequence",
    arguments: [.retry, .refresh, .fatal] as [ConnectionFailure.Consequence])
  func handshakes(consequence: ConnectionFailure.Consequence) async {
    for status in Self.statuses[consequence] ?? [] { await answer(status, consequence) }
  }

  private func answer(_ status: Int, _ consequence: ConnectionFailure.Consequence) async {
    let scripted = ScriptedTransport(
      ScriptedConnector { $0 == 0 ? .fail(RelayError.status(status)) : .open }, refresh: {})
    let subscriber = ScriptedSubscriber(scripted.transport)
    #expect(await subscriber.next() == .connecting)
    switch consequence {
    case .retry: #expect(await subscriber.next() == .disconnected(.seconds(1)))
    case .refresh:
      _ = await scripted.connector.nextReady()
      #expect(await subscriber.next(3) == [.disconnected(.zero), .connecting, .connected])
    case .fatal:
      guard case .failed(.transport, let text)? = await subscriber.next() else {
        Issue.record("The subscription goes on")
        return
      }
      #expect(text.contains("\(status)"))
    }
  }

  @Test("connection errors are retried, unless no further attempt can succeed")
  func connectionErrors() async {
    func error(_ error: any Error) -> RelayError {
      RelayError(.transport, "Failed", underlying: error)
    }
    for (error, consequence) in [
      (error(URLError(.cannotConnectToHost)), .retry),
      (error(URLError(.notConnectedToInternet)), .retry),
      (error(URLError(.secureConnectionFailed)), .retry),
      (error(URLError(.unsupportedURL)), .fatal),
      (error(WebSocketHandshakeError.wrongSubprotocol(nil)), .fatal),
      (error(WebSocketHandshakeError.malformedResponse), .retry), (.noWebSocket, .fatal),
    ] as [(RelayError, ConnectionFailure.Consequence)] {
      #expect(ConnectionFailure(opening: error, host: "a").consequence == consequence, "\(error)")
    }
  }

  @Test(
    "a violation of the protocol closes the connection with code 4400, and counts as a failure",
    arguments: [
      "{", #"{"type":"data"}"#, #"{"type":"next","id":"1"}"#,
      #"{"type":"next","id":1,"payload":{}}"#,
    ])
  func violations(text: String) async {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    _ = await connection.subscribed()
    connection.send(text)
    #expect(await connection.received().hasPrefix("close 4400 it received a message "))
    #expect(await subscriber.next() == .disconnected(.seconds(1)))
    #expect(subscriber.reasons.last?.contains("it received a message ") == true)
  }

  @Test("a binary message, and one before the acknowledgement, are violations")
  func otherViolations() async throws {
    let scripted = ScriptedTransport()
    let subscriber = ScriptedSubscriber(scripted.transport)
    let first = await scripted.connector.next()
    _ = await first.received()
    first.sendNext("1", "1")
    #expect(
      await first.received() == "close 4400 it received a message before the acknowledgement")
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(1))])
    try await scripted.clock.sleepers(1)
    scripted.clock.advance(by: .seconds(1))
    let second = await scripted.connector.nextReady()
    _ = await second.subscribed()
    second.send(.binary([1]))
    #expect(await second.received() == "close 4400 it received a binary message")
  }

  @Test("a response above the limit of its request ends that subscription alone")
  func limit() async {
    let scripted = ScriptedTransport()
    let (other, connection) = await scripted.begin()
    var request = GraphQLRequest.subscription
    request.responseByteLimit = 20
    let subscriber = ScriptedSubscriber(scripted.transport, request)
    #expect(await subscriber.next() == .connected)
    #expect(await connection.subscribed() == "1")
    #expect(await connection.subscribed() == "2")
    connection.sendNext("2", #""12345678901""#)
    #expect(
      await subscriber.next()
        == .failed(.response, "Response for \"Clock\" is larger than 20 bytes."))
    #expect(await connection.received() == #"{"id":"2","type":"complete"}"#)
    connection.sendNext("1", #""12345678901""#)
    #expect(await other.next() == .data(#"{"data":"12345678901"}"#))
  }

  // MARK: Credentials

  @Test("a rejected connection is opened again with new parameters, once")
  func refreshedConnection() async throws {
    let token = Locked(1)
    let scripted = ScriptedTransport(
      headers: { ["Authorization": "\(token.withLock { $0 })"] },
      parameters: { ["token": .number(JSONNumber(token.withLock { $0 }))] },
      refresh: { token.withLock { $0 += 1 } })
    let subscriber = ScriptedSubscriber(scripted.transport)
    let first = await scripted.connector.next()
    #expect(await first.received() == #"{"type":"connection_init","payload":{"token":1}}"#)
    first.close(4403, "Forbidden")
    let second = await scripted.connector.next()
    #expect(await second.received() == #"{"type":"connection_init","payload":{"token":2}}"#)
    second.close(4401, "Unauthorized")
    #expect(
      await subscriber.next(4) == [
        .connecting, .disconnected(.zero), .connecting,
        .failed(
          .transport,
          "The WebSocket connection to example.com was closed with code 4401: Unauthorized"),
      ])
    #expect(
      scripted.connector.requests.map(\.headers) == [
        ["Authorization": "1"], ["Authorization": "2"],
      ])
    try await scripted.settle()
  }

  @Test("a rejection without a closure to refresh the credentials ends the subscriptions")
  func noRefresh() async {
    let scripted = ScriptedTransport()
    let (subscriber, connection) = await scripted.begin()
    connection.close(4401)
    #expect(
      await subscriber.next()
        == .failed(
          .transport, "The WebSocket connection to example.com was closed with code 4401."))
  }

  @Test("credentials are refreshed again when they are old")
  func laterRefresh() async {
    let count = Locked(0)
    let scripted = ScriptedTransport(refresh: { count.withLock { $0 += 1 } })
    let (subscriber, first) = await scripted.begin()
    first.close(4401)
    let second = await scripted.connector.nextReady()
    #expect(await subscriber.next(4).last == .gap)
    scripted.clock.advance(by: .seconds(60))
    second.close(4401)
    _ = await scripted.connector.nextReady()
    #expect(count.withLock { $0 } == 2)
  }

  @Test("operations that are rejected share one refresh and the connection that follows")
  func rejectedOperations() async {
    let (gate, count) = (Promise<Void>(), Locked(0))
    let scripted = ScriptedTransport(
      refresh: {
        count.withLock { $0 += 1 }
        try await gate.value
      })
    let (first, connection) = await scripted.begin()
    let second = ScriptedSubscriber(scripted.transport)
    #expect(await second.next() == .connected)
    let third = ScriptedSubscriber(scripted.transport)
    #expect(await third.next() == .connected)
    for id in ["1", "2", "3"] { #expect(await connection.subscribed() == id) }
    connection.sendUnauthenticated("1")
    connection.sendUnauthenticated("2")
    connection.sendNext("3", "3")
    #expect(await third.next() == .data(#"{"data":3}"#))
    gate.fulfill(.success(()))
    #expect(await connection.received() == "close 1000 ")
    let next = await scripted.connector.nextReady()
    for subscriber in [first, second, third] {
      #expect(
        await subscriber.next(4) == [.disconnected(.zero), .connecting, .connected, .gap])
    }
    for id in ["4", "5", "6"] { #expect(await next.subscribed() == id) }
    next.sendUnauthenticated("4")
    #expect(await first.next() == .failed(.graphQL, "No"))
    next.sendNext("5", "5")
    #expect(await second.next() == .data(#"{"data":5}"#))
    #expect(count.withLock { $0 } == 1)
  }

  @Test("a refresh that fails ends what waits for it, unless its error is retryable")
  func failedRefresh() async {
    let fatal = ScriptedTransport(refresh: { throw RelayError(.request, "Signed out") })
    let (subscriber, connection) = await fatal.begin()
    connection.close(4401)
    #expect(
      await subscriber.next(3)
        == [.disconnected(.zero), .connecting, .failed(.request, "Signed out")])
    let offline = ScriptedTransport(
      refresh: { throw RelayError(.transport, "Offline").retryable })
    let (other, lost) = await offline.begin()
    lost.close(4401)
    #expect(
      await other.next(3) == [.disconnected(.zero), .connecting, .disconnected(.seconds(1))])
  }

  @Test("an error of the closures for a connection ends the subscriptions, unless it is retryable")
  func closureErrors() async {
    let fatal = ScriptedTransport(parameters: { throw RelayError(.request, "Signed out") })
    let subscriber = ScriptedSubscriber(fatal.transport)
    #expect(await subscriber.next(2) == [.connecting, .failed(.request, "Signed out")])
    let offline = ScriptedTransport(
      headers: { throw RelayError(.transport, "Offline").retryable })
    let other = ScriptedSubscriber(offline.transport)
    #expect(await other.next(2) == [.connecting, .disconnected(.seconds(1))])
    #expect(fatal.connector.requests.isEmpty && offline.connector.requests.isEmpty)
  }

  @Test("a header field that cannot be sent ends the subscriptions with an error that names it")
  func invalidField() async {
    let scripted = ScriptedTransport(headers: { ["Authorization": "Bearer a\n"] })
    let subscriber = ScriptedSubscriber(scripted.transport)
    let message =
      "The value of the header field \"Authorization\" contains a line break. Remove it."
    #expect(await subscriber.next(2) == [.connecting, .failed(.request, message)])
    #expect(scripted.connector.requests.isEmpty)
  }
}
