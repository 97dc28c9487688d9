import RelayLive
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite(
  "Scenarios: credentials of live data", .timeLimit(.minutes(1)), .checksForLeaks,
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the servers need .venv, which make test creates"))
struct LiveCredentialScenarios {
  /// A client's credentials, and how often they were refreshed.
  private final class Credentials: Sendable {
    private let state = Locked((token: "old", refreshCount: 0))

    var token: String { state.withLock { $0.token } }
    var refreshCount: Int { state.withLock { $0.refreshCount } }

    func refresh(to token: String) {
      state.withLock { $0 = (token, $0.refreshCount + 1) }
    }
  }

  /// Returns a transport whose credentials are refreshed once to `new`.
  private func transport(
    _ server: LiveServer, _ session: LiveSession, _ credentials: Credentials, to new: String
  ) -> any Transport {
    let authorization: @Sendable () -> [String: String] = {
      ["Authorization": "Bearer \(credentials.token)"]
    }
    if server.usesWebSocket {
      return WebSocketTransport(
        url: session.socketURL(server.path),
        // Strawberry rejects the connection because of its parameters, Ariadne's route rejects the
        // handshake.
        headers: { session.headers.merging(authorization()) { $1 } },
        connectionParameters: { ["token": .string(credentials.token)] },
        refresh: { credentials.refresh(to: new) }, options: LiveServer.options)
    }
    if server == .singleStream {
      return EventStreamTransport(
        over: server.http(session), headers: { authorization() },
        refresh: { credentials.refresh(to: new) })
    }
    return server.http(session)
      .authenticated(by: { authorization() }, refresh: { credentials.refresh(to: new) })
  }

  @Test(
    "credentials that the server rejects are refreshed once for all subscriptions",
    arguments: LiveServer.allCases)
  func refresh(server: LiveServer) async throws {
    let session = try await LiveSession()
    try await session.requireToken("new")
    let credentials = Credentials()
    let environment = await RelayEnvironment(
      transport: transport(server, session, credentials, to: "new")
    ).checkedForLeaks
    let subscribers = (0..<3).map { _ in LiveSubscriber(environment) }
    try await session.waitForSubscriptions(3)
    try await session.publish()
    for subscriber in subscribers {
      #expect(await subscriber.snapshots(1).first?.data?.taskChanged.id == LiveSession.task)
    }
    #expect(credentials.refreshCount == 1)
  }

  @Test(
    "credentials that are rejected when a connection is lost are refreshed",
    arguments: LiveServer.allCases)
  func refreshAfterLoss(server: LiveServer) async throws {
    let session = try await LiveSession()
    try await session.requireToken("old")
    let proxy = try LiveProxy(before: session.url)
    defer { proxy.stop() }
    let credentials = Credentials()
    let environment = await RelayEnvironment(
      transport: transport(server, session.through(proxy), credentials, to: "new")
    ).checkedForLeaks
    let subscriber = LiveSubscriber(environment)
    try await session.waitForSubscriptions(1)
    #expect(await subscriber.connection())
    try await session.requireToken("new")
    proxy.cut()
    #expect(await subscriber.gap())
    #expect(credentials.refreshCount == 1)
  }

  @Test(
    "new credentials that the server rejects as well end the subscription with an error",
    arguments: LiveServer.allCases)
  func rejection(server: LiveServer) async throws {
    let session = try await LiveSession()
    try await session.requireToken("new")
    let credentials = Credentials()
    let environment = await RelayEnvironment(
      transport: transport(server, session, credentials, to: "wrong")
    ).checkedForLeaks
    let error = await LiveSubscriber(environment).end()
    #expect(error?.code == .transport && error?.isRetryable == false)
    #expect(credentials.refreshCount == 1)
  }
}
