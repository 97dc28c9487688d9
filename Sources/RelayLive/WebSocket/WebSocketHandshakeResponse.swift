import RelayNetwork
import RelayStore

/// The response to a WebSocket handshake.
struct WebSocketHandshakeResponse: Equatable, Sendable {
  /// The HTTP status: 101 for an open connection. Redirects are not followed.
  private(set) var status = 0
  /// The header fields by lowercase name. Values of a repeated field are joined with a comma and a
  /// space.
  private(set) var headers: [String: String] = [:]
  /// The subprotocol that the server chose.
  private(set) var subprotocol: String?
  /// The bytes after the header section: the first frames after status 101, otherwise the part of
  /// the body that was received.
  var body: [UInt8] = []

  /// Creates a response that was parsed elsewhere.
  init(status: Int, headers: [String: String]) { (self.status, self.headers) = (status, headers) }

  /// Parses a header section.
  ///
  /// Source: RFC 9112, sections 4 and 5.
  ///
  /// - Parameter head: The bytes up to and including the empty line.
  /// - Throws: ``WebSocketHandshakeError/malformedResponse``.
  init(head: ArraySlice<UInt8>) throws(WebSocketHandshakeError) {
    var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }[...]
    guard let status = lines.popFirst().flatMap(Self.status) else { throw .malformedResponse }
    self.status = status
    for line in lines where !line.isEmpty { try appendField(line) }
  }

  /// Parses a status line such as `HTTP/1.1 101 Switching Protocols`.
  private static func status(_ line: ArraySlice<UInt8>) -> Int? {
    let digits = line.dropFirst(9).prefix(3)
    guard line.starts(with: "HTTP/1.1 ".utf8) || line.starts(with: "HTTP/1.0 ".utf8),
      line.count == 12 || line.dropFirst(12).first == UInt8(ascii: " "),
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let status = Int(String(decoding: digits, as: UTF8.self)), status >= 100
    else { return nil }
    // HTTP/1.0 supports neither upgrades nor interim responses.
    return status < 200 && line.dropFirst(7).first == UInt8(ascii: "0") ? nil : status
  }

  private mutating func appendField(_ line: ArraySlice<UInt8>) throws(WebSocketHandshakeError) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenByte),
      // A carriage return inside a line could hide another line, and NUL is never valid.
      !line.contains(UInt8(ascii: "\r")), !line.contains(0)
    else { throw .malformedResponse }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)
    // Appends in place: a server may repeat a field many times.
    if headers[name]?.append(", " + value) == nil { headers[name] = value }
  }

  /// Checks a response with status 101.
  ///
  /// - Parameter rest: The bytes after the header section.
  func accepted(
    expectedAccept: String, subprotocols: [String], rest: [UInt8]
  ) throws(WebSocketHandshakeError) -> Self {
    guard headers["upgrade"]?.lowercased() == "websocket" else { throw .noUpgrade }
    let connection = (headers["connection"] ?? "").lowercased().split(separator: ",")
    guard connection.contains(where: { Array($0.utf8)[...].trimmed.elementsEqual("upgrade".utf8) })
    else { throw .noConnectionUpgrade }
    guard headers["sec-websocket-accept"] == expectedAccept else { throw .wrongAccept }
    if let name = headers["sec-websocket-extensions"], !name.isEmpty {
      throw .unexpectedExtension(name)
    }
    let chosen = headers["sec-websocket-protocol"]
    guard chosen.map(subprotocols.contains) ?? subprotocols.isEmpty else {
      throw .wrongSubprotocol(chosen)
    }
    var accepted = self
    accepted.subprotocol = chosen
    accepted.body = rest
    return accepted
  }
}

/// The error of a handshake that the server rejected.
struct WebSocketRejection: Error {
  let response: WebSocketHandshakeResponse
}

extension WebSocketHandshakeResponse {
  private var isChunked: Bool {
    headers["transfer-encoding"]?.lowercased().hasSuffix("chunked") ?? false
  }

  /// Whether responses with this status never have a body.
  private var isWithoutBody: Bool { status == 204 || status == 304 }

  /// Whether `body` is complete.
  var isComplete: Bool {
    if isWithoutBody { return true }
    if isChunked { return chunks.isComplete }
    return contentLength.map { body.count >= $0 } ?? false
  }

  /// The declared length of the body; `nil` if it is missing or invalid.
  private var contentLength: Int? {
    headers["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The response with its decoded body: without chunk framing and without trailing bytes.
  var withDecodedBody: Self {
    var decoded = self
    if isWithoutBody {
      decoded.body = []
    } else if isChunked {
      decoded.body = chunks.body
    } else if let contentLength {
      decoded.body = Array(body.prefix(contentLength))
    }
    return decoded
  }

  /// The decoded content of a chunked body, and whether it includes the last chunk.
  ///
  /// Source: RFC 9112, section 7.1.
  private var chunks: (body: [UInt8], isComplete: Bool) {
    var content: [UInt8] = []
    var rest = body[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let digits = rest[..<end].prefix { $0 != UInt8(ascii: ";") }.trimmed
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0 else {
        return (content, true)
      }
      rest = rest[(end + 1)...]
      content += rest.prefix(size)
      guard rest.count > size else { break }
      rest = rest.dropFirst(size)
      // The line break after the chunk.
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { break }
      rest = rest[(end + 1)...]
    }
    return (content, false)
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without leading and trailing white space.
  fileprivate var trimmed: ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let start = drop(while: isSpace)
    return start[..<(start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex)]
  }
}
