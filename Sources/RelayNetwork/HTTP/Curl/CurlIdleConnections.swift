#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Glibc

  /// The idle HTTP/1 connections of a multi handle, confined to its thread.
  ///
  /// Bytes that arrive on an idle connection do not belong to any request. libcurl 7.88 and some
  /// later versions would take them for the response to the next request; older and newer versions
  /// close the connection, as ``CurlTransfer`` does. HTTP/2 connections are not included: control
  /// frames may arrive at any time, and every response identifies its request.
  ///
  /// Source: RFC 9112, section 9.2.
  final class CurlIdleConnections {
    /// The two ends of a connection.
    struct Ends: Hashable {
      let remote: String
      let local: String
      let remotePort: Int32
      let localPort: Int32
    }

    private var sockets: [Ends: Int32] = [:]
    /// The reverse of `sockets`. When a socket number is reused, the entry of the closed connection
    /// is removed.
    private var ends: [Int32: Ends] = [:]

    /// Adds a connection whose response is complete.
    func insert(_ ends: Ends, socket: Int32) {
      if let old = self.ends.updateValue(ends, forKey: socket) { sockets[old] = nil }
      if let old = sockets.updateValue(socket, forKey: ends) { self.ends[old] = nil }
    }

    /// Removes a connection that is about to be used.
    ///
    /// - Returns: Whether the connection was idle and has something to read: unsolicited bytes or
    ///   the end of the connection.
    func removeReadable(_ ends: Ends) -> Bool {
      guard let socket = sockets.removeValue(forKey: ends) else { return false }
      self.ends[socket] = nil
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) > 0
    }
  }

  extension CurlEasy {
    /// The socket of the connection left open after a transfer; `nil` when it is closed or can
    /// multiplex requests.
    var idleSocket: Int32? { 1...2 ~= integer(LibCurl.Info.httpVersion) ? socket : nil }
  }
#endif
