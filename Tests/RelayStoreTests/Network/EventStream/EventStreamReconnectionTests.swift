import Foundation
import RelayLive
import RelayNetwork
import RelayStore
import RelayStoreTesting
import SeededRandom
import Testing

@Suite("Lost event streams", .timeLimit(.minutes(1)))
struct EventStreamReconnectionTests {
  private static let sentAgain: [ScriptedSubscriber.Event] = [
    .disconnected(.zero), .connecting, .connected, .gap,
  ]

  @Test(
    "a stream that violates the protocol is opened again",
    arguments: [
      "event: next\ndata: x\n\n", "event: next\ndata: {\"payload\":{}}\n\n",
      "event: next\ndata: {\"id\":\"1\"}\n\n",
      "event: next\ndata: {\"id\":\"1\",\"payload\":1}\n\n",
      "event: next\ndata: [\n\n", "event: complete\n\n", "event: complete\ndata: {}\n\n",
      "event: next\ndata: {\"id\":\"1\",\"payload\":{\"a\":\"\(String(repeating: "x", count: 1_000))\"}}\n\n",
    ])
  func violation(text: String) async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(server.transport(eventByteLimit: 1_000))
    _ = await server.next("POST")
    server.event("1", "{}")
    server.send(text)
    #expect(
      await subscriber.next(7) == [.connecting, .connected, .data("{}")] + Self.sentAgain)
    #expect(await server.next("POST").description == "POST token1 2")
  }

  @Test("a server that stops sending heartbeats counts as dead")
  func liveness() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let clock = VirtualClock()
    let transport = server.transport(clock: clock)
    let subscriber = ScriptedSubscriber(transport)
    _ = await server.next("POST")
    #expect(await subscriber.next(2) == [.connecting, .connected])
    for seconds in [12, 23] {
      server.send(":\n\n")
      server.event("1", "{}")
      #expect(await subscriber.next() == .data("{}"))
      try await clock.sleepers(2)
      clock.advance(by: .seconds(seconds))
    }
    server.event("1", "{}")
    #expect(await subscriber.next() == .data("{}"))
    // The silence starts when the event has been processed, possibly after an advance of the clock.
    try await eventually {
      clock.advance(by: .seconds(24))
      return subscriber.reasons
    } is: {
      !$0.isEmpty
    }
    #expect(await subscriber.next() == .disconnected(.zero))
    #expect(await server.next("POST").token == "token1")
    subscriber.cancel()
    await subscriber.end()
    try await server.settle()
    try await eventually(0) { clock.sleeperCount }
  }

  @Test("the waits begin anew after a stream that lasted, and not after a short one")
  func stability() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let clock = VirtualClock()
    let transport = server.transport(random: 1, clock: clock)
    let subscriber = ScriptedSubscriber(transport)
    #expect(await subscriber.next(2) == [.connecting, .connected])
    for (lifetime, wait) in [(0, 1), (9, 2), (10, 1), (0, 2)] {
      _ = await server.next("POST")
      clock.advance(by: .seconds(lifetime))
      server.hangUp()
      #expect(await subscriber.next() == .disconnected(.seconds(wait)))
      try await clock.sleepers(1)
      clock.advance(by: .seconds(wait))
      #expect(await subscriber.next(3) == [.connecting, .connected, .gap])
    }
  }

  @Test("a stream that is cut at any byte is opened again, and delivers whole events only")
  func truncated() async throws {
    let head = Array(StreamWire.head.utf8)
    let (posted, operation, count) = (WireGate(), Locked(""), Locked(0))
    let server = try RawServer { exchange in
      if exchange.request.hasPrefix("PUT") {
        return exchange.send(Wire.response([], "token", status: "201 Created"))
      }
      guard exchange.request.hasPrefix("GET") else {
        let body = exchange.request.components(separatedBy: "\r\n\r\n").last ?? ""
        let id = (try? JSONValue(parsing: Array(body.utf8)))?["extensions"]?["operationId"]?.string
        operation.withLock { $0 = id ?? "" }
        defer { posted.open() }
        return exchange.send(Wire.response([], "", status: "202 Accepted"))
      }
      let rest = count.withLock { count in
        count += 1
        return count - 1
      }
      exchange.send(head.prefix(rest))
      if rest < head.count { return false }
      posted.waitOnThread()
      let id = operation.withLock { $0 }
      let events = [
        ":\n\n", "event: next\ndata: {\"id\":\"\(id)\",\"payload\":{\"data\":1}}\n\n",
        "event: complete\ndata: {\"id\":\"\(id)\"}\n\n",
      ]
      exchange.send(events.flatMap { StreamWire.chunk($0) }.prefix(rest - head.count))
      return false
    }
    defer { server.stop() }
    let transport = EventStreamTransport(over: HTTPTransport(url: server.url), random: { 0 })
    let subscriber = ScriptedSubscriber(transport)
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
    #expect(gaps == connections - 1 && connections > 100)
    #expect(count.withLock { $0 } > head.count + 100)
  }

  @Test("a subscription that stands still makes the server wait, and loses no event")
  func backPressure() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let (blocked, gate) = (WireGate(), WireGate())
    let transport = server.transport(bufferByteLimit: 64 * 1024)
    let subscriber = ScriptedSubscriber(transport) { index in
      if index == 0 { await gate.wait() }
    }
    _ = await server.next("POST")
    let stream = try #require(server.stream)
    let limit = 20_000
    let sent = Locked(0)
    Thread.detachNewThread {
      let filler = String(repeating: "x", count: 4_000)
      var isBlocked = false
      for index in 0..<limit {
        if !isBlocked, stream.isBlocked(forMilliseconds: 400) {
          isBlocked = true
          blocked.open()
        }
        let text =
          "event: next\ndata: {\"id\":\"1\",\"payload\":{\"data\":\(index),\"a\":\"\(filler)\"}}\n\n"
        if !stream.send(StreamWire.chunk(text)) { break }
        sent.withLock { $0 += 1 }
        // The remaining events show that reading continues; a few are enough.
        if isBlocked, index % 100 == 0 { break }
      }
      if !isBlocked { blocked.open() }
      stream.send(StreamWire.chunk("event: complete\ndata: {\"id\":\"1\"}\n\n"))
    }
    await blocked.wait()
    #expect(sent.withLock { $0 } < limit)
    gate.open()
    _ = await subscriber.next(2)
    var count = 0
    while case .data(let text)? = await subscriber.next() {
      if !text.hasPrefix("{\"data\":\(count),") { Issue.record("\(text.prefix(20))") }
      count += 1
    }
    #expect(count == sent.withLock { $0 })
    try await server.settle()
  }

  @Test("300 losses of every kind: each subscription is sent again, and each reports a gap")
  func storm() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var storm = try EventStreamStorm(seed: seed)
    var reached: Set<EventStreamStorm.Fault> = []
    for round in 0..<300 {
      let (fault, problem) = await storm.run(round)
      reached.insert(fault)
      if let problem {
        Issue.record("Seed \(seed), round \(round), \(fault): \(problem)")
        break
      }
    }
    #expect(reached.count == EventStreamStorm.Fault.allCases.count, "Seed \(seed): \(reached)")
    try await storm.end()
  }
}

