#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Glibc

  /// The HTTP/1 connections of a multi handle that are kept after a response; confined to its
  /// thread.
  ///
  /// Bytes that arrive on one of them answer no request. libcurl 7.88 and later would take them as
  /// the response to the next request; earlier and newer versions close the connection, and so does
  /// ``CurlTransfer``. HTTP/2 connections are not among them: control frames may arrive at any time,
  /// and a response names its request.
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
    /// The reverse of `sockets`: a socket that libcurl has closed is forgotten when another one gets
    /// its number.
    private var ends: [Int32: Ends] = [:]

    /// Adds a connection whose response is complete.
    func insert(_ ends: Ends, socket: Int32) {
      if let old = self.ends.updateValue(ends, forKey: socket) { sockets[old] = nil }
      if let old = sockets.updateValue(socket, forKey: ends) { self.ends[old] = nil }
    }

    /// Removes a connection that is about to be used.
    ///
    /// - Returns: Whether it was kept, and there is something to read: bytes that no request has
    ///   asked for, or the end of the connection.
    func removeReadable(_ ends: Ends) -> Bool {
      guard let socket = sockets.removeValue(forKey: ends) else { return false }
      self.ends[socket] = nil
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) > 0
    }
  }

  extension CurlEasy {
    /// The socket of the connection that is kept after a transfer; `nil` if it is closed, or if it
    /// may have several requests at a time.
    var idleSocket: Int32? { 1...2 ~= integer(LibCurl.Info.httpVersion) ? socket : nil }
  }
#endif
