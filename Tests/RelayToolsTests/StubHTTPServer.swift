import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An HTTP server on loopback that responds to each request on a separate connection.
final class StubHTTPServer: Sendable {
  enum Failure: Error { case noSocket }

  /// The URL that the server listens on.
  let url: String
  private let listener: Int32

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - location: The `Location` of all responses.
  ///   - respond: Returns the status and the body of the response to a request, given the request's
  ///     head and body.
  init(
    location: String? = nil,
    _ respond: @escaping @Sendable (String) -> (status: Int, body: String)
  ) throws {
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #elseif canImport(Musl)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { [listener] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw Failure.noSocket }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/graphql"
    Thread.detachNewThread { [listener] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        let (status, body) = respond(Self.request(from: connection))
        let target = location.map { "Location: \($0)\r\n" } ?? ""
        let text =
          "HTTP/1.1 \(status) Some\r\n\(target)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
          + body
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { Self.send($0, to: connection) }
          if count <= 0 { break }
          rest = rest.dropFirst(count)
        }
        close(connection)
      }
      close(listener)
    }
  }

  /// Sends bytes, without raising a signal if the client has disconnected.
  private static func send(_ bytes: UnsafeRawBufferPointer, to connection: Int32) -> Int {
    #if canImport(Glibc)
      Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      write(connection, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Stops listening.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func request(from connection: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
      let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
      let length = parts[0].lowercased().components(separatedBy: "content-length: ").dropFirst()
        .first.flatMap { Int($0.prefix { $0.isNumber }) }
      if parts.count > 1, parts[1].utf8.count >= length ?? 0 {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
