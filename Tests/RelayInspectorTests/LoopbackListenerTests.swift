#if DEBUG || RELAY_INSPECTOR
  import Dispatch
  import Foundation
  import Testing

  @testable import RelayInspector
  @testable import RelayStore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @Suite("The socket of the inspector", .timeLimit(.minutes(1)))
  struct LoopbackListenerTests {
    /// Injects failures before the real call.
    private final class Failures: Sendable {
      let codes: Locked<[Int32]>
      init(_ codes: [Int32]) { self.codes = Locked(codes) }

      func accept(_ socket: Int32) -> Int32 {
        guard let code = codes.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
          return LoopbackSocket.accept(socket)
        }
        errno = code
        return -1
      }
    }

    private func listener(
      port: UInt16 = 0, _ limits: LoopbackListener.Limits = .init(), failing codes: [Int32] = [],
      answer: Data = Data("answer".utf8)
    ) throws -> LoopbackListener {
      let failures = Failures(codes)
      return try LoopbackListener(port: port, limits: limits, accept: { failures.accept($0) }) {
        _, _ in answer
      }
    }

    private static let head = "GET / HTTP/1.1\r\n\r\n"

    @Test("an interrupted or aborted call, and descriptors that are used up, do not end the server")
    func transientFailures() throws {
      let listener = try listener(failing: [
        EINTR, ECONNABORTED, EAGAIN, EMFILE, ENFILE, ECONNABORTED,
      ])
      for _ in 0..<2 {
        let client = try Client(listener.port)
        client.send(Self.head)
        #expect(client.received() == "answer")
      }
      listener.stop()
    }

    @Test("after another failure the socket is closed, and its number is not used any more")
    func finalFailure() throws {
      var isTried = false
      // Another test may have reused the file descriptor; in that case the next attempt decides.
      for _ in 0..<1_000 where !isTried {
        let listener = try listener(failing: [EBADF])
        // The connection is never accepted, and ends when the socket is closed.
        #expect(try Client(listener.port).received() == "")
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Self.streamType, 0, &pair) == 0)
        let copy = fcntl(pair[0], F_DUPFD, listener.socket)
        if copy == listener.socket || pair.contains(listener.socket) {
          isTried = true
          listener.stop()
          for file in pair { #expect(systemSend(file, "x", 1, Client.flags) == 1) }
        }
        listener.stop()
        for file in Set(pair + [copy]) where file >= 0 { close(file) }
      }
      #expect(isTried)
    }

    @Test("stopping ends a server that waits for connections, and closes its socket")
    func stop() throws {
      // In most rounds the server is already waiting for the next connection.
      for _ in 0..<20 {
        let (isAsked, isStopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let listener = try LoopbackListener(port: 0) { _, _ in
          isAsked.signal()
          isStopped.wait()
          return Data("answer".utf8)
        }
        let client = try Client(listener.port)
        client.send(Self.head)
        isAsked.wait()
        listener.stop()
        listener.stop()
        #expect(throws: Client.NoConnection.self) { try Client(listener.port) }
        isStopped.signal()
        // A response that is already in progress is still sent.
        #expect(client.received() == "answer")
      }
    }

    @Test("a port can be used again at once, also after the server has ended connections")
    func samePort() throws {
      var port: UInt16 = 0
      for _ in 0..<3 {
        let listener = try listener(port: port)
        port = listener.port
        let client = try Client(port)
        client.send(Self.head)
        // The server ends the connection first.
        #expect(client.received() == "answer")
        listener.stop()
      }
    }

    @Test("a connection above the limit waits, and is answered when another one has ended")
    func waiting() throws {
      let listener = try listener(.init(connections: 2, head: .seconds(600)))
      let silent = try [Client(listener.port), Client(listener.port)]
      let clients = try (0..<5).map { _ in try Client(listener.port) }
      for client in clients { client.send(Self.head) }
      for client in silent { client.send(Self.head) }
      for client in clients + silent { #expect(client.received() == "answer") }
      listener.stop()
    }

    @Test("a server without room is stopped too")
    func stopWithoutRoom() throws {
      let listener = try listener(.init(connections: 1, head: .seconds(600)))
      let silent = try Client(listener.port)
      let waiting = try Client(listener.port)
      listener.stop()
      silent.send(Self.head)
      // The connection may still be in the system's queue, or may be accepted before the other one.
      let received: [String] = [silent.received(), waiting.received()]
      #expect(received.count { $0 == "answer" } <= 1)
    }

    @Test("a head that does not come in time ends the connection, however its bytes come")
    func slowHead() throws {
      let listener = try listener(.init(connections: 1, head: .milliseconds(50)))
      let silent = try Client(listener.port)
      #expect(silent.received() == "")
      let slow = try Client(listener.port)
      while !slow.hasEnded { slow.send("a") }
      let client = try Client(listener.port)
      client.send(Self.head)
      #expect(client.received() == "answer")
      listener.stop()
    }

    @Test("a reader that takes nothing, or takes too long, loses its connection")
    func slowReader() throws {
      let listener = try listener(
        .init(connections: 1, response: .milliseconds(100)), answer: Data(count: 64 << 20))
      let silent = try Client(listener.port)
      silent.send(Self.head)
      let slow = try Client(listener.port)
      slow.send(Self.head)
      var count = 0
      // Four million calls take longer than the limit.
      while let part = slow.part(byteLimit: 16), !part.isEmpty { count += part.count }
      #expect(count > 0 && count < 64 << 20)
      listener.stop()
    }

    #if canImport(Glibc)
      private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
      private static let streamType = SOCK_STREAM
    #endif

    /// A connection to a port on loopback.
    private final class Client: Sendable {
      struct NoConnection: Error {}

      #if canImport(Darwin)
        static let flags: Int32 = 0
      #else
        static let flags = Int32(MSG_NOSIGNAL)
      #endif
      private let socket: Int32

      init(_ port: UInt16) throws {
        socket = systemSocket(AF_INET, streamType, 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
          socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        // The deinitializer closes the socket, even after this error.
        if status != 0 { throw NoConnection() }
      }

      deinit { close(socket) }

      /// Sends a string; `false` if the server has ended the connection.
      @discardableResult
      func send(_ text: String) -> Bool {
        systemSend(socket, text, text.utf8.count, Self.flags) == text.utf8.count
      }

      /// Whether the server has ended the connection, or does so within a millisecond.
      var hasEnded: Bool {
        var file = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&file, 1, 1) > 0
      }

      /// Receives some bytes: none at the end, `nil` after a failure.
      func part(byteLimit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: byteLimit)
        let count = recv(socket, &buffer, byteLimit, 0)
        return count < 0 ? nil : Array(buffer[..<count])
      }

      /// Receives everything.
      func received() -> String {
        var bytes: [UInt8] = []
        while let part = part(byteLimit: 65_536), !part.isEmpty { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  // The C functions, under names that no method hides.

  private func systemSocket(_ domain: Int32, _ type: Int32, _ kind: Int32) -> Int32 {
    socket(domain, type, kind)
  }

  private func systemSend(_ file: Int32, _ text: String, _ count: Int, _ flags: Int32) -> Int {
    send(file, text, count, flags)
  }
#endif
