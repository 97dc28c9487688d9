import Foundation
import RelayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A proxy on loopback that forwards requests and corrupts the responses.
///
/// Each connection has its own thread and carries one request.
final class FaultyProxy: Sendable {
  /// A fault in the delivery of a response.
  enum Fault: Sendable {
    /// The connection closes before the server receives the request.
    case notForwarded
    /// The connection closes after this many bytes.
    case cut(after: Int)
    /// The response is sent in two pieces.
    case split(at: Int)
    /// Every byte is sent separately.
    case drip
    case status500
  }

  /// The proxy's address.
  let url: URL
  private let listener: Int32
  private let upstream: UInt16
  private let state = Locked(State())

  private struct State {
    /// Chooses the fault of the next response, given the length of the last one.
    var fault: @Sendable (_ length: Int) -> Fault? = { _ in nil }
    var length = 0
    var headLength = 0
  }

  /// Creates a proxy and starts it.
  ///
  /// - Parameter server: The address that requests are forwarded to.
  init(before server: URL) throws {
    (listener, url) = try LoopbackSocket.listener()
    upstream = UInt16(server.port ?? 80)
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// The number of bytes in the server's last response, head and body.
  var responseLength: Int { state.withLock { $0.length } }

  /// The number of bytes in that response's head.
  var headLength: Int { state.withLock { $0.headLength } }

  /// Sets the fault of all later responses; `nil` for none.
  func set(_ fault: Fault?) { setEach { _ in fault } }

  /// Sets a function that chooses the fault of each later response from the length of the last one.
  /// It is called on one thread at a time.
  func setEach(_ fault: @escaping @Sendable (_ length: Int) -> Fault?) {
    state.withLock { $0.fault = fault }
  }

  /// Stops listening.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      if connection < 0 { return }
      Thread.detachNewThread { [self] in
        serve(connection)
        close(connection)
      }
    }
  }

  private func serve(_ connection: Int32) {
    guard let request = Self.message(from: connection) else { return }
    let fault = state.withLock { $0.fault($0.length) }
    if case .notForwarded = fault { return }
    guard let server = LoopbackSocket.connection(to: upstream) else { return }
    defer { close(server) }
    LoopbackSocket.send(request[...], to: server)
    guard let response = Self.message(from: server) else { return }
    state.withLock { state in
      state.length = response.count
      state.headLength = response.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
    }
    forward(response, with: fault, to: connection)
  }

  private func forward(_ response: [UInt8], with fault: Fault?, to connection: Int32) {
    switch fault {
    case nil, .notForwarded: LoopbackSocket.send(response[...], to: connection)
    case .cut(let count): LoopbackSocket.send(response.prefix(count), to: connection)
    case .split(let position):
      LoopbackSocket.send(response.prefix(position), to: connection)
      // The first piece is in flight before the second one is sent.
      sched_yield()
      LoopbackSocket.send(response.dropFirst(position), to: connection)
    case .drip:
      for byte in response { LoopbackSocket.send([byte], to: connection) }
    case .status500:
      let text = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nOops"
      LoopbackSocket.send(Array(text.utf8)[...], to: connection)
    }
  }

  // MARK: Messages

  /// Receives a complete message with a `Content-Length`; `nil` if the connection closes before its
  /// end.
  private static func message(from descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { return nil }
      bytes += buffer.prefix(count)
      if let length = length(of: bytes), bytes.count >= length { return bytes }
    }
  }

  /// Returns the length of a message, head and body, once its head is complete.
  private static func length(of bytes: [UInt8]) -> Int? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    guard let field = head.firstRange(of: "content-length:")?.upperBound else { return end }
    let digits = head[field...].drop { $0 == " " }.prefix { $0.isNumber }
    return end + (Int(digits) ?? 0)
  }
}
