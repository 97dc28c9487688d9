import Foundation
import RelayStoreTesting
import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite("The connections of streams and requests", .timeLimit(.minutes(1)))
struct StreamConnectionTests {
  @Test("requests share the connections of a limit, and none is forgotten")
  func fewConnections() async throws {
    let server = try RawServer { exchange in exchange.send(Wire.okResponse) }
    defer { server.stop() }
    let transport = HTTPTransport(url: server.url, connectionsPerHost: 1)
    for _ in 0..<20 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { _ = try await transport.execute(.query) } }
        try await group.waitForAll()
      }
    }
    #expect(server.connections == 1)
  }

  @Test("more than six connections are a choice")
  func manyConnections() async throws {
    let arrived = NSCondition()
    let count = Locked(0)
    let server = try RawServer { exchange in
      // No response is sent until all requests have arrived.
      arrived.lock()
      count.withLock { $0 += 1 }
      arrived.broadcast()
      while count.withLock({ $0 }) < 9 { arrived.wait() }
      arrived.unlock()
      return exchange.send(Wire.okResponse)
    }
    defer { server.stop() }
    let transport = HTTPTransport(url: server.url, connectionsPerHost: 9)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<9 { group.addTask { _ = try await transport.execute(.query) } }
      try await group.waitForAll()
    }
    #expect(server.connections == 9)
  }

  #if os(Linux) && canImport(Glibc)
    @Test("streams have a thread, which starts with the first and ends with the transport")
    func thread() async throws {
      let server = try RawServer { exchange in exchange.send(StreamWire.head + StreamWire.end) }
      defer { server.stop() }
      weak var thread: CurlThread?
      do {
        let transport = HTTPTransport(url: server.url)
        let client = try #require(transport.client as? CurlClient)
        let streams = try client.threads().streams
        thread = streams
        _ = try await transport.execute(.query)
        #expect(streams.isRunning == false)
        _ = try await transport.streamedBody()
        #expect(streams.isRunning)
      }
      try await eventually {
        thread
      } is: {
        $0 == nil
      }
    }

    /// The number of sockets that this process has open.
    private static func socketCount() throws -> Int {
      let folder = "/proc/self/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "\(folder)/\(name)")
        return target?.hasPrefix("socket:") == true
      }
    }

    @Test("streams that end in any way leave no socket open")
    func descriptors() async {
      await #expect(processExitsWith: .success) {
        let server = try RawServer { exchange in
          exchange.send(Array(StreamWire.head.utf8) + StreamWire.chunk("one"))
          if exchange.index % 4 == 0 { return exchange.send(StreamWire.end) }
          if exchange.index % 4 == 1 { return false }
          exchange.waitForEnd()
          return false
        }
        let before = try Self.socketCount()
        do {
          let transport = HTTPTransport(url: server.url)
          for _ in 0..<40 {
            _ = try? await transport.stream(timeout: .milliseconds(20)) {
              if case .bytes = $0 { try await Task.sleep(for: .milliseconds(1)) }
            }
            let task = Task { try await transport.streamedBody() }
            await Task.yield()
            task.cancel()
            _ = await task.result
          }
        }
        try await eventually {
          try Self.socketCount()
        } is: {
          $0 <= before
        }
      }
    }
  #endif
}
