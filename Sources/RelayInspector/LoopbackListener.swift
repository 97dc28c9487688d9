#if DEBUG || RELAY_INSPECTOR
  import Foundation
  import RelayStore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A socket that listens on loopback, and answers each connection once.
  ///
  /// A connection has a thread of its own, and a few seconds to send its request; there are at most
  /// ``connectionLimit`` of them.
  final class LoopbackListener: Sendable {
    /// The answer to the head of a request: the bytes to send.
    typealias Answer = @Sendable (Data) -> Data

    /// The failure of a call of the system.
    struct Failure: Error, CustomStringConvertible {
      let call: String
      let code: Int32
      var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
    }

    static let connectionLimit = 8
    /// The time for receiving and for sending, in seconds.
    private static let timeout = 5

    let port: UInt16
    private let socket: Int32
    private let connections = Locked(0, rank: .leaf)
    private let isStopped = Locked(false, rank: .leaf)

    /// Listens on 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for any.
    /// - Throws: ``Failure`` if the port is not free.
    init(port: UInt16) throws {
      #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
      #else
        let type = SOCK_STREAM
      #endif
      let made = Self.makeSocket(type)
      guard made >= 0 else { throw Failure(call: "socket", code: errno) }
      socket = made
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      // Loopback only: no other machine can connect.
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let failed = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> String? in
          if bind(made, address, size) != 0 { return "bind" }
          if listen(made, 8) != 0 { return "listen" }
          return getsockname(made, address, &size) == 0 ? nil : "getsockname"
        }
      }
      if let failed {
        let failure = Failure(call: failed, code: errno)
        close(made)
        throw failure
      }
      self.port = UInt16(bigEndian: address.sin_port)
    }

    private static func makeSocket(_ type: Int32) -> Int32 {
      #if canImport(Darwin)
        Darwin.socket(AF_INET, type, 0)
      #elseif canImport(Glibc)
        Glibc.socket(AF_INET, type | Int32(SOCK_CLOEXEC.rawValue), 0)
      #else
        Musl.socket(AF_INET, type, 0)
      #endif
    }

    /// Begins to answer.
    func start(_ answer: @escaping Answer) {
      Thread.detachNewThread { [socket, connections] in
        while case let connection = accept(socket, nil, nil), connection >= 0 {
          let isAccepted = connections.withLock { count in
            if count == Self.connectionLimit { return false }
            count += 1
            return true
          }
          guard isAccepted else {
            close(connection)
            continue
          }
          Thread.detachNewThread {
            Self.serve(connection, answer)
            connections.withLock { $0 -= 1 }
          }
        }
        close(socket)
      }
    }

    /// Stops listening; calling it again does nothing. Answers that are being sent are sent.
    func stop() {
      let isFirst = isStopped.withLock { isStopped in
        defer { isStopped = true }
        return !isStopped
      }
      // Wakes the thread, which closes the socket.
      if isFirst { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private static func serve(_ connection: Int32, _ answer: Answer) {
      defer { close(connection) }
      var limit = timeval(tv_sec: timeout, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
      #if canImport(Darwin)
        var isOn: Int32 = 1
        setsockopt(
          connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      #endif
      guard let head = head(from: connection) else { return }
      send(answer(head), to: connection)
    }

    /// Reads up to the empty line after the header fields.
    ///
    /// - Returns: `nil` if it does not come in time, or is too long.
    private static func head(from connection: Int32) -> Data? {
      var head = Data()
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let deadline = ContinuousClock.now + .seconds(timeout)
      while head.count < InspectorRequest.byteLimit, ContinuousClock.now < deadline {
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        head += buffer[..<count]
        if head.range(of: Data("\r\n\r\n".utf8)) != nil { return head }
      }
      return nil
    }

    private static func send(_ data: Data, to connection: Int32) {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      data.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let part = UnsafeRawBufferPointer(rebasing: rest)
          #if canImport(Darwin)
            let count = Darwin.send(connection, part.baseAddress, part.count, flags)
          #elseif canImport(Glibc)
            let count = Glibc.send(connection, part.baseAddress, part.count, flags)
          #else
            let count = Musl.send(connection, part.baseAddress, part.count, flags)
          #endif
          guard count > 0 else { return }
          rest = rest.dropFirst(count)
        }
      }
    }
  }
#endif
