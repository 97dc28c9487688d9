#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Glibc

  /// The idle connections of a multi handle, confined to its thread.
  ///
  /// Bytes that arrive on an idle HTTP/1 connection do not belong to any request. libcurl 7.88 and
  /// some later versions would take them for the response to the next request; older and newer
  /// versions close the connection, as ``CurlTransfer`` does. On an HTTP/2 connection control
  /// frames may arrive at any time, and every response identifies its request.
  ///
  /// Source: RFC 9112, section 9.2.
  package final class CurlIdleConnections {
    /// The time after which a connection is too old for a request that may be sent only once: its
    /// server may be closing it.
    package struct AgeLimit: Sendable {
      /// Whole seconds. Servers keep idle connections open for five seconds or longer.
      package let duration: Duration
      let now: @Sendable () -> ContinuousClock.Instant

      package init(
        _ duration: Duration = .seconds(2),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
      ) {
        self.duration = duration
        self.now = now
      }
    }

    /// The two ends of a connection.
    struct Ends: Hashable {
      let remote: String
      let local: String
      let remotePort: Int32
      let localPort: Int32
    }

    /// A connection since its last response.
    private struct Connection {
      let socket: Int32
      /// Whether it can have several requests at a time.
      let isMultiplexed: Bool
      let lastUse: ContinuousClock.Instant

      /// Whether it has something to read: unsolicited bytes, or the end of the connection.
      var isReadable: Bool {
        if isMultiplexed { return false }
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
      }
    }

    private var connections: [Ends: Connection] = [:]
    /// The connection of each socket. When a socket number is reused, the entry of the closed
    /// connection is removed.
    private var ends: [Int32: Ends] = [:]
    let ageLimit: AgeLimit

    init(ageLimit: AgeLimit = AgeLimit()) { self.ageLimit = ageLimit }

    /// Adds a connection whose response is complete.
    func insert(_ ends: Ends, socket: Int32, isMultiplexed: Bool = false) {
      let connection = Connection(
        socket: socket, isMultiplexed: isMultiplexed, lastUse: ageLimit.now())
      if let old = self.ends.updateValue(ends, forKey: socket) { connections[old] = nil }
      if let old = connections.updateValue(connection, forKey: ends) { self.ends[old.socket] = nil }
    }

    /// Removes a connection that is about to be used.
    ///
    /// - Returns: Whether it may be used: it is new, or nothing says that the server has closed it.
    func take(_ ends: Ends, isIdempotent: Bool = true) -> Bool {
      guard let connection = connections[ends] else { return true }
      let isOld = !isIdempotent && ageLimit.now() - connection.lastUse > ageLimit.duration
      // libcurl keeps it, because it may have other requests.
      if isOld, connection.isMultiplexed { return false }
      connections[ends] = nil
      self.ends[connection.socket] = nil
      return !isOld && !connection.isReadable
    }
  }
#endif