/// Three subscriptions whose stream is repeatedly lost.
struct EventStreamStorm {
  enum Fault: CaseIterable {
    case hangUp, end, cut, malformed, reservation, opening, operation, unavailable, suspension
  }

  private let server: EventStreamServer
  private let transport: EventStreamTransport
  private let subscribers: [ScriptedSubscriber]
  /// The responses to the next requests, by method.
  private let answers: Locked<[String: [EventStreamServer.Answer]]>
  private var generator: SeededGenerator
  private var isFirst = true

  init(seed: UInt64) throws {
    let answers = Locked<[String: [EventStreamServer.Answer]]>([:])
    let server = try EventStreamServer { request in
      answers.withLock { answers in
        guard let answer = answers[request.method]?.popLast() else { return .standard }
        return answer
      }
    }
    let transport = server.transport()
    (self.answers, self.server, self.transport) = (answers, server, transport)
    subscribers = (0..<3).map { index in
      var request = GraphQLRequest.subscription
      request.variables = ["zone": .string("\(index)")]
      return ScriptedSubscriber(transport, request)
    }
    generator = SeededGenerator(seed: seed)
  }

  /// Waits until every subscription is sent, sends an event to each, and loses the stream.
  ///
  /// - Returns: The fault after the round, and the problem found in the round.
  mutating func run(_ round: Int) async -> (Fault, String?) {
    let fault = Fault.allCases.randomElement(using: &generator) ?? .hangUp
    let operations = await nextOperations()
    for (zone, operation) in operations {
      server.event(operation, "{\"data\":\"\(round) \(zone)\"}")
    }
    for (index, subscriber) in subscribers.enumerated() {
      if let problem = await check(subscriber, "{\"data\":\"\(round) \(index)\"}") {
        return (fault, "\(index): \(problem)")
      }
    }
    isFirst = false
    lose(fault)
    return (fault, nil)
  }

