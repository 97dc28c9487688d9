#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Foundation
  import Glibc
  import Testing

  @testable import RelayStore

  @Suite("libcurl's thread", .timeLimit(.minutes(10)))
  struct CurlClientTests {
    private func server() throws -> RawServer {
      try RawServer { exchange in
        exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        return true
      }
    }

    /// What is left of a client's thread, once the client is gone.
    private struct Remains {
      weak var thread: CurlThread?

      /// Waits until it has ended, for a thread holds itself until then; false when time is up.
      func end() async -> Bool {
        while thread != nil {
          if Task.isCancelled { return false }
          await Task.yield()
        }
        return true
      }
    }

    @Test("begins with the first request, and ends with the last copy of the transport")
    func end() async throws {
      let server = try server()
      defer { server.stop() }
      var remains: [Remains] = []
      for count in 0..<50 {
        let transport = HTTPTransport(url: server.url)
        let copy = transport
        let client = try #require(transport.client as? CurlClient)
        remains.append(Remains(thread: client.thread))
        for _ in 0..<count % 3 { _ = try await copy.execute(.query) }
      }
      for thread in remains { #expect(await thread.end()) }
    }

    @Test("ends only after the request that its client was sent for")
    func lastRequest() async throws {
      let server = try RawServer { exchange in
        exchange.waitForEnd()
        return false
      }
      defer { server.stop() }
      var transport: HTTPTransport? = HTTPTransport(url: server.url)
      let remains = Remains(thread: (transport?.client as? CurlClient)?.thread)
      let request = Task { [transport] in try await transport?.execute(.query) }
      transport = nil
      await server.next(.waiting)
      #expect(remains.thread != nil)
      request.cancel()
      await #expect(throws: CancellationError.self) { try await request.value }
      await server.next(.left)
      #expect(await remains.end())
    }

    @Test("takes its connections with it")
    func connections() async throws {
      let server = try server()
      defer { server.stop() }
      for _ in 0..<20 {
        _ = try await HTTPTransport(url: server.url).execute(.query)
        await server.next(.left)
      }
    }

    #if compiler(>=6.2)
      @Test("lets the process exit while requests are on their way")
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
    #endif
  }
#endif
