#if os(Linux)
  import Foundation
  import RelayStore
  import RelayStoreTesting
  import Testing

  @Suite(
    "Scenarios: descriptors of live data", .timeLimit(.minutes(1)),
    .enabled(
      if: PythonProcess.isInstalled || PythonProcess.isRequired,
      "the servers need .venv, which make test creates"))
  struct LiveDescriptorScenarios {
    /// Subscribes, loses the connection, and unsubscribes.
    private static func round(_ server: LiveServer, _ session: LiveSession) async throws {
      let proxy = try LiveProxy(before: session.url)
      defer { proxy.stop() }
      let environment = await server.environment(session, through: proxy)
      do {
        let subscribers = (0..<3).map { _ in LiveSubscriber(environment) }
        try await session.waitForSubscriptions(3)
        for subscriber in subscribers { #expect(await subscriber.connection()) }
        proxy.cut()
        for subscriber in subscribers { #expect(await subscriber.gap()) }
      }
      try await session.waitForSubscriptions(0)
    }

    /// The number of sockets that this process has open.
    private static var socketCount: Int {
      let folder = "/proc/self/fd"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "\(folder)/\(name)")
        return target?.hasPrefix("socket:") == true
      }
    }

    @Test("subscriptions that lose their connection and end leave no socket open")
    func sockets() async throws {
      let url = try await PythonServer.shared().url
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let session = LiveSession(at: url)
        // The control connection remains open.
        try await session.waitForSubscriptions(0)
        let before = Self.socketCount
        for server in LiveServer.allCases {
          for _ in 0..<3 { try await Self.round(server, session) }
        }
        try await eventually {
          Self.socketCount
        } is: {
          $0 <= before
        }
        #expect(Self.socketCount == before)
      }
    }
  }
#endif
