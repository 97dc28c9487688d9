#if os(Linux) && canImport(Glibc)
  import Foundation
  import RelayStoreTesting
  import Testing

  @testable import RelayNetwork
  @testable import RelayStore

  @Suite("Bytes that no request has asked for", .timeLimit(.minutes(1)))
  struct UnaskedResponseTests {
    /// A server that sends bytes after its first responses have been received.
    private final class Server: Sendable {
      let raw: RawServer
      private let isReceived: DispatchSemaphore
      private let deliveries: AsyncStream<Void>

      /// - Parameter count: The number of responses, each on its own connection. All of their
      ///   requests must arrive first.
      init(sending unasked: String, onConnections count: Int = 1) throws {
        let (isReceived, arrived) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (deliveries, delivery) = AsyncStream.makeStream(of: Void.self)
        (self.isReceived, self.deliveries) = (isReceived, deliveries)
        raw = try RawServer { exchange in
          let isFirst = exchange.index < count
          if exchange.index == count - 1 { for _ in 0..<count { arrived.signal() } }
          if isFirst { arrived.wait() }
          exchange.send(Wire.response(["X-Connection: \(exchange.connection)"], Wire.body))
          if isFirst {
            isReceived.wait()
            exchange.send(unasked)
            exchange.waitForDelivery()
            delivery.yield()
          }
          return true
        }
      }

      /// Lets the server send its bytes, and waits until they have reached the client's system.
      func deliver(_ count: Int = 1) async {
        for _ in 0..<count { isReceived.signal() }
        var received = 0
        for await _ in deliveries {
          received += 1
          if received == count { return }
        }
      }
    }

    private static let unasked = Wire.response(["X-Connection: unasked"], #"{"data":{"me":2}}"#)

    @Test(
      "a kept connection that has bytes to read is closed instead of used again",
      arguments: [
        unasked, String(unasked.prefix(1)),
        Wire.response(["Connection: close"], "", status: "408 Request Timeout"),
      ], [false, true])
    func closed(unasked: String, isStream: Bool) async throws {
      let server = try Server(sending: unasked)
      defer { server.raw.stop() }
      let transport = HTTPTransport(url: server.raw.url)
      @Sendable func connection() async throws -> String? {
        if !isStream { return try await transport.execute(.query).headers["x-connection"] }
        let name = Locked<String?>(nil)
        try await transport.stream(.query) { event in
          if case .response(let response) = event {
            name.withLock { $0 = response.headers["x-connection"] }
          }
        }
        return name.withLock { $0 }
      }
      #expect(try await connection() == "0")
      await server.deliver()
      // The new connection is reused.
      for _ in 0..<3 { #expect(try await connection() == "1") }
      #expect(server.raw.connections == 2)
    }

    @Test("all kept connections that have bytes to read are closed")
    func several() async throws {
      let server = try Server(sending: Self.unasked, onConnections: 3)
      defer { server.raw.stop() }
      let transport = HTTPTransport(url: server.raw.url)
      func names(_ count: Int) async throws -> [String] {
        try await withThrowingTaskGroup(of: String?.self) { group in
          for _ in 0..<count {
            group.addTask { try await transport.execute(.query).headers["x-connection"] }
          }
          return try await group.reduce(into: []) { $0.append($1 ?? "none") }.sorted()
        }
      }
      #expect(try await names(3) == ["0", "1", "2"])
      await server.deliver(3)
      #expect(try await names(1) == ["3"])
      #expect(try await names(4).allSatisfy { Int($0).map { $0 > 2 } ?? false })
    }

    @Test("a stream is sent once, on the next connection")
    func upload() async throws {
      let server = try Server(sending: Self.unasked)
      defer { server.raw.stop() }
      let transport = HTTPTransport(url: server.raw.url)
      #expect(try await transport.execute(.query).status == 200)
      await server.deliver()
      let upload = Upload(stream: chunks(3), length: 3_000, fileName: "a")
      let response = try await transport.execute(.uploading(upload))
      #expect(response.headers["x-connection"] == "1")
    }

    @Test("a socket that libcurl has given to another connection is forgotten")
    func sameSocket() throws {
      var pair: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
      defer { for socket in pair { close(socket) } }
      func ends(_ port: Int32) -> CurlIdleConnections.Ends {
        .init(remote: "127.0.0.1", local: "127.0.0.1", remotePort: 80, localPort: port)
      }
      let connections = CurlIdleConnections()
      for port: Int32 in [1, 1, 2] { connections.insert(ends(port), socket: pair[0]) }
      #expect(write(pair[1], "x", 1) == 1)
      #expect(connections.take(ends(1)))
      #expect(!connections.take(ends(2)))
      #expect(connections.take(ends(2)))
    }

    @Test("a cancelled request leaves the kept connections as they are")
    func cancelled() async throws {
      let server = try Server(sending: Self.unasked)
      defer { server.raw.stop() }
      let transport = HTTPTransport(url: server.raw.url)
      #expect(try await transport.execute(.query).status == 200)
      await server.deliver()
      let request = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.execute(.query)
      }
      await #expect(throws: CancellationError.self) { try await request.value }
      #expect(try await transport.execute(.query).headers["x-connection"] == "1")
    }
  }
#endif
