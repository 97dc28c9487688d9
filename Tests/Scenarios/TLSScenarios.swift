#if os(Linux)
  import Foundation
  import RelayNetwork
  import RelayStore
  import Testing

  @Suite(
    "Scenarios: TLS, HTTP/2, proxies", .timeLimit(.minutes(1)),
    .enabled(
      if: PythonProcess.isInstalled || PythonProcess.isRequired,
      "the TLS servers need .venv, which make test creates"))
  struct TLSScenarios {
    @Test("HTTP/2 is used if the server supports it, otherwise HTTP/1.1")
    func protocols() async throws {
      let servers = try await TLSServers.shared()
      let transport = servers.transport(to: .valid)
      let versions = try await withThrowingTaskGroup { group in
        for _ in 0..<20 { group.addTask { try await transport.protocolVersion() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(versions == Array(repeating: "2", count: 20))
      #expect(try await servers.transport(to: .http1).protocolVersion() == "1.1")
    }

    @Test("over HTTP/2, too, a mutation avoids a connection that was idle for too long")
    func agedConnection() async throws {
      let servers = try await TLSServers.shared()
      let (start, age) = (ContinuousClock.now, Locked(Duration.zero))
      let transport = HTTPTransport(
        url: servers.url(of: .pings), headers: [:], timeout: .seconds(30),
        client: CurlClient(
          certificates: .init(authorities: servers.certificate("authority")),
          ageLimit: .init(.seconds(600)) { start + age.withLock { $0 } }))
      func connection(_ kind: OperationKind, after seconds: Int) async throws -> Int? {
        age.withLock { $0 += .seconds(seconds) }
        let number = try await transport.connectionNumber(kind)
        try await servers.transport(to: .pings).settle()
        return number
      }
      let first = try await connection(.query, after: 0)
      #expect(try await connection(.mutation, after: 600) == first)
      let second = try await connection(.mutation, after: 601)
      #expect(second != nil && second != first)
      let third = try await connection(.mutation, after: 1)
      #expect(third != nil && third != first)
    }

    /// A server, the kind of its certificate's fault, and an excerpt of the message.
    static let badCertificates: [(TLSServers.Name, URLError.Code, String)] = [
      (.expired, .serverCertificateHasBadDate, "expired"),
      (.wrongHost, .serverCertificateUntrusted, "subject name"),
      (.unknownIssuer, .serverCertificateHasUnknownRoot, "issuer"),
      (.selfSigned, .serverCertificateHasUnknownRoot, "self-signed"),
    ]

    @Test(
      "a server's bad certificate is refused, and the error gives the reason",
      arguments: badCertificates)
    func refusedCertificates(server: TLSServers.Name, code: URLError.Code, text: String)
      async throws
    {
      let failure = try await TLSServers.shared().transport(to: server).failure()
      #expect(failure?.fault == code)
      #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "")")
      #expect(failure?.message.contains("127.0.0.1") == true)
      #expect(failure?.code == .transport && failure?.isRetryable == false)
    }

    @Test("a certificate authority unknown to the system is trusted only if it is configured")
    func unknownAuthority() async throws {
      let servers = try await TLSServers.shared()
      let transport = HTTPTransport(url: servers.url(of: .valid), timeout: .seconds(30))
      #expect(await transport.failure()?.fault == .serverCertificateHasUnknownRoot)
    }

    /// A client certificate, the kind of its fault in TLS 1.2 and in TLS 1.3, and an excerpt of the
    /// message.
    static let clients: [(String?, URLError.Code, URLError.Code, String)] = [
      // TLS 1.2 has no alert for a certificate that was not sent (RFC 8446, section 6.2).
      (nil, .secureConnectionFailed, .clientCertificateRequired, "alert"),
      ("client-of-another", .clientCertificateRejected, .clientCertificateRejected, "unknown ca"),
      ("client-revoked", .clientCertificateRejected, .clientCertificateRejected, "revoked"),
    ]

    @Test(
      "the error about a missing or rejected client certificate gives the reason",
      arguments: clients)
    func clientCertificateErrors(
      client: String?, code12: URLError.Code, code13: URLError.Code, text: String
    )
      async throws
    {
      let servers = try await TLSServers.shared()
      for (server, code) in [
        (TLSServers.Name.clientCertificateTLS12, code12), (.clientCertificateTLS13, code13),
      ] {
        let failure = await servers.transport(to: server, client: client).failure()
        #expect(failure?.fault == code, "\(server): \(failure?.message ?? "")")
        #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "")")
        #expect(failure?.isRetryable == false)
      }
    }

    @Test("a client certificate is sent to a server that requests it")
    func clientCertificate() async throws {
      let servers = try await TLSServers.shared()
      for server in [TLSServers.Name.clientCertificateTLS12, .clientCertificateTLS13] {
        #expect(
          try await servers.transport(to: server, client: "client").protocolVersion() == "1.1")
      }
    }

    @Test(
      "an unreadable certificate is an error with the name of the file", arguments: [true, false])
    func unreadable(isClient: Bool) async throws {
      let servers = try await TLSServers.shared()
      let missing = servers.certificate("missing")
      let transport = HTTPTransport(
        url: servers.url(of: .valid), timeout: .seconds(30),
        certificates: .init(
          authorities: isClient ? servers.certificate("authority") : missing,
          client: isClient ? missing : nil))
      let failure = await transport.failure()
      #expect(failure?.message.contains("missing.pem") == true, "\(failure?.message ?? "")")
      #expect(failure?.isRetryable == false)
    }

    /// A server, and the connection numbers of three consecutive requests.
    static let keptConnections: [(TLSServers.Name, [Int])] = [
      // HTTP/2 with responses to pings, and TLS 1.3 with session tickets.
      (.pings, [0, 0, 0]), (.tickets, [0, 0, 0]),
      // HTTP/1.1 with a second response to each request.
      (.unasked, [0, 1, 2]),
    ]

    @Test(
      "a connection is used again unless it is HTTP/1.1 and has data of no request",
      arguments: keptConnections)
    func kept(server: TLSServers.Name, numbers: [Int]) async throws {
      let servers = try await TLSServers.shared()
      let transport = servers.transport(to: server)
      var connections: [Int] = []
      for _ in numbers {
        connections.append(try #require(try await transport.connectionNumber()))
        try await servers.transport(to: server).settle()
      }
      let first = try #require(connections.first)
      // The requests to settle use their own connections.
      let others = connections.map { Set(connections).sorted().firstIndex(of: $0) }
      #expect(others == numbers && connections.allSatisfy { $0 >= first })
      #expect(try await transport.protocolVersion() == (server == .pings ? "2" : "1.1"))
    }

    @Test("TLS to a plain server, and plain HTTP to a TLS server, are connection errors")
    func wrongProtocol() async throws {
      let servers = try await TLSServers.shared()
      let tls = await servers.transport(to: .plain).failure()
      #expect(tls?.fault == .secureConnectionFailed)
      let plain = HTTPTransport(url: servers.url(of: .valid, scheme: "http"), timeout: .seconds(30))
      #expect(await plain.failure()?.fault == .networkConnectionLost)
    }
  }
#endif
