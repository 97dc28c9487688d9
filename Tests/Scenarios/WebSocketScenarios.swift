#if os(Linux) && canImport(Glibc)
  import Foundation
  import Glibc
  import Testing

  @testable import RelayLive
  @testable import RelayNetwork
  @testable import RelayStore

  @Suite(
    "Scenarios: WebSocket over TLS and through proxies", .timeLimit(.minutes(1)),
    .enabled(
      if: PythonProcess.isInstalled || PythonProcess.isRequired,
      "the TLS servers need .venv, which make test creates"))
  struct WebSocketScenarios {
    /// A conversation with one of the servers.
    struct Conversation: Codable {
      var url: URL
      var certificates: [String: URL]
      var proxies: [String: String] = [:]

      /// Sends messages, and returns the server's messages until it closes.
      func run() async throws -> [String] {
        for (name, value) in proxies { setenv(name, value, 1) }
        let client = CurlClient(
          certificates: .init(
            authorities: certificates["authorities"], client: certificates["client"]))
        let request = WebSocketRequest(url: url, subprotocols: ["graphql-transport-ws"])
        let (texts, continuation) = AsyncStream<String>.makeStream()
        let connection = try await client.connect(
          to: request,
          receive: { event in
            switch event {
            case .text(let text): continuation.yield("\(text.count) \(text.first ?? 0)")
            case .closed(let end):
              continuation.yield("\(end.code.rawValue) \(end.reason)")
              continuation.finish()
            default: break
            }
          })
        try await connection.send([UInt8](repeating: 0x61, count: 5))
        try await connection.send([UInt8](repeating: 0x62, count: 1_000_000))
        try await connection.send(Array("close".utf8))
        return await texts.reduce(into: []) { $0.append($1) }
      }
    }

    private static let expected = ["5 97", "1000000 98", "4000 Bye"]

    private static func conversation(_ server: TLSServers.Name) async throws -> Conversation {
      let servers = try await TLSServers.shared()
      return Conversation(
        url: servers.url(of: server, scheme: server == .plain ? "ws" : "wss"),
        certificates: ["authorities": servers.certificate("authority")])
    }

    @Test(
      "messages are exchanged over TLS, also with a server that prefers HTTP/2",
      arguments: [TLSServers.Name.valid, .http1, .plain])
    func messages(server: TLSServers.Name) async throws {
      #expect(try await Self.conversation(server).run() == Self.expected)
    }

    @Test(
      "a server's bad certificate is refused", arguments: [TLSServers.Name.expired, .wrongHost])
    func badCertificate(server: TLSServers.Name) async throws {
      let conversation = try await Self.conversation(server)
      let error = await #expect(throws: RelayError.self) { try await conversation.run() }
      #expect(error?.isRetryable == false)
      let code = (error?.underlying as? URLError)?.code
      #expect(code == .serverCertificateHasBadDate || code == .serverCertificateUntrusted)
    }

    @Test("connections use the tunnel of a proxy")
    func proxy() async throws {
      let proxy = try await TLSServers.shared().proxy()
      for server in [TLSServers.Name.valid, .plain] {
        var input = try await Self.conversation(server)
        input.proxies = ["http_proxy": proxy, "https_proxy": proxy]
        await #expect(processExitsWith: .success) { [input = input as Conversation] in
          let received = try await input.run()
          #expect(received == ["5 97", "1000000 98", "4000 Bye"])
        }
      }
    }

    @Test("a proxy that requires a password is a specific error")
    func proxyPassword() async throws {
      var input = try await Self.conversation(.plain)
      input.proxies["http_proxy"] = try await TLSServers.shared().proxy(user: nil)
      await #expect(processExitsWith: .success) { [input = input as Conversation] in
        let error = await #expect(throws: RelayError.self) { try await input.run() }
        #expect((error?.underlying as? URLError)?.code == .userAuthenticationRequired)
      }
    }
  }
#endif
