import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Cancellation of subscriptions in an event stream", .timeLimit(.minutes(1)))
struct EventStreamCancellationTests {
  @Test(
    "the last subscription ends at once while a request has no answer",
    arguments: ["PUT", "GET", "POST", "DELETE"])
  func unanswered(method: String) async throws {
    let server = try EventStreamServer { $0.method == method ? .silence : .standard }
    defer { server.stop() }
    let clock = VirtualClock()
    let transport = server.transport(clock: clock)
    let subscriber = ScriptedSubscriber(transport)
    _ = await server.next(method == "DELETE" ? "POST" : method)
    subscriber.cancel()
    await subscriber.end()
    try await server.settle()
    try await eventually(0) { clock.sleeperCount }
    if method != "DELETE" {
      // Requests that no subscriber waits for end too.
      await server.raw.next(.waiting)
      await server.raw.next(.disconnected)
    }
    #expect(server.allRequests.count { $0.method == "PUT" } == 1)
  }

  @Test("a subscription that ends before its answer is ended at the server after it")
  func lateAnswer() async throws {
    let answer = WireGate()
    let server = try EventStreamServer { request in
      request.method == "POST" && request.index == 1 ? .late(answer) : .standard
    }
    defer { server.stop() }
    let transport = server.transport()
    let other = ScriptedSubscriber(transport)
    _ = await server.next("POST")
    let subscriber = ScriptedSubscriber(transport)
    _ = await server.next("POST")
    subscriber.cancel()
    await subscriber.end()
    server.event("2", "{}")
    server.event("1", "{}")
    #expect(await other.next(3).last == .data("{}"))
    #expect(server.allRequests.allSatisfy { $0.method != "DELETE" })
    answer.open()
    #expect(await server.next("DELETE").description == "DELETE token0 2")
    #expect(server.streamCount == 1)
  }

  @Test(
    "a subscription that ends after any number of events is ended at the server", arguments: 0..<4)
  func afterEvents(count: Int) async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let transport = server.transport()
    let other = ScriptedSubscriber(transport)
    _ = await server.next("POST")
    let subscriber = ScriptedSubscriber(transport)
    _ = await server.next("POST")
    for _ in 0..<count { server.event("2", "{}") }
    _ = await subscriber.next(1 + count)
    subscriber.cancel()
    #expect(await subscriber.next() == .cancelled)
    #expect(await server.next("DELETE").description == "DELETE token0 2")
    server.event("2", "{}")
    server.complete("2")
    server.event("1", "{}")
    #expect(await other.next(3).last == .data("{}"))
    other.cancel()
    #expect(await server.next("DELETE").description == "DELETE token0 1")
    try await server.settle()
  }

  @Test("a subscription that ends during a wait leaves no timer")
  func waiting() async throws {
    let server = try EventStreamServer { _ in .hangUp }
    defer { server.stop() }
    let clock = VirtualClock()
    let transport = server.transport(random: 1, clock: clock)
    let subscriber = ScriptedSubscriber(transport)
    #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(1))])
    try await clock.sleepers(1)
    subscriber.cancel()
    #expect(await subscriber.next() == .cancelled)
    try await eventually(0) { clock.sleeperCount }
    #expect(server.allRequests.count == 1)
  }

  @Test("a subscription that begins while the stream closes has a new one")
  func closing() async throws {
    let server = try EventStreamServer { $0.method == "DELETE" ? .silence : .standard }
    defer { server.stop() }
    let transport = server.transport()
    for index in 0..<20 {
      let subscriber = ScriptedSubscriber(transport)
      let post = await server.next("POST")
      #expect(post.token == "token\(index)")
      server.event(post.operation ?? "", "{}")
      #expect(await subscriber.next(3).last == .data("{}"))
      subscriber.cancel()
    }
    try await server.settle()
  }

  #if os(Linux) && canImport(Glibc)
    @Test("a hundred streams leave no socket behind")
    func descriptors() async throws {
      let server = try EventStreamServer()
      defer { server.stop() }
      let port = UInt16(server.raw.url.port ?? 0)
      do {
        let transport = server.transport()
        for index in 0..<100 {
          let subscriber = ScriptedSubscriber(transport)
          if index % 4 > 0 { _ = await subscriber.next(min(index % 4, 2)) }
          if index % 4 == 3 { server.hangUp() }
          subscriber.cancel()
          await subscriber.end()
        }
        try await server.settle()
        // The remaining connections wait for further requests until the transport ends.
        _ = transport
      }
      try await eventually(0) { WebSocketLoopbackTests.openSockets(toPort: port) }
      #expect(server.allRequests.count { $0.method == "PUT" } > 40)
    }
  #endif
}
