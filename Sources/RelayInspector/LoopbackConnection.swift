#if DEBUG || RELAY_INSPECTOR
  import Foundation

  /// A connection of a ``LoopbackListener``, with a non-blocking socket.
  struct LoopbackConnection {
    private let socket: Int32

    init(_ socket: Int32) { self.socket = socket }

    /// Closes the connection.
    func end() { close(socket) }

    /// Reads up to the empty line after the header fields.
    ///
    /// - Parameter time: The total time limit.
    /// - Returns: `nil` if the head does not arrive in time or is too long.
    func head(within time: Duration) -> Data? {
      let deadline = ContinuousClock.now + time
      var head = Data()
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while head.count < InspectorRequest.byteLimit, wait(for: POLLIN, until: deadline) {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, isTemporary(errno) { continue }
        guard count > 0 else { return nil }
        head += buffer[..<count]
        if head.range(of: Data("\r\n\r\n".utf8)) != nil { return head }
      }
      return nil
    }

    /// Sends bytes until all are sent, the connection fails or the time is up.
    ///
    /// - Parameter time: The total time limit.
    func send(_ data: Data, within time: Duration) {
      let deadline = ContinuousClock.now + time
      data.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty, wait(for: POLLOUT, until: deadline) {
          let count = systemSend(socket, UnsafeRawBufferPointer(rebasing: rest))
          if count < 0, isTemporary(errno) { continue }
          guard count > 0 else { return }
          rest = rest.dropFirst(count)
        }
      }
    }

    private func isTemporary(_ code: Int32) -> Bool {
      [EINTR, EAGAIN, EWOULDBLOCK].contains(code)
    }

    /// Waits until the socket can be read or written.
    ///
    /// - Returns: `false` after the deadline.
    private func wait(for event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
      while true {
        let rest = max(.zero, deadline - .now).components
        let milliseconds = Int32(
          clamping: rest.seconds * 1_000 + rest.attoseconds / 1_000_000_000_000_000)
        guard milliseconds > 0 else { return false }
        var file = pollfd(fd: socket, events: Int16(event), revents: 0)
        let count = poll(&file, 1, milliseconds)
        // `poll` also returns when the socket has failed. The caller's `recv` or `send` reports it.
        if count > 0 { return true }
        if count < 0, errno != EINTR { return false }
      }
    }
  }

  private func systemSend(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      // `LoopbackSocket` has disabled the signal `SIGPIPE`.
      send(socket, bytes.baseAddress, bytes.count, 0)
    #else
      send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }
#endif
