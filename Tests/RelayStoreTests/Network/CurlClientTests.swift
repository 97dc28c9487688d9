#if os(Linux) && canImport(Glibc)
  import Foundation
  import Glibc
  import RelayStoreTesting
  import Testing

  @testable import RelayLive
  @testable import RelayNetwork
  @testable import RelayStore

  @Suite("The thread of the libcurl client", .timeLimit(.minutes(1)))
  struct CurlClientTests {
    private func server() throws -> RawServer {
      try RawServer { exchange in
        exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        return true
      }
    }

    /// A weak reference to a client's thread, to observe its end.
    private struct ThreadReference {
      weak var thread: CurlThread?

      /// Waits until the thread has ended; a running thread retains itself.
      func end() async throws {
        try await eventually {
          thread
        } is: {
          $0 == nil
        }
      }
    }

    @Test("the thread starts with the first request, and ends with the last copy of the transport")
    func end() async throws {
      let server = try server()
      defer { server.stop() }
      var references: [ThreadReference] = []
      for count in 0..<50 {
        let transport = HTTPTransport(url: server.url)
        let copy = transport
        let client = try #require(transport.client as? CurlClient)
        references.append(ThreadReference(thread: try client.threads().requests))
        for _ in 0..<count % 3 { _ = try await copy.execute(.query) }
      }
      for reference in references { try await reference.end() }
    }

    @Test("without libcurl each request is an error that names the packages to install")
    func missing() async throws {
      let client = CurlClient(load: { throw RelayError.noLibCurl })
      let url = try #require(URL(string: "http://127.0.0.1/"))
      let transport = HTTPTransport(url: url, headers: [:], timeout: .seconds(1), client: client)
      let failures = [
        await Wire.failure(transport),
        await #expect(throws: RelayError.self) { try await transport.stream(.query) { _ in } },
      ]
      for failure in failures {
        #expect(failure?.code == .transport && failure?.isRetryable == false)
        #expect(failure?.operationName == "FeedQuery")
        #expect(failure?.message.contains("libcurl4 (Debian, Ubuntu)") == true)
        #expect(failure?.message.contains("RelayURLSession") == true)
      }
      let socket = await #expect(throws: RelayError.self) {
        try await client.connect(to: WebSocketRequest(url: url)) { _ in }
      }
      #expect(socket?.message == RelayError.noWebSocket.message)
    }

    @Test("the thread ends only after the last request of its client")
    func lastRequest() async throws {
      let server = try RawServer { exchange in
        exchange.waitForEnd()
        return false
      }
      defer { server.stop() }
      var transport: HTTPTransport? = HTTPTransport(url: server.url)
      let reference = ThreadReference(
        thread: try (transport?.client as? CurlClient)?.threads().requests)
      let request = Task { [transport] in try await transport?.execute(.query) }
      transport = nil
      await server.next(.waiting)
      #expect(reference.thread != nil)
      request.cancel()
      await #expect(throws: CancellationError.self) { try await request.value }
      await server.next(.disconnected)
      try await reference.end()
    }

    @Test("the thread closes its connections when it ends")
    func connections() async throws {
      let server = try server()
      defer { server.stop() }
      for _ in 0..<20 {
        _ = try await HTTPTransport(url: server.url).execute(.query)
        await server.next(.disconnected)
      }
    }

    @Test("the process can exit while requests are in flight")
    func processExit() async {
      await #expect(processExitsWith: .success) {
        let server = try RawServer { exchange in
          exchange.waitForEnd()
          return false
        }
        let transport = HTTPTransport(url: server.url)
        for _ in 0..<4 { Task.detached { try await transport.execute(.query) } }
        await server.next(.waiting)
        exit(EXIT_SUCCESS)
      }
    }
  }
#endif
