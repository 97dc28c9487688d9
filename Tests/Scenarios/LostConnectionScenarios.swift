import Foundation
import RelayLive
import RelayStoreTesting
import SeededRandom
import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite(
  "Scenarios: lost connections of live data", .timeLimit(.minutes(1)), .checksForLeaks,
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the servers need .venv, which make test creates"))
struct LostConnectionScenarios {
  /// The seed for the byte positions of the cuts.
  private static let seed: UInt64 = {
    let chosen = ProcessInfo.processInfo.environment["RELAYSTORE_SEED"].flatMap { UInt64($0) }
    let seed = chosen ?? .random(in: 0..<1_000_000)
    print("Cuts of connections of live data: seed \(seed)")
    return seed
  }()

  @Test(
    "after a lost connection a gap is reported, and the retained query is fetched again",
    arguments: LiveServer.allCases)
  func reconnection(server: LiveServer) async throws {
    let session = try await LiveSession()
    let proxy = try LiveProxy(before: session.url)
    defer { proxy.stop() }
    let task = try await LiveTask(await server.environment(session, through: proxy), session)
    defer { task.end() }
    try await session.rename("Before")
    #expect(await task.title("Before"))
    proxy.refuse(true)
    proxy.cut()
    try await session.waitForSubscriptions(0)
    // No subscriber receives this event.
    try await session.rename("Missed")
    proxy.refuse(false)
    #expect(await task.subscriber.gap())
    #expect(await task.title("Missed"))
    try await session.waitForSubscriptions(1)
    try await session.rename("After")
    #expect(await task.title("After"))
    #expect(task.subscriber.gaps == 1)
  }

  @Test(
    "later changes are observed wherever the server's bytes are cut",
    arguments: LiveServer.allCases)
  func cuts(server: LiveServer) async throws {
    let session = try await LiveSession()
    let proxy = try LiveProxy(before: session.url)
    defer { proxy.stop() }
    func run(cutAfter limit: Int?) async throws {
      proxy.cutNext(after: limit)
      let task = try await LiveTask(await server.environment(session, through: proxy), session)
      for title in ["First \(limit ?? -1)", "Second \(limit ?? -1)"] {
        // Changes made before a server has started the subscription do not cause events.
        while !task.hasTitle(title) { try await session.rename(title) }
      }
      task.end()
      try await session.waitForSubscriptions(0)
    }
    try await run(cutAfter: nil)
    let length = proxy.receivedCount
    // Different bytes in each run, evenly distributed.
    var generator = SeededGenerator(seed: Self.seed)
    let step = max(1, length / 20)
    for start in stride(from: 0, to: length, by: step) {
      try await run(cutAfter: start + Int.random(in: 0..<step, using: &generator))
    }
  }

  @Test(
    "events that were delayed on their way are all received", arguments: LiveServer.allCases)
  func delay(server: LiveServer) async throws {
    let session = try await LiveSession()
    let proxy = try LiveProxy(before: session.url)
    defer { proxy.stop() }
    let task = try await LiveTask(await server.environment(session, through: proxy), session)
    defer { task.end() }
    #expect(await task.subscriber.connection())
    proxy.hold()
    for count in 1...20 { try await session.rename("Title \(count)") }
    proxy.release()
    #expect(await task.subscriber.snapshots(20).allSatisfy { $0.data != nil })
    #expect(await task.title("Title 20"))
    #expect(task.subscriber.gaps == 0)
  }

  @Test(
    "a connection over which nothing arrives is given up after an unanswered ping",
    arguments: LiveServer.allCases.filter(\.usesWebSocket))
  func halfOpenSocket(server: LiveServer) async throws {
    let session = try await LiveSession()
    let proxy = try LiveProxy(before: session.url)
    defer { proxy.stop() }
    let clock = VirtualClock()
    let socket = WebSocketTransport(
      url: session.through(proxy).socketURL(server.path), headers: { session.headers },
      options: LiveServer.options, clock: clock)
    let environment = await RelayEnvironment(transport: session.http().routing(to: socket))
      .checkedForLeaks
    let task = try await LiveTask(environment, session)
    defer { task.end() }
    proxy.hold()
    try await session.rename("Held")
    clock.advance(by: LiveServer.options.pingDelay)
    await proxy.heldBytes()
    clock.advance(by: LiveServer.options.pongTimeout)
    #expect(await task.subscriber.gap())
    #expect(await task.title("Held"))
    #expect(proxy.connectionCount == 2)
  }

  @Test(
    "a stream whose heartbeats stay away is given up",
    arguments: [LiveServer.strawberrySSE, .strawberryMultipart])
  func halfOpenStream(server: LiveServer) async throws {
    let session = try await LiveSession()
    let proxy = try LiveProxy(before: session.url)
    defer { proxy.stop() }
    let clock = VirtualClock()
    var stream = server.http(session.through(proxy), path: "heartbeats")
    stream.clock = clock
    let environment = await RelayEnvironment(transport: session.http().routing(to: stream))
      .checkedForLeaks
    let task = try await LiveTask(environment, session)
    defer { task.end() }
    // Each round's event follows its heartbeats, which have been processed once the event is
    // received.
    for time in 1...3 {
      let start = proxy.receivedCount
      try await eventually {
        proxy.receivedCount
      } is: {
        $0 >= start + 200
      }
      try await session.rename("Alive \(time)")
      #expect(await task.title("Alive \(time)"))
      clock.advance(by: .seconds(2))
    }
    proxy.hold()
    try await session.rename("Held")
    // A heartbeat that was already in flight may restart the silence.
    try await eventually {
      clock.advance(by: StreamLiveness.shortest)
      return task.subscriber.gaps
    } is: {
      $0 > 0
    }
    #expect(await task.title("Held"))
  }
}
