import RelayStore
import Testing

@Suite(
  "Scenarios: many subscriptions", .timeLimit(.minutes(1)), .checksForLeaks,
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the servers need .venv, which make test creates"))
struct ManySubscriptionsScenarios {
  @Test(
    "a hundred subscriptions share one socket, and each receives every event",
    arguments: LiveServer.allCases.filter(\.usesWebSocket))
  func oneSocket(server: LiveServer) async throws {
    let session = try await LiveSession()
    let proxy = try LiveProxy(before: session.url)
    defer { proxy.stop() }
    let environment = await server.environment(session, through: proxy)
    do {
      let subscribers = (0..<100).map { _ in LiveSubscriber(environment) }
      try await session.waitForSubscriptions(100)
      for _ in 0..<2 { try await session.publish() }
      for subscriber in subscribers { #expect(await subscriber.snapshots(2).count == 2) }
    }
    try await session.waitForSubscriptions(0)
    #expect(proxy.connectionCount == 1)
  }

  @Test(
    "ten event streams do not hold up queries of the same transport",
    arguments: LiveServer.allCases.filter { !$0.usesWebSocket && $0 != .singleStream })
  func streamsAndQueries(server: LiveServer) async throws {
    let session = try await LiveSession()
    let environment = await RelayEnvironment(transport: server.http(session)).checkedForLeaks
    let subscribers = (0..<10).map { _ in LiveSubscriber(environment) }
    try await session.waitForSubscriptions(10)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { try await environment.fetch(ViewerQuery()) }
      }
      try await group.waitForAll()
    }
    try await session.publish()
    for subscriber in subscribers { #expect(await subscriber.snapshots(1).count == 1) }
  }
}
