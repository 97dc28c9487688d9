import Foundation
import RelayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server on the loopback interface that responds with arbitrary bytes, including invalid HTTP.
///
/// Each connection has its own thread. State shared between threads is immutable or inside
/// `counts`.
final class RawServer: Sendable {
  enum Failure: Error { case noSocket }

  /// A connection event.
  enum Event: Equatable, Sendable {
    /// The server waits until the client closes the connection of a request.
    case waiting
    /// A connection has ended.
    case disconnected
  }

  /// How much of a request the server reads before it responds.
  enum Reading: Sendable {
    case whole
    /// The entire request, but only the head and the body's size are stored.
    case draining
    case head
  }

  /// A request, and the connection for its response.
  struct Exchange {
    /// The number of requests that the server received before this one.
    let index: Int
    let connection: Int
    let request: String
    /// The number of body bytes that the server has read.
    let bodySize: Int
    fileprivate let descriptor: Int32
    fileprivate let yield: @Sendable (Event) -> Void

    /// Sends bytes; blocks until the socket has accepted all of them.
    ///
    /// - Returns: Whether the client was still connected.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        // The system copies the bytes before `send` returns, while the buffer is valid.
        let count = rest.withUnsafeBytes { bytes in
          #if canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
          #else
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
          #endif
        }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Waits for bytes after the request; `nil` when the client has closed the connection.
    func receive() -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Yields `waiting`, then blocks until the client has closed the connection.
    func waitForEnd() {
      yield(.waiting)
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) > 0 {}
    }

    #if canImport(Glibc)
      /// Waits until the client's system has received all sent bytes.
      func waitForDelivery() {
        var count: Int32 = 1
        while ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0, count > 0 { poll(nil, 0, 1) }
      }
    #endif

    /// Ends the connection, from any thread, while the response is being sent.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Returns whether the client has stopped reading: the socket accepts no bytes for the given
    /// time.
    func isBlocked(forMilliseconds milliseconds: Int32) -> Bool {
      var descriptor = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      return poll(&descriptor, 1, milliseconds) == 0
    }

    /// Waits for the given time, or until there are bytes to read.
    func wait(milliseconds: Int32) {
      var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, milliseconds)
    }
  }

  /// The URL that the server listens on.
  let url: URL
  let events: AsyncStream<Event>
  private let listener: Int32
  private let eventContinuation: AsyncStream<Event>.Continuation
  private let pause: Int32
  private let reading: Reading
  private let respond: @Sendable (Exchange) -> Bool
  private let counts = Locked<(requests: Int, connections: Int)>((0, 0))

  /// Starts a server on a free port.
  ///
  /// - Parameters:
  ///   - pause: The milliseconds between two reads. A server that pauses has a small receive
  ///     buffer, so the client has to wait.
  ///   - reading: How much of a request is read before the response.
  ///   - respond: Sends the response to a request, and returns whether the connection remains open.
  init(
    pause: Int32 = 0, reading: Reading = .whole, _ respond: @escaping @Sendable (Exchange) -> Bool
  ) throws {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    if pause > 0 {
      var buffer: Int32 = 1 << 18
      setsockopt(
        listener, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
    }
    // `sockaddr_in` is a form of `sockaddr`, and `size` is its size. The pointer does not escape
    // the closure.
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening,
      let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/graphql")
    else { throw Failure.noSocket }
    self.url = url
    self.listener = listener
    self.respond = respond
    self.pause = pause
    self.reading = reading
    (events, eventContinuation) = AsyncStream.makeStream()
    Thread.detachNewThread { [self] in acceptConnections() }
  }

  /// The number of connections to date.
  var connections: Int { counts.withLock { $0.connections } }

  /// The number of requests to date.
  var requests: Int { counts.withLock { $0.requests } }

  /// Stops listening. Open connections are not closed.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Waits until the next occurrence of an event.
  func next(_ event: Event) async {
    for await other in events where other == event { return }
  }

  private func acceptConnections() {
    while true {
      let connection = accept(listener, nil, nil)
      if connection < 0 { break }
      #if canImport(Darwin)
        _ = fcntl(connection, F_SETNOSIGPIPE, 1)
      #endif
      let index = counts.withLock { counts in
        counts.connections += 1
        return counts.connections - 1
      }
      Thread.detachNewThread { [self] in
        while let request = request(from: connection),
          reply(to: request.text, request.bodySize, connection: index, descriptor: connection)
        {}
        close(connection)
        eventContinuation.yield(.disconnected)
      }
    }
    close(listener)
  }

  private func reply(
    to request: String, _ bodySize: Int, connection: Int, descriptor: Int32
  ) -> Bool {
    let index = counts.withLock { counts in
      counts.requests += 1
      return counts.requests - 1
    }
    return respond(
      Exchange(
        index: index, connection: connection, request: request, bodySize: bodySize,
        descriptor: descriptor, yield: { [eventContinuation] in eventContinuation.yield($0) }))
  }

  /// Reads a request; returns `nil` when the connection ends.
  private func request(from descriptor: Int32) -> (text: String, bodySize: Int)? {
    var request = RawRequest(keepsBody: reading == .whole)
    var buffer = [UInt8](repeating: 0, count: pause > 0 ? 1 << 19 : 1 << 16)
    while true {
      poll(nil, 0, pause)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { return nil }
      request.add(buffer.prefix(count))
      if request.isComplete || reading == .head && request.head != nil {
        return (request.text, request.bodySize)
      }
    }
  }
}