  /// Returns the operations of all subscriptions in the newest stream, by their variables.
  private func nextOperations() async -> [String: String] {
    var (newest, operations) = (-1, [String: String]())
    while operations.count < subscribers.count {
      let post = await server.next("POST")
      let index = post.token.flatMap { Int($0.dropFirst("token".count)) } ?? -1
      // A lost stream's request may arrive after the next stream's.
      if post.isHungUp || index < newest { continue }
      if index > newest { (newest, operations) = (index, [:]) }
      let body = post.text.components(separatedBy: "\r\n\r\n").last ?? ""
      let zone = (try? JSONValue(parsing: Array(body.utf8)))?["variables"]?["zone"]?.string
      operations[zone ?? "", default: ""] = post.operation ?? ""
    }
    return operations
  }

  /// Receives events up to the round's event, and checks the ones before it.
  private func check(_ subscriber: ScriptedSubscriber, _ text: String) async -> String? {
    var events: [ScriptedSubscriber.Event] = []
    while let event = await subscriber.next() {
      events.append(event)
      if case .data(let data) = event {
        if data != text { return "\(events)" }
        break
      }
    }
    if isFirst {
      return events.first == .connecting && !events.contains(.gap) ? nil : "\(events)"
    }
    return events.suffix(3).starts(with: [.connected, .gap]) ? nil : "\(events)"
  }

  private mutating func lose(_ fault: Fault) {
    let unavailable = EventStreamServer.Answer.response(
      Wire.response([], "", status: "503 Service Unavailable"))
    func answer(_ method: String, _ answer: EventStreamServer.Answer, count: Int) {
      answers.withLock { $0[method] = Array(repeating: answer, count: count) }
    }
    let count = Int.random(in: 1...3, using: &generator)
    switch fault {
    case .end: server.finish()
    case .cut: server.send("event: next\ndata: {\"id\":\"")
    case .malformed: server.send("event: next\ndata: {\"id\"}\n\n")
    case .reservation: answer("PUT", .hangUp, count: count)
    case .opening: answer("GET", .hangUp, count: count)
    case .operation: answer("POST", .hangUp, count: count)
    case .unavailable:
      answer(Bool.random(using: &generator) ? "PUT" : "GET", unavailable, count: count)
    case .suspension:
      transport.suspend()
      transport.resume()
    case .hangUp: break
    }
    if ![.end, .malformed, .suspension].contains(fault) { server.hangUp() }
  }

  /// Ends the subscriptions, and waits until all their state is gone.
  func end() async throws {
    for subscriber in subscribers { subscriber.cancel() }
    for subscriber in subscribers { await subscriber.end() }
    try await server.settle()
    server.stop()
  }
}
