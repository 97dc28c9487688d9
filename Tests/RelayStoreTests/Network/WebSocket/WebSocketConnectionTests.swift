#if os(Linux) && canImport(Glibc)
  import Foundation
  import Glibc
  import Testing

  @testable import RelayLive
  @testable import RelayNetwork
  @testable import RelayStore

  @Suite("A WebSocket connection", .timeLimit(.minutes(1)))
  struct WebSocketConnectionTests {
    private let client: CurlClient
    private let recorder = WebSocketRecorder()
    private let connections = Locked<[any WebSocketConnection]>([])

    init() { client = CurlClient() }

    private func request(_ server: RawServer) -> WebSocketRequest {
      WebSocketRequest(url: server.url, subprotocols: [WebSocketPeer.subprotocol])
    }

    private func connect(
      _ server: RawServer, byteLimit: Int = 1 << 20
    ) async throws -> any WebSocketConnection {
      var request = request(server)
      request.messageByteLimit = byteLimit
      return try await client.connect(to: request, receive: recorder.receive)
    }

    @Test("echoes messages of every length encoding, in their order")
    func echo() async throws {
      let server = try WebSocketPeer.echoServer()
      defer { server.stop() }
      let connection = try await connect(server)
      #expect(connection.subprotocol == WebSocketPeer.subprotocol)
      for count in [0, 1, 125, 126, 65_535, 65_536, 1 << 20] {
        let text = String(repeating: "a", count: count)
        try await connection.send(Array(text.utf8))
        #expect(await recorder.next() == .text(text))
      }
    }

    @Test("sockets do not count toward the limit of connections to a host")
    func sharedHost() async throws {
      let server = try WebSocketPeer.echoServer()
      defer { server.stop() }
      let client = CurlClient(connectionsPerHost: 1)
      for text in ["a", "b", "c"] {
        // Earlier connections remain open until the client is released.
        let connection = try await client.connect(to: request(server), receive: recorder.receive)
        connections.withLock { $0.append(connection) }
        try await connection.send(Array(text.utf8))
        #expect(await recorder.next() == .text(text))
      }
      #expect(server.connections == 3)
    }

    @Test("sends the path, the query and the header fields of its request")
    func requestText() async throws {
      let server = try WebSocketPeer.openServer { peer in
        peer.send(0x81, peer.exchange.request)
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      var request = request(server)
      request.url = try #require(
        URL(string: "ws://us%20er:p@127.0.0.1:\(server.url.port ?? 0)/a%20b?c=d%26e#f"))
      request.headers = ["X-Client": "a"]
      let connection = try await client.connect(to: request, receive: recorder.receive)
      guard case .text(let text) = await recorder.next() else {
        Issue.record("There is no text")
        return
      }
      let lines = text.components(separatedBy: "\r\n")
      #expect(lines[0] == "GET /a%20b?c=d%26e HTTP/1.1")
      #expect(lines[1] == "Host: 127.0.0.1:\(server.url.port ?? 0)")
      #expect(lines.contains("X-Client: a"))
      #expect(lines.contains("Authorization: Basic " + Base64.encode(Array("us er:p".utf8))))
      #expect(!text.contains("Origin"))
      withExtendedLifetime(connection) {}
    }

    @Test("receives messages in fragments, with control frames between them")
    func fragments() async throws {
      let server = try WebSocketPeer.openServer { peer in
        peer.send(0x01, "one, ")
        peer.send(0x89, "p")
        peer.send(0x00, "two, ")
        peer.send(0x80, "three")
        peer.send(0x82, [0, 255])
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let connection = try await connect(server)
      #expect(await recorder.next() == .text("one, two, three"))
      #expect(await recorder.next() == .binary([0, 255]))
      withExtendedLifetime(connection) {}
    }

    @Test("receives frames that arrive together with the handshake")
    func framesWithHandshake() async throws {
      let server = try WebSocketPeer.server { peer in
        peer.exchange.send(Array(peer.acceptance.utf8) + frameBytes(0x81, Array("early".utf8)))
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let connection = try await connect(server)
      #expect(await recorder.next() == .text("early"))
      withExtendedLifetime(connection) {}
    }

    @Test("answers a ping with a pong of the same payload")
    func ping() async throws {
      let server = try WebSocketPeer.openServer { peer in
        peer.send(0x89, "are you there?")
        let answer = peer.next()
        peer.send(
          0x81, "\(answer?.first ?? 0) \(String(decoding: answer?.payload ?? [], as: UTF8.self))")
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let connection = try await connect(server)
      #expect(await recorder.next() == .text("138 are you there?"))
      withExtendedLifetime(connection) {}
    }

    @Test("sends pings, and reports the pongs")
    func pong() async throws {
      let server = try WebSocketPeer.openServer { peer in
        while let (first, payload) = peer.next() {
          peer.send(first == 0x89 ? 0x8A : 0x81, payload)
        }
      }
      defer { server.stop() }
      let connection = try await connect(server)
      connection.ping([1, 2, 3])
      #expect(await recorder.next() == .pong([1, 2, 3]))
    }

    // MARK: The end

    @Test("echoes the code of the server's close frame, and closes the socket")
    func serverCloses() async throws {
      let (codes, code) = AsyncStream<[UInt8]?>.makeStream()
      let server = try WebSocketPeer.openServer { peer in
        peer.send(0x81, "last")
        peer.send(0x88, [0x11, 0x31] + Array("Unauthorized".utf8))
        code.yield(peer.next()?.payload)
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let connection = try await connect(server)
      #expect(
        await recorder.all() == [.text("last"), .closed(4401, "Unauthorized", error: nil)])
      for await payload in codes {
        #expect(payload == [0x11, 0x31])
        break
      }
      await server.next(.disconnected)
      await #expect(throws: RelayError.self) { try await connection.send([]) }
    }

    @Test("reports a close frame without a code")
    func emptyClose() async throws {
      let server = try WebSocketPeer.openServer { peer in
        peer.send(0x88, "")
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let connection = try await connect(server)
      #expect(await recorder.all() == [.closed(1005, "", error: nil)])
      await server.next(.disconnected)
      withExtendedLifetime(connection) {}
    }

    @Test("sends a close frame after its messages, and ends with the server's answer")
    func clientCloses() async throws {
      let server = try WebSocketPeer.openServer { peer in
        var texts: [String] = []
        while let (first, payload) = peer.next() {
          if first == 0x88 {
            peer.send(0x81, "ignored")
            peer.send(0x88, payload.prefix(2) + Array(texts.joined(separator: ",").utf8))
            return peer.exchange.waitForEnd()
          }
          texts.append(String(decoding: payload, as: UTF8.self))
        }
      }
      defer { server.stop() }
      let connection = try await connect(server)
      try await connection.send(Array("a".utf8))
      try await connection.send(Array("b".utf8))
      connection.close(code: .normalClosure, reason: "bye")
      connection.close(code: .goingAway, reason: "again")
      await #expect(throws: RelayError.self) { try await connection.send([]) }
      #expect(await recorder.all() == [.closed(1000, "a,b", error: nil)])
      await server.next(.disconnected)
    }

    @Test("ends without an error when the server answers a close frame by ending the connection")
    func unansweredClose() async throws {
      let server = try WebSocketPeer.openServer { peer in _ = peer.next() }
      defer { server.stop() }
      let connection = try await connect(server)
      connection.close(code: .normalClosure, reason: "")
      #expect(await recorder.all() == [.closed(1006, "", error: nil)])
    }

    @Test("ends after a time limit when the server does not answer a close frame")
    func closingTimeout() async throws {
      let server = try WebSocketPeer.openServer { $0.exchange.waitForEnd() }
      defer { server.stop() }
      var request = request(server)
      request.closingTimeout = .milliseconds(50)
      let connection = try await client.connect(to: request, receive: recorder.receive)
      connection.close(code: .normalClosure, reason: "")
      #expect(await recorder.all() == [.closed(1006, "", error: nil)])
      await server.next(.disconnected)
    }

    @Test("reports the server's close frame even when the socket fails while a message is sent")
    func closeDuringSend() async throws {
      let server = try WebSocketPeer.openServer { peer in
        // Unread bytes make the system reset the connection.
        _ = peer.exchange.receive()
        peer.send(0x88, [0x11, 0x31])
      }
      defer { server.stop() }
      for _ in 0..<10 {
        let recorder = WebSocketRecorder()
        let connection = try await client.connect(to: request(server), receive: recorder.receive)
        await #expect(throws: RelayError.self) {
          try await connection.send([UInt8](repeating: 0x61, count: 8_000_000))
        }
        #expect(await recorder.all() == [.closed(4401, "", error: nil)])
      }
    }

    @Test("closes even while reading is paused")
    func closeWhilePaused() async throws {
      let server = try WebSocketPeer.echoServer()
      defer { server.stop() }
      let connection = try await connect(server)
      connection.pauseReading()
      connection.close(code: .normalClosure, reason: "")
      #expect(await recorder.all() == [.closed(1000, "", error: nil)])
    }

    @Test("ends with an error when the server ends it at any byte of a message")
    func truncatedMessage() async throws {
      let message = frameBytes(0x81, [UInt8](repeating: 0x61, count: 130))
      let server = try RawServer { exchange in
        let acceptance = Array(WebSocketPeer(exchange).acceptance.utf8)
        exchange.send(acceptance + message.prefix(exchange.index))
        return false
      }
      defer { server.stop() }
      for count in 0...message.count {
        let recorder = WebSocketRecorder()
        let connection = try await client.connect(to: request(server), receive: recorder.receive)
        var events = await recorder.all()
        guard case .closed(1006, "", let error?) = events.popLast() else {
          Issue.record("after \(count) bytes: no error")
          continue
        }
        #expect(error.contains("ended the connection without a close frame"))
        #expect(events.isEmpty == (count < message.count))
        withExtendedLifetime(connection) {}
      }
    }

    @Test(
      "answers a violation of the protocol with its close code",
      arguments: [
        ([0x91, 0x00], 1002, "a frame with a reserved bit"),
        ([0x81, 0x01, 0xFF], 1007, "not UTF-8"),
        ([0x82, 0x7F, 0, 0, 0, 0, 0, 0x11, 0, 0], 1009, "more than 1048576 bytes"),
        ([0x88, 0x02, 0x03, 0xED], 1002, "the close code 1005"),
      ] as [([UInt8], Int, String)])
    func violations(bytes: [UInt8], code: Int, text: String) async throws {
      let (codes, continuation) = AsyncStream<[UInt8]>.makeStream()
      let server = try WebSocketPeer.openServer { peer in
        peer.exchange.send(bytes)
        continuation.yield(peer.next()?.payload ?? [])
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      let connection = try await connect(server)
      guard case .closed(1006, "", let error?) = await recorder.next() else {
        Issue.record("There is no error")
        return
      }
      #expect(error.contains(text))
      for await payload in codes {
        #expect(payload.prefix(2) == [UInt8(code >> 8), UInt8(code & 255)])
        break
      }
      await server.next(.disconnected)
      withExtendedLifetime(connection) {}
    }

    @Test("is closed when its last reference is released")
    func release() async throws {
      let server = try WebSocketPeer.openServer { $0.exchange.waitForEnd() }
      defer { server.stop() }
      _ = try await connect(server)
      #expect(await recorder.all() == [.closed(1006, "", error: "CancellationError()")])
      await server.next(.disconnected)
    }

    @Test("ends at once when it is cancelled")
    func cancel() async throws {
      let server = try WebSocketPeer.openServer { $0.exchange.waitForEnd() }
      defer { server.stop() }
      let connection = try await connect(server)
      connection.cancel()
      connection.cancel()
      #expect(await recorder.all().count == 1)
      await #expect(throws: (any Error).self) { try await connection.send([]) }
    }
  }
#endif
