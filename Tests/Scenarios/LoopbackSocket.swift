import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The proxies' sockets, all on 127.0.0.1.
enum LoopbackSocket {
  enum Failure: Error { case noSocket }

  /// Returns a socket that listens on a free port, and its address.
  static func listener() throws -> (descriptor: Int32, url: URL) {
    let listener = tcpSocket()
    var address = loopback(0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard listener >= 0, isBound == 0, listen(listener, 256) == 0 else { throw Failure.noSocket }
    var actual = sockaddr_in()
    var length = size
    _ = withUnsafeMutablePointer(to: &actual) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    guard let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: actual.sin_port))") else {
      throw Failure.noSocket
    }
    return (listener, url)
  }

  /// Returns a socket that is connected to a port; `nil` if the port has no listener.
  static func connection(to port: UInt16) -> Int32? {
    let descriptor = tcpSocket()
    var address = loopback(port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if isConnected == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// Sends bytes; blocks until the socket has accepted all of them.
  ///
  /// - Returns: Whether the peer was still connected.
  @discardableResult
  static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes($0, to: descriptor, flags: flags) }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
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
}
