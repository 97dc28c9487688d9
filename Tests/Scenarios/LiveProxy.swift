import Foundation
import RelayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A proxy on loopback that forwards bytes in both directions. On request it cuts a connection,
/// holds its bytes, or refuses new connections.
///
/// A connection has two threads, one for each direction. They end with the connection, or at the
/// latest in ``stop()``.
final class LiveProxy: Sendable {
  /// A client's connection, and the matching connection to the server.
  private final class Connection: Sendable {
    let client: Int32
    let server: Int32
    /// The number of directions that have not ended. The last one closes the sockets.
    let directions = Locked(2)

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

    func cut() {
      // Once a connection has ended, its sockets may belong to another.
      directions.withLock { count in
        if count == 0 { return }
        for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
      }
    }

    func endDirection() {
      cut()
      directions.withLock { count in
        count -= 1
        if count == 0 { for descriptor in [client, server] { close(descriptor) } }
      }
    }
  }

  private struct State {
    var connections: [Connection] = []
    /// The number of held connections at the start of ``connections``.
    var heldCount = 0
    var refuses = false
    /// The number of bytes from the server before the next connection is cut.
    var limit: Int?
    /// The number of bytes that servers sent over the last connection.
    var receivedCount = 0
    /// The number of bytes that clients sent over held connections.
    var heldBytes = 0
  }

  /// The proxy's address.
  let url: URL
  private let listener: Int32
  private let upstream: UInt16
  private let state = Locked(State())
  /// Signaled when connections are released, and for every held byte.
  private let changed = NSCondition()

  /// Creates a proxy and starts it.
  ///
  /// - Parameter server: The address that connections are forwarded to.
  init(before server: URL) throws {
    (listener, url) = try LoopbackSocket.listener()
    upstream = UInt16(server.port ?? 80)
    Thread.detachNewThread { [self] in acceptAll() }
  }

  // MARK: Faults

  /// The number of connections that were accepted and not refused.
  var connectionCount: Int { state.withLock { $0.connections.count } }

  /// The number of bytes that the server sent over the last connection.
  var receivedCount: Int { state.withLock { $0.receivedCount } }

  /// Cuts the next connection after a number of bytes from the server; `nil` cuts no later
  /// connection.
  func cutNext(after limit: Int?) { state.withLock { $0.limit = limit } }

  /// Closes every connection.
  func cut() {
    for connection in state.withLock({ $0.connections }) { connection.cut() }
    release()
  }

  /// Closes new connections immediately, or forwards them again.
  func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

  /// Holds the bytes of the existing connections without closing them. New connections work.
  func hold() { state.withLock { $0.heldCount = $0.connections.count } }

  /// Forwards the held bytes.
  func release() {
    changed.lock()
    state.withLock { $0.heldCount = 0 }
    changed.broadcast()
    changed.unlock()
  }

  /// Waits until a client has sent bytes over a held connection.
  func heldBytes() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        changed.lock()
        while state.withLock({ $0.heldBytes }) == 0 { changed.wait() }
        changed.unlock()
        continuation.resume()
      }
    }
  }

  /// Stops listening, and closes every connection.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    cut()
  }

  // MARK: Forwarding

  private func acceptAll() {
    while true {
      let client = accept(listener, nil, nil)
      if client < 0 { return }
      guard !state.withLock({ $0.refuses }),
        let server = LoopbackSocket.connection(to: upstream)
      else {
        close(client)
        continue
      }
      let connection = Connection(client: client, server: server)
      let (index, limit) = state.withLock { state in
        state.connections.append(connection)
        defer { (state.limit, state.receivedCount) = (nil, 0) }
        return (state.connections.count - 1, state.limit)
      }
      Thread.detachNewThread { [self] in forward(connection, index, limit: limit, toClient: true) }
      Thread.detachNewThread { [self] in forward(connection, index, limit: nil, toClient: false) }
    }
  }

  private func forward(_ connection: Connection, _ index: Int, limit: Int?, toClient: Bool) {
    defer { connection.endDirection() }
    let source = toClient ? connection.server : connection.client
    let target = toClient ? connection.client : connection.server
    var rest = limit ?? .max
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      if count <= 0 { return }
      if toClient { state.withLock { $0.receivedCount += count } }
      waitWhileHeld(index, count: toClient ? 0 : count)
      guard LoopbackSocket.send(buffer.prefix(min(count, rest)), to: target) else { return }
      rest -= min(count, rest)
      if rest == 0 { return }
    }
  }

  private func waitWhileHeld(_ index: Int, count: Int) {
    changed.lock()
    defer { changed.unlock() }
    guard state.withLock({ index < $0.heldCount }) else { return }
    state.withLock { $0.heldBytes += count }
    changed.broadcast()
    while state.withLock({ index < $0.heldCount }) { changed.wait() }
  }
}
