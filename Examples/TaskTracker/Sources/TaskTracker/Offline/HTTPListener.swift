import Foundation
import RelayStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An HTTP server on loopback that passes GraphQL requests on to a transport. Each request uses its
/// own connection.
final class HTTPListener: Sendable {
  struct NoSocket: Error {}

  /// The URL of the server.
  let url: String
  private let listener: Int32

  /// Starts the server.
  ///
  /// - Throws: ``NoSocket`` if no port is available.
  init(_ next: any Transport) throws {
    // A client may be killed before it gets its response.
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
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
    guard isListening else { throw NoSocket() }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/graphql"
    Thread.detachNewThread { [listener] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { Self.serve(connection, next) }
      }
      #if os(Linux)
        close(listener)
      #endif
    }
  }

  /// Stops listening.
  func stop() {
    #if os(Linux)
      shutdown(listener, Int32(SHUT_RDWR))
    #else
      // A listening socket cannot be shut down on this platform; closing it ends the thread's
      // `accept`.
      close(listener)
    #endif
  }

  private static func serve(_ connection: Int32, _ next: any Transport) {
    let stream = FileHandle(fileDescriptor: connection, closeOnDealloc: true)
    guard let request = request(from: stream) else { return }
    Task {
      let body = (try? await next.execute(request))?.body
      let head = """
        HTTP/1.1 \(body == nil ? 500 : 200) \r
        Content-Type: application/json\r
        Content-Length: \(body?.count ?? 0)\r
        Connection: close\r
        \r

        """
      try? stream.write(contentsOf: Data(head.utf8) + Data(body ?? []))
      try? stream.close()
    }
  }

  /// Reads a request.
  ///
  /// - Returns: `nil` if it is not a GraphQL request.
  private static func request(from stream: FileHandle) -> GraphQLRequest? {
    var bytes = Data()
    while case let end = stream.availableData, !end.isEmpty {
      bytes += end
      guard let head = bytes.range(of: Data("\r\n\r\n".utf8)) else { continue }
      let fields = fields(String(decoding: bytes[..<head.lowerBound], as: UTF8.self))
      let body = bytes[head.upperBound...]
      guard body.count >= fields["content-length"].flatMap(Int.init) ?? 0 else { continue }
      guard let json = try? JSONValue(parsing: Array(body)), let text = json["query"]?.string
      else { return nil }
      var request = GraphQLRequest(
        operationName: json["operationName"]?.string ?? "",
        kind: text.hasPrefix("mutation") ? .mutation : .query, text: text,
        variables: json["variables"]?.object ?? [:])
      request.headers = fields
      return request
    }
    return nil
  }

  /// Returns the header fields, with lowercase names.
  private static func fields(_ head: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in head.components(separatedBy: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return fields
  }
}
