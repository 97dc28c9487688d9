import Foundation
import RelayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A proxy on loopback that forwards requests and corrupts the responses.
///
/// Each connection has a thread of its own and carries one request.
final class FaultyProxy: Sendable {
  /// A fault in the delivery of a response.
  enum Fault: Sendable {
    /// The connection closes after this many bytes.
    case cut(after: Int)
    /// The response is sent in two parts.
    case split(at: Int)
    /// Every byte is sent by itself.
    case drip
    case status500
  }

  enum Failure: Error { case noSocket }

  /// The proxy's address.
  let url: URL
  private let listener: Int32
  private let upstream: UInt16
  private let state = Locked<(fault: Fault?, length: Int, headLength: Int)>((nil, 0, 0))

  /// Creates a proxy and starts it.
  ///
  /// - Parameter server: The address that requests are forwarded to.
  init(before server: URL) throws {
    let listener = Self.tcpSocket()
    self.listener = listener
    upstream = UInt16(server.port ?? 80)
    var address = Self.loopback(0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard listener >= 0, isBound == 0, listen(listener, 64) == 0 else { throw Failure.noSocket }
    var actual = sockaddr_in()
    var length = size
    _ = withUnsafeMutablePointer(to: &actual) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    guard let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: actual.sin_port))") else {
      throw Failure.noSocket
    }
    self.url = url
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// The number of bytes in the server's last response, head and body.
  var responseLength: Int { state.withLock { $0.length } }

  /// The number of bytes in the head of that response.
  var headLength: Int { state.withLock { $0.headLength } }

  /// Sets the fault of all later responses; `nil` for none.
  func set(_ fault: Fault?) { state.withLock { $0.fault = fault } }

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
    let server = Self.tcpSocket()
    defer { close(server) }
    var address = Self.loopback(upstream)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) }
    }
    guard isConnected == 0 else { return }
    Self.send(request[...], to: server)
    guard let response = Self.message(from: server) else { return }
    let fault = state.withLock { state in
      state.length = response.count
      state.headLength = response.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
      return state.fault
    }
    forward(response, with: fault, to: connection)
  }

  private func forward(_ response: [UInt8], with fault: Fault?, to connection: Int32) {
    switch fault {
    case nil: Self.send(response[...], to: connection)
    case .cut(let count): Self.send(response.prefix(count), to: connection)
    case .split(let position):
      Self.send(response.prefix(position), to: connection)
      // The first part is in flight before the second is sent.
      sched_yield()
      Self.send(response.dropFirst(position), to: connection)
    case .drip:
      for byte in response { Self.send([byte], to: connection) }
    case .status500:
      let text = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nOops"
      Self.send(Array(text.utf8)[...], to: connection)
    }
  }

  // MARK: Sockets

  private static func tcpSocket() -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes($0, to: descriptor, flags: flags) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func sendBytes(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, flags: Int32
  ) -> Int {
    #if canImport(Glibc)
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    #else
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
    #endif
  }

  /// Receives a whole message with a `Content-Length`; `nil` if the connection closes before its
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
