#if os(Linux) && canImport(Glibc)
  import Foundation
  import Glibc
  import RelayStoreTesting
  import Testing

  import RelayLive
  import RelayStore

  @Suite("A WebSocket transport over the loopback interface", .timeLimit(.minutes(1)))
  struct WebSocketLoopbackTests {
    /// A server of the protocol. It responds to a subscription with the events 1 to `count`.
    private static func server(count: Int, completes: Bool = true) throws -> RawServer {
      try WebSocketPeer.openServer { peer in
        while let (first, payload) = peer.next() {
          if first == 0x88 {
            peer.send(0x88, payload)
            return peer.exchange.waitForEnd()
          }
          let json = try? JSONValue(parsing: payload)
          guard let id = json?["id"]?.string else {
            peer.send(0x81, #"{"type":"connection_ack"}"#)
            continue
          }
          guard json?["type"]?.string == "subscribe" else { continue }
          let body = json?["payload"]?["variables"]?.description ?? ""
          for index in 0..<count {
            peer.send(
              0x81,
              #"{"id":"\#(id)","type":"next","payload":{"data":{"index":\#(index),"echo":\#(body)}}}"#
            )
          }
          if completes { peer.send(0x81, #"{"id":"\#(id)","type":"complete"}"#) }
        }
      }
    }

    private func transport(
      _ server: RawServer, idleTimeout: Duration = .zero
    ) -> WebSocketTransport {
      var options = WebSocketOptions()
      options.idleTimeout = idleTimeout
      options.reconnectDelay = .milliseconds(1)
      options.longestReconnectDelay = .milliseconds(1)
      return WebSocketTransport(url: server.url, options: options)
    }

    @Test("receives every event in order")
    func events() async throws {
      let server = try Self.server(count: 2_000)
      defer { server.stop() }
      let subscriber = ScriptedSubscriber(transport(server))
      #expect(await subscriber.next(2) == [.connecting, .connected])
      for index in 0..<2_000 {
        #expect(
          await subscriber.next()
            == .data(#"{"data":{"index":\#(index),"echo":{"zone":"UTC"}}}"#))
      }
      #expect(await subscriber.next() == .completed)
      await server.next(.disconnected)
      #expect(server.connections == 1)
    }

    @Test("a hundred subscriptions share one socket")
    func sharing() async throws {
      let server = try Self.server(count: 10)
      defer { server.stop() }
      let transport = transport(server, idleTimeout: .seconds(60))
      let subscribers = (0..<100).map { _ in ScriptedSubscriber(transport) }
      for subscriber in subscribers {
        var events: [ScriptedSubscriber.Event] = []
        while let event = await subscriber.next() { events.append(event) }
        #expect(events.last == .completed && events.suffix(12).first == .connected)
      }
      #expect(server.connections == 1)
    }

    @Test("two hundred connections leave no socket behind")
    func descriptors() async throws {
      let server = try Self.server(count: 1, completes: false)
      defer { server.stop() }
      let transport = transport(server)
      for index in 0..<200 {
        let subscriber = ScriptedSubscriber(transport)
        if index % 4 > 0 { _ = await subscriber.next(index % 4) }
        subscriber.cancel()
        await subscriber.end()
      }
      _ = transport
      let port = UInt16(server.url.port ?? 0)
      try await eventually(0) { Self.openSockets(toPort: port) }
    }

    /// The number of this process's sockets that are connected to or from a port.
    static func openSockets(toPort port: UInt16) -> Int {
      (0..<Int32(4_096)).count { descriptor in
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // `sockaddr_in` is a form of `sockaddr`, and `size` is its size. The pointers do not escape
        // the closure.
        return withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            getpeername(descriptor, address, &size) == 0
          }
        } && address.sin_family == sa_family_t(AF_INET)
          && UInt16(bigEndian: address.sin_port) == port
      }
    }

    @Test("a session that is cut at any byte is begun again, and delivers whole events only")
    func truncated() async throws {
      let messages = [
        #"{"type":"connection_ack"}"#, #"{"id":"ID","type":"next","payload":{"data":1}}"#,
        #"{"id":"ID","type":"complete"}"#,
      ]
      let total = messages.reduce(0) { $0 + $1.utf8.count + 2 } + 2 * 3
      let server = try WebSocketPeer.openServer { peer in
        var (rest, lastID) = (peer.exchange.connection, "")
        for message in messages {
          guard let (_, payload) = message.contains("complete") ? (0, []) : peer.next() else {
            return
          }
          lastID = (try? JSONValue(parsing: payload))?["id"]?.string ?? lastID
          let text = message.replacingOccurrences(of: "ID", with: lastID)
          let frame = frameBytes(0x81, Array(text.utf8))
          peer.exchange.send(frame.prefix(rest))
          if rest < frame.count { return }
          rest -= frame.count
        }
        _ = peer.next()
      }
      defer { server.stop() }
      let subscriber = ScriptedSubscriber(transport(server))
      var (gaps, sent, states) = (0, 0, 0)
      var last: ScriptedSubscriber.Event?
      while let event = await subscriber.next() {
        switch event {
        case .gap: gaps += 1
        case .connected: sent += 1
        case .data(let text): #expect(text == #"{"data":1}"#)
        case .state: states += 1
        case .completed: break
        case .failed, .cancelled: Issue.record("\(event)")
        }
        last = event
      }
      #expect(last == .completed)
      #expect(gaps == sent - 1 && states > server.connections)
      #expect(server.connections > total - 10)
    }

    @Test("suspending closes the socket, and resuming opens another")
    func suspension() async throws {
      let server = try Self.server(count: 1, completes: false)
      defer { server.stop() }
      let transport = transport(server)
      let subscriber = ScriptedSubscriber(transport)
      #expect(await subscriber.next(3).count == 3)
      transport.suspend()
      #expect(await subscriber.next() == .suspended)
      await server.next(.disconnected)
      transport.resume()
      #expect(await subscriber.next(3) == [.connecting, .connected, .gap])
      subscriber.cancel()
      await server.next(.disconnected)
      #expect(server.connections == 2)
    }

    @Test("a redirect of the handshake is not followed")
    func redirect() async throws {
      let server = try RawServer { exchange in
        exchange.send(
          "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        return false
      }
      defer { server.stop() }
      let subscriber = ScriptedSubscriber(transport(server))
      #expect(await subscriber.next() == .connecting)
      guard case .failed(.transport, let text)? = await subscriber.next() else {
        Issue.record("The subscription goes on")
        return
      }
      #expect(text.contains("302") && server.connections == 1)
    }

    @Test("a message above the limit ends the connection, which is opened again")
    func overlong() async throws {
      let server = try WebSocketPeer.openServer { peer in
        _ = peer.next()
        peer.send(0x81, #"{"type":"connection_ack"}"#)
        _ = peer.next()
        peer.send(0x81, [UInt8](repeating: 0x20, count: 2_000))
        peer.exchange.waitForEnd()
      }
      defer { server.stop() }
      var options = WebSocketOptions()
      options.messageByteLimit = 1_000
      let subscriber = ScriptedSubscriber(
        WebSocketTransport(url: server.url, options: options, random: { 0 }))
      #expect(
        await subscriber.next(6) == [
          .connecting, .connected, .disconnected(.zero), .connecting, .connected, .gap,
        ])
    }
  }
#endif
