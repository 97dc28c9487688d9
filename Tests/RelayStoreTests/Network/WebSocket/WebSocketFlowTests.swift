#if os(Linux) && canImport(Glibc)
  import Foundation
  import Glibc
  import Testing

  @testable import RelayLive
  @testable import RelayNetwork
  @testable import RelayStore

  @Suite("The flow of WebSocket messages", .timeLimit(.minutes(1)))
  struct WebSocketFlowTests {
    private let client: CurlClient

    init() { client = CurlClient() }

    private func connect(
      _ server: RawServer, receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
    ) async throws -> any WebSocketConnection {
      try await client.connect(
        to: WebSocketRequest(url: server.url, subprotocols: [WebSocketPeer.subprotocol]),
        receive: receive)
    }

    @Test("the server has to wait while reading is paused, and loses nothing")
    func backPressure() async throws {
      let (messageCount, size) = (1_000, 60_000)
      let sentCount = Locked(0)
      let server = try WebSocketPeer.openServer { peer in
        _ = peer.next()
        for _ in 0..<messageCount {
          peer.send(0x82, [UInt8](repeating: 7, count: size))
          sentCount.withLock { $0 += 1 }
        }
        peer.send(0x88, "")
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let receivedCount = Locked(0)
      let (ends, end) = AsyncStream<Void>.makeStream()
      let connection = try await connect(server) { event in
        if case .binary = event { receivedCount.withLock { $0 += 1 } }
        if case .closed = event { end.finish() }
      }
      connection.pauseReading()
      try await connection.send([])
      // The client's thread serves another connection in the meantime, so it does not just sleep.
      let echo = try WebSocketPeer.echoServer()
      defer { echo.stop() }
      let recorder = WebSocketRecorder()
      let other = try await connect(echo, receive: recorder.receive)
      for _ in 0..<300 {
        try await other.send([0x61])
        #expect(await recorder.next() == .text("a"))
      }
      #expect(receivedCount.withLock { $0 } == 0)
      #expect(sentCount.withLock { $0 } < messageCount)
      connection.resumeReading()
      for await _ in ends {}
      #expect(receivedCount.withLock { $0 } == messageCount)
    }

    @Test("reading can be paused and resumed from inside the callback")
    func pauseInCallback() async throws {
      let server = try WebSocketPeer.openServer { peer in
        for _ in 0..<200 { peer.send(0x82, [UInt8](repeating: 7, count: 5_000)) }
        peer.send(0x88, "")
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let (messages, continuation) = AsyncStream<Int>.makeStream()
      let holder = Locked<(any WebSocketConnection)?>(nil)
      let connection = try await connect(server) { event in
        guard case .binary(let bytes) = event else { return continuation.finish() }
        holder.withLock { $0 }?.pauseReading()
        continuation.yield(bytes.count)
      }
      holder.withLock { $0 = connection }
      var count = 0
      for await size in messages {
        count += size == 5_000 ? 1 : 0
        connection.resumeReading()
      }
      #expect(count == 200)
      holder.withLock { $0 = nil }
    }

    @Test("100,000 small messages arrive in their order")
    func manyMessages() async throws {
      let messageCount = 100_000
      let server = try WebSocketPeer.openServer { peer in
        for start in stride(from: 0, to: messageCount, by: 1_000) {
          peer.exchange.send(
            (start..<start + 1_000).flatMap { frameBytes(0x81, Array("\($0)".utf8)) })
        }
        peer.send(0x88, "")
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let next = Locked((index: 0, isInOrder: true))
      let (ends, end) = AsyncStream<Void>.makeStream()
      let connection = try await connect(server) { event in
        switch event {
        case .text(let text):
          next.withLock { next in
            if text != Array("\(next.index)".utf8) { next.isInOrder = false }
            next.index += 1
          }
        case .closed: end.finish()
        default: break
        }
      }
      for await _ in ends {}
      #expect(next.withLock { $0.index } == messageCount)
      #expect(next.withLock { $0.isInOrder })
      withExtendedLifetime(connection) {}
    }

    @Test("a large message is sent while the server sends one too")
    func bothDirections() async throws {
      let size = 8_000_000
      let server = try WebSocketPeer.openServer { peer in
        peer.send(0x82, [UInt8](repeating: 1, count: 8_000_000))
        let payload = peer.next()?.payload
        peer.send(0x81, "\(payload?.count ?? 0) \(payload?.allSatisfy { $0 == 0x62 } ?? false)")
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let recorder = WebSocketRecorder()
      let connection = try await connect(server, receive: recorder.receive)
      try await connection.send([UInt8](repeating: 0x62, count: size))
      guard case .binary(let bytes) = await recorder.next() else {
        Issue.record("There is no message")
        return
      }
      #expect(bytes.count == 8_000_000)
      #expect(await recorder.next() == .text("\(size) true"))
    }

    @Test("sending to a server that does not read can be cancelled, and fails with the connection")
    func stalledSend() async throws {
      let server = try WebSocketPeer.openServer { peer in
        peer.send(0x81, "open")
        // Does not read until another connection opens the gate.
        peer.exchange.wait(milliseconds: 0)
        Self.gate.wait()
      }
      defer { server.stop() }
      let recorder = WebSocketRecorder()
      let connection = try await connect(server, receive: recorder.receive)
      #expect(await recorder.next() == .text("open"))
      let large = [UInt8](repeating: 0x61, count: 30_000_000)
      let first = Task { try await connection.send(large) }
      let second = Task { try await connection.send(large) }
      let third = Task { try await connection.send(large) }
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
      third.cancel()
      await #expect(throws: CancellationError.self) { try await third.value }
      connection.cancel()
      await #expect(throws: RelayError.self) { try await first.value }
      Self.gate.signal()
    }

    /// Lets the server of ``stalledSend()`` end.
    private static let gate = DispatchSemaphore(value: 0)

    @Test("a server that floods with pings gets an answer to the last one at least")
    func pingFlood() async throws {
      let server = try WebSocketPeer.openServer { peer in
        for _ in 0..<50 {
          peer.exchange.send((0..<1_000).flatMap { _ in frameBytes(0x89, Array("old".utf8)) })
        }
        peer.send(0x89, "new")
        var count = 0
        while let (first, payload) = peer.next(), first == 0x8A {
          count += 1
          if payload == Array("new".utf8) { break }
        }
        peer.send(0x81, "\(count > 0 && count <= 50_001)")
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let recorder = WebSocketRecorder()
      let connection = try await connect(server, receive: recorder.receive)
      #expect(await recorder.next() == .text("true"))
      withExtendedLifetime(connection) {}
    }
  }
#endif
