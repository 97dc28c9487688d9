import Foundation
import RelayStoreTesting
import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite("Subscriptions over HTTP", .timeLimit(.minutes(1)))
struct HTTPSubscriptionTests {
  private static let multipart = StreamWire.head(
    type: "multipart/mixed; boundary=graphql; subscriptionSpec=1.0")

  /// Returns a transport whose waits are a factor of their upper bounds.
  private func transport(
    _ server: RawServer, _ format: HTTPTransport.SubscriptionFormat = .serverSentEvents,
    random: Double = 0, clock: any Clock<Duration> = ContinuousClock()
  ) -> HTTPTransport {
    var transport = HTTPTransport(url: server.url)
    transport.subscriptionFormat = format
    transport.random = { random }
    transport.clock = clock
    return transport
  }

  private static func event(_ payload: String) -> [UInt8] {
    StreamWire.chunk("event: next\ndata: \(payload)\n\n")
  }

  private static func part(_ body: String) -> [UInt8] {
    StreamWire.chunk("\r\n--graphql\r\ncontent-type: application/json\r\n\r\n\(body)")
  }

  private static let complete = StreamWire.chunk("event: complete\ndata:\n\n")

  // MARK: Streams

  @Test("an event stream is received until the event that completes it, even if it stays open")
  func eventStream() async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      exchange.send(StreamWire.chunk(":\n\nevent: next\ndata: {\"data\":\ndata: 1}\n\n"))
      exchange.send(StreamWire.chunk("event: news\ndata: {}\n\nevent: next\n\n"))
      exchange.send(StreamWire.chunk("data: {\"data\":2}\n\nevent: complete\n\ndata: {}\n\n"))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server))
    #expect(
      await subscriber.next(6) == [
        .connecting, .connected, .data("{\"data\":\n1}"), .data(#"{"data":2}"#), .completed,
      ])
    await server.next(.disconnected)
    #expect(server.connections == 1)
  }

  @Test("a multipart stream is received until its last delimiter")
  func multipartStream() async throws {
    let server = try RawServer { exchange in
      exchange.send(Self.multipart)
      exchange.send(Self.part("{}"))
      exchange.send(Self.part(#"{"payload":{"data":1}}"#))
      exchange.send(Self.part(#"{"extensions":{},"payload":{"data":{"payload":2}}}"#))
      exchange.send(Self.part(#"{"data":3}"#))
      exchange.send(StreamWire.chunk("\r\n--graphql--\r\n") + Array(StreamWire.end.utf8))
      return true
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server, .multipart))
    #expect(
      await subscriber.next(7) == [
        .connecting, .connected, .data(#"{"data":1}"#), .data(#"{"data":{"payload":2}}"#),
        .data(#"{"data":3}"#), .completed,
      ])
    #expect(server.connections == 1)
  }

  @Test("a null payload with errors ends a multipart stream with these errors")
  func nullPayload() async throws {
    let server = try RawServer { exchange in
      exchange.send(Self.multipart)
      exchange.send(Self.part(#"{"payload":null,"errors":[{"message":"no more"}]}"#))
      exchange.send(StreamWire.chunk("\r\n--graphql--\r\n") + Array(StreamWire.end.utf8))
      return true
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server, .multipart))
    #expect(
      await subscriber.next(3)
        == [.connecting, .connected, .failed(.graphQL, #""Clock" was ended: no more"#)])
    #expect(await subscriber.next() == nil)
  }

  @Test("the event `error` ends an event stream with its errors")
  func errorEvent() async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      exchange.send(StreamWire.chunk("event: error\ndata: {\"errors\":[{\"message\":\"no\"}]}\n\n"))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server))
    #expect(await subscriber.next(3).last == .failed(.graphQL, #""Clock" was ended: no"#))
  }

  @Test(
    "an answer that is not a stream ends the subscription",
    arguments: [
      (
        Wire.response(
          ["Content-Type: application/json"], #"{"errors":[{"message":"who?"}]}"#,
          status: "401 Unauthorized"), 401, RelayError.Code.transport, "who?"
      ),
      (
        Wire.response(["Content-Type: application/json"], #"{"errors":[{"message":"what?"}]}"#),
        200, .graphQL, "what?"
      ),
      (
        Wire.response(
          ["Content-Type: application/graphql-response+json"],
          #"{"errors":[{"message":"how?"}]}"#, status: "400 Bad Request"), 400, .graphQL, "how?"
      ),
      (Wire.response([], "", status: "204 No Content"), 204, .graphQL, "no reason"),
      (Wire.response(["Content-Type: text/html"], "<p>"), 200, .graphQL, "no reason"),
      (
        Wire.response(["Location: http://127.0.0.2/"], "", status: "302 Found"), 302, .transport,
        "GET without the body"
      ),
    ])
  func rejection(text: String, status: Int, code: RelayError.Code, message: String) async throws {
    let server = try RawServer { exchange in
      exchange.send(text)
      return true
    }
    defer { server.stop() }
    let transport = transport(server)
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(.subscription) { event in
        guard case .connection(.connecting) = event else {
          Issue.record("\(event)")
          return
        }
      }
    }
    #expect(error?.code == code && error?.status == status && error?.isRetryable == false)
    #expect(error?.message.contains(message) == true && error?.operationName == "Clock")
    #expect(server.connections == 1)
  }

  @Test("a whole response with data is the only event")
  func whole() async throws {
    let server = try RawServer { exchange in exchange.send(Wire.okResponse) }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server))
    #expect(await subscriber.next(3) == [.connecting, .data(Wire.body), .completed])
  }

  @Test("an event above the limit of the request ends the subscription")
  func byteLimit() async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      exchange.send(Self.event(#"{"data":1}"#))
      exchange.send(Self.event(#"{"data":"a longer event"}"#))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    var request = GraphQLRequest.subscription
    request.responseByteLimit = 20
    let subscriber = ScriptedSubscriber(transport(server), request)
    #expect(
      await subscriber.next(4) == [
        .connecting, .connected, .data(#"{"data":1}"#),
        .failed(.response, #"Response for "Clock" has a message of more than 20 bytes."#),
      ])
    await server.next(.disconnected)
    #expect(server.connections == 1)
  }

  @Test("an error of the receiver ends the subscription, even a retryable one")
  func receiverFailure() async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      exchange.send(Self.event(#"{"data":1}"#))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server)) { _ in
      var error = RelayError(.transport, "mine")
      error.isRetryable = true
      throw error
    }
    #expect(await subscriber.next(4).last == .failed(.transport, "mine"))
    await server.next(.disconnected)
    #expect(server.connections == 1)
  }

  @Test(
    "cancellation ends the connection",
    arguments: HTTPTransport.SubscriptionFormat.allCases, 0..<3)
  func cancellation(format: HTTPTransport.SubscriptionFormat, step: Int) async throws {
    let server = try RawServer { exchange in
      if step > 0 {
        exchange.send(format == .multipart ? Self.multipart : StreamWire.head)
        if step > 1 {
          exchange.send(
            format == .multipart ? Self.part("{\"data\":1}\r\n--graphql") : Self.event("{}"))
        }
      }
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server, format))
    _ = await subscriber.next(step + 1)
    await server.next(.waiting)
    subscriber.cancel()
    #expect(await subscriber.next() == .cancelled)
    await server.next(.disconnected)
    #expect(server.connections == 1)
  }

  // MARK: Reconnection

  @Test("a lost stream is begun again, and reports a gap")
  func reconnection() async throws {
    let server = try RawServer { exchange in
      if exchange.index == 1 { return false }
      exchange.send(StreamWire.head)
      exchange.send(Self.event("{\"data\":\(exchange.index)}"))
      // An event stream may end anywhere.
      if exchange.index == 0 { exchange.send(StreamWire.end) } else { exchange.send(Self.complete) }
      return false
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server))
    #expect(
      await subscriber.next(11) == [
        .connecting, .connected, .data(#"{"data":0}"#), .disconnected(.zero), .connecting,
        .disconnected(.zero), .connecting, .connected, .gap, .data(#"{"data":2}"#), .completed,
      ])
  }

  @Test("a stream that is cut at any byte is begun again, and delivers whole events only")
  func truncated() async throws {
    let bytes =
      Array(StreamWire.head.utf8) + StreamWire.chunk(":\n\n") + Self.event(#"{"data":1}"#)
      + Self.complete
    let server = try RawServer { exchange in
      exchange.send(bytes.prefix(exchange.index))
      return false
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server))
    var (gaps, connections) = (0, 0)
    var last: ScriptedSubscriber.Event?
    while let event = await subscriber.next() {
      switch event {
      case .gap: gaps += 1
      case .connected: connections += 1
      case .data(let text): #expect(text == #"{"data":1}"#)
      case .state, .completed: break
      case .failed, .cancelled: Issue.record("\(event)")
      }
      last = event
    }
    #expect(last == .completed)
    #expect(gaps == connections - 1 && connections > 50)
    #expect(server.connections > bytes.count - 10 && server.connections <= bytes.count + 1)
  }

  @Test("the waits between attempts grow to their maximum")
  func backoff() async throws {
    let server = try RawServer { _ in false }
    defer { server.stop() }
    let clock = VirtualClock()
    let subscriber = ScriptedSubscriber(transport(server, random: 1, clock: clock))
    for seconds in [1, 2, 4, 8, 16, 30, 30] {
      #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(seconds))])
      try await clock.sleepers(1)
      clock.advance(by: .seconds(seconds))
    }
    subscriber.cancel()
    await subscriber.end()
    #expect(clock.sleeperCount == 0)
  }

  @Test("a wait is no shorter than the server asks, up to a maximum")
  func retryAfter() async throws {
    let server = try RawServer { exchange in
      let seconds = ["7", "99999999999"][min(exchange.index, 1)]
      return exchange.send(Wire.response(["Retry-After: \(seconds)"], "", status: "503 No"))
    }
    defer { server.stop() }
    let clock = VirtualClock()
    let subscriber = ScriptedSubscriber(transport(server, clock: clock))
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(7))])
    try await clock.sleepers(1)
    clock.advance(by: .seconds(7))
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(600))])
    #expect(subscriber.reasons.count == 2)
    #expect(subscriber.reasons.allSatisfy { $0.contains("503") }, "\(subscriber.reasons)")
  }

  @Test("an overloaded server that answers with errors of GraphQL is asked again")
  func overloaded() async throws {
    let server = try RawServer { exchange in
      if exchange.index > 0 { return exchange.send(Wire.okResponse) }
      return exchange.send(
        Wire.response(
          ["Content-Type: application/graphql-response+json"], #"{"errors":[{"message":"busy"}]}"#,
          status: "503 Busy"))
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(transport(server))
    #expect(
      await subscriber.next(5)
        == [.connecting, .disconnected(.zero), .connecting, .data(Wire.body), .completed])
    #expect(subscriber.reasons.first?.contains("busy") == true, "\(subscriber.reasons)")
  }

  @Test("the waits begin anew after a stream that lasted, and not after a short one")
  func stability() async throws {
    let lost = WireGate()
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      lost.waitOnThread()
      return false
    }
    defer { server.stop() }
    let clock = VirtualClock()
    let subscriber = ScriptedSubscriber(transport(server, random: 1, clock: clock))
    #expect(await subscriber.next(2) == [.connecting, .connected])
    for (lifetime, wait) in [(0, 1), (9, 2), (10, 1), (0, 2)] {
      // The task that monitors the stream.
      try await clock.sleepers(1)
      clock.advance(by: .seconds(lifetime))
      lost.open()
      #expect(await subscriber.next() == .disconnected(.seconds(wait)))
      try await clock.sleepers(1)
      clock.advance(by: .seconds(wait))
      #expect(await subscriber.next(3) == [.connecting, .connected, .gap])
    }
    lost.open()
  }

  @Test("a server that stops sending heartbeats counts as dead")
  func liveness() async throws {
    let next = WireGate()
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      for text in [":\n\n", ":\n\n", ""] {
        exchange.send(StreamWire.chunk(text + "data: {}\n\n"))
        next.waitOnThread()
      }
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let clock = VirtualClock()
    let subscriber = ScriptedSubscriber(transport(server, clock: clock))
    #expect(await subscriber.next(3).last == .data("{}"))
    try await clock.sleepers(1)
    clock.advance(by: .seconds(12))
    next.open()
    #expect(await subscriber.next() == .data("{}"))
    try await clock.sleepers(1)
    clock.advance(by: .seconds(23))
    next.open()
    #expect(await subscriber.next() == .data("{}"))
    next.open()
    await server.next(.waiting)
    // The silence starts when the event has been processed, possibly after an advance of the clock.
    try await eventually {
      clock.advance(by: .seconds(24))
      return subscriber.reasons
    } is: {
      !$0.isEmpty
    }
    #expect(await subscriber.next() == .disconnected(.zero))
    await server.next(.disconnected)
    next.open()
    next.open()
    next.open()
  }

  // MARK: Requests

  @Test("a subscription accepts the format of the transport, unless the request names another")
  func accept() async throws {
    let fields = Locked<[String]>([])
    let server = try RawServer { exchange in
      let lines = exchange.request.components(separatedBy: "\r\n")
      fields.withLock { $0 += lines.filter { $0.lowercased().hasPrefix("accept:") } }
      return exchange.send(Wire.okResponse)
    }
    defer { server.stop() }
    for format in HTTPTransport.SubscriptionFormat.allCases {
      try await transport(server, format).stream(.subscription) { _ in }
    }
    var request = GraphQLRequest.subscription
    request.headers["accept"] = "text/event-stream, */*"
    try await transport(server).stream(request) { _ in }
    try await transport(server).stream(.query) { _ in }
    let sent = fields.withLock { $0 }.map { $0.dropFirst("accept: ".count) }
    #expect(
      sent == [
        "text/event-stream",
        "multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json;q=0.9",
        "text/event-stream, */*",
        "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, multipart/mixed, application/graphql-response+json, application/jsonl;q=0.9, application/json;q=0.9",
      ])
  }

  @Test(
    "a query is answered in parts of any format",
    arguments: [
      (
        StreamWire.head(type: #"multipart/mixed; boundary="-""#),
        "---\r\n\r\n{\"data\":1}\r\n---\r\n\r\n{\"data\":2}\r\n-----\r\n"
      ),
      (StreamWire.head(type: "application/jsonl"), "{\"data\":1}\n{\"data\":2}"),
      (StreamWire.head, "event: next\ndata: {\"data\":1}\n\ndata: {\"data\":2}\n\n"),
    ])
  func parts(head: String, body: String) async throws {
    let server = try RawServer { exchange in
      exchange.send(head)
      for byte in body.utf8 { exchange.send(StreamWire.chunk([byte])) }
      return exchange.send(StreamWire.end)
    }
    defer { server.stop() }
    #expect(try await responses(from: server) == [#"{"data":1}"#, #"{"data":2}"#])
  }

  @Test("a query is answered with a whole response")
  func oneResponse() async throws {
    let server = try RawServer { exchange in exchange.send(Wire.okResponse) }
    defer { server.stop() }
    #expect(try await responses(from: server) == [Wire.body])
  }

  @Test("parts that end before the last one are an error, after those that arrived")
  func lostParts() async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head(type: #"multipart/mixed; boundary="-""#))
      exchange.send(StreamWire.chunk("---\r\n\r\n{\"data\":1}\r\n---\r\n\r\n{\"da"))
      return exchange.send(StreamWire.end)
    }
    defer { server.stop() }
    let received = Locked<[String]>([])
    let error = await #expect(throws: RelayError.self) {
      try await transport(server).stream(.query) { event in
        guard case .response(let response) = event else { return }
        received.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) }
      }
    }
    #expect(error?.code == .transport && error?.isRetryable == true)
    #expect(received.withLock { $0 } == [#"{"data":1}"#])
  }

  private func responses(from server: RawServer) async throws -> [String] {
    let received = Locked<[String]>([])
    try await transport(server).stream(.query) { event in
      guard case .response(let response) = event else {
        Issue.record("\(event)")
        return
      }
      #expect(response.status == 200 && response.headers["content-type"] != nil)
      received.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) }
    }
    return received.withLock { $0 }
  }
}

extension HTTPTransport.SubscriptionFormat: CaseIterable {
  public static var allCases: [Self] { [.serverSentEvents, .multipart] }
}
