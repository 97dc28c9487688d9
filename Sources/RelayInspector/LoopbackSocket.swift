#if DEBUG || RELAY_INSPECTOR
  import Foundation

  /// System calls that create descriptors. All descriptors are non-blocking, and child processes do
  /// not inherit them.
  enum LoopbackSocket {
    /// Creates a socket that listens on 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for any.
    /// - Returns: The socket and its port.
    /// - Throws: ``LoopbackListener/Failure`` if the port is in use.
    static func listen(port: UInt16) throws -> (socket: Int32, port: UInt16) {
      let made = makeSocket()
      guard made >= 0 else { throw LoopbackListener.Failure(call: "socket", code: errno) }
      prepare(made)
      // Lets the port be reused at once, although connections of the last server have just ended.
      var isOn: Int32 = 1
      setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      // Loopback only: no other machine can connect.
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let failed = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> String? in
          if bind(made, address, size) != 0 { return "bind" }
          if systemListen(made, 64) != 0 { return "listen" }
          return getsockname(made, address, &size) == 0 ? nil : "getsockname"
        }
      }
      if let failed {
        let failure = LoopbackListener.Failure(call: failed, code: errno)
        close(made)
        throw failure
      }
      return (made, UInt16(bigEndian: address.sin_port))
    }

    /// Accepts a connection; negative if that fails.
    static func accept(_ socket: Int32) -> Int32 {
      let connection = systemAccept(socket, nil, nil)
      if connection >= 0 { prepare(connection) }
      return connection
    }

    /// Creates a pipe.
    ///
    /// - Returns: The read end and the write end.
    /// - Throws: ``LoopbackListener/Failure``.
    static func makePipe() throws -> (output: Int32, input: Int32) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw LoopbackListener.Failure(call: "pipe", code: errno) }
      for end in ends { prepare(end) }
      return (ends[0], ends[1])
    }

    private static func prepare(_ file: Int32) {
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      _ = fcntl(file, F_SETFL, O_NONBLOCK)
      #if canImport(Darwin)
        // Writing to a closed connection becomes an error instead of a signal. `SO_NOSIGPIPE` would
        // have the same effect, but cannot be set once the peer has closed the connection.
        _ = fcntl(file, F_SETNOSIGPIPE, 1)
      #endif
    }

    private static func makeSocket() -> Int32 {
      #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      #else
        socket(AF_INET, SOCK_STREAM, 0)
      #endif
    }
  }

  // The C functions, under names that no method shadows.

  private func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 { listen(socket, backlog) }

  private func systemAccept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?,
    _ size: UnsafeMutablePointer<socklen_t>?
  ) -> Int32 { accept(socket, address, size) }
#endif
