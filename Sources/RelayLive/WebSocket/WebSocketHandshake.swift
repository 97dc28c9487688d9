import RelayNetwork
import RelayStore

/// The opening handshake of a WebSocket connection: an HTTP request and the parser of its response.
///
/// Source: RFC 6455, section 4.
struct WebSocketHandshake: Sendable {
  /// The maximum number of bytes of the response's header fields, including interim responses.
  static let headerByteLimit = 64 * 1024
  /// The maximum number of bytes of a rejection's body; the rest is not received.
  static let bodyByteLimit = 16 * 1024

  /// The request, including the empty line that ends it.
  let request: [UInt8]
  private let expectedAccept: String
  private let subprotocols: [String]
  /// The incomplete header section, after any interim responses.
  private var head: [UInt8] = []
  /// The number of bytes of `head` that belong to interim responses.
  private var headStart = 0
  /// The response that rejects the request, while its body is being received.
  private var rejection: WebSocketHandshakeResponse?
  private var failure: WebSocketHandshakeError?

  /// Creates the request of a handshake.
  ///
  /// Control characters are removed from all strings, except tabs from the values in `headers`. The
  /// handshake's own fields take precedence over `headers`.
  ///
  /// - Parameters:
  ///   - host: The value of the `Host` field: the host, with the port unless it is the scheme's
  ///     default.
  ///   - target: The path and query of the URL, percent-encoded.
  ///   - subprotocols: The subprotocols to choose from, by preference.
  ///   - headers: Additional header fields.
  ///   - nonce: 16 random bytes.
  init(
    host: String, target: String, subprotocols: [String] = [], headers: [String: String] = [:],
    nonce: [UInt8]
  ) {
    let key = Base64.encode(nonce)
    let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    expectedAccept = Base64.encode(SHA1.hash(Array((key + guid).utf8)))
    self.subprotocols = subprotocols
    let visible = String(decoding: target.utf8.filter { $0 > 0x20 && $0 != 0x7F }, as: UTF8.self)
    let path = visible.hasPrefix("/") ? visible : "/" + visible
    var lines = [
      "GET \(path) HTTP/1.1", "Host: \(Self.withoutControls(host))",
      "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)",
      "Sec-WebSocket-Version: 13",
    ]
    if !subprotocols.isEmpty {
      let list = subprotocols.map(Self.withoutControls).joined(separator: ", ")
      lines.append("Sec-WebSocket-Protocol: \(list)")
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      let name = name.filter(\.isTokenCharacter)
      guard !name.isEmpty, !Self.isReserved(name) else { continue }
      lines.append("\(name): \(HeaderFields.withoutControls(value))")
    }
    request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Whether a header field belongs to the handshake or would change the length of the request.
  private static func isReserved(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("sec-websocket-")
      || ["host", "upgrade", "connection", "content-length", "transfer-encoding", "expect"]
        .contains(name)
  }

  /// Returns a string without control characters, so that it cannot start another header line.
  private static func withoutControls(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Whether a rejecting response is being received.
  var isRejected: Bool { rejection != nil }

  /// The number of bytes buffered until the rest of the response arrives.
  var bufferedSize: Int { head.count + (rejection?.body.count ?? 0) }

  /// Parses the next bytes of the response.
  ///
  /// - Parameter chunk: Read only during the call, and copied.
  /// - Returns: The response; `nil` while it is incomplete. No bytes may be parsed afterwards.
  /// - Throws: The reason why this is not a response to the handshake. Each further call throws the
  ///   same error.
  /// - Complexity: O(*n*) in the bytes.
  mutating func receive(
    _ chunk: UnsafeRawBufferPointer
  ) throws(WebSocketHandshakeError) -> WebSocketHandshakeResponse? {
    if let failure { throw failure }
    do throws(WebSocketHandshakeError) {
      return try parse(chunk)
    } catch {
      failure = error
      (head, rejection) = ([], nil)
      throw error
    }
  }

  /// Ends the response at the end of the connection.
  ///
  /// - Returns: A rejection with the part of its body that was received; `nil` when the header
  ///   section is incomplete.
  func finish() -> WebSocketHandshakeResponse? { rejection?.withDecodedBody }

  private mutating func parse(
    _ chunk: UnsafeRawBufferPointer
  ) throws(WebSocketHandshakeError) -> WebSocketHandshakeResponse? {
    if rejection != nil { return receiveBody(chunk) }
    var searched = head.count
    head += chunk
    while let end = endOfHead(after: searched) {
      let response = try WebSocketHandshakeResponse(head: head[headStart..<end])
      let rest = head[end...]
      if response.status == 101 {
        return try response.accepted(
          expectedAccept: expectedAccept, subprotocols: subprotocols, rest: Array(rest))
      }
      if response.status >= 200 {
        rejection = response
        head = []
        return rest.withUnsafeBytes { receiveBody($0) }
      }
      (headStart, searched) = (end, end)
    }
    // A server that speaks another protocol may never send an empty line.
    guard zip(head[headStart...], "HTTP/1.".utf8).allSatisfy(==) else { throw .malformedResponse }
    if head.count > Self.headerByteLimit { throw .headerTooLarge }
    return nil
  }

  /// Returns the index after the empty line that ends the current header section.
  ///
  /// - Parameter searched: The number of bytes already searched.
  private func endOfHead(after searched: Int) -> Int? {
    var index = max(headStart, searched - 2)
    let limit = min(head.count, Self.headerByteLimit)
    while index < limit {
      defer { index += 1 }
      guard head[index] == UInt8(ascii: "\n") else { continue }
      if index + 1 < limit, head[index + 1] == UInt8(ascii: "\n") { return index + 2 }
      if index + 2 < limit, head[index + 1] == UInt8(ascii: "\r"),
        head[index + 2] == UInt8(ascii: "\n")
      {
        return index + 3
      }
    }
    return nil
  }

  private mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> WebSocketHandshakeResponse?
  {
    let missingCount = Self.bodyByteLimit - (rejection?.body.count ?? 0)
    rejection?.body += bytes.prefix(missingCount)
    return endedRejection
  }

  /// The rejection, once its body is complete or has reached the limit.
  private var endedRejection: WebSocketHandshakeResponse? {
    guard let rejection, rejection.isComplete || rejection.body.count >= Self.bodyByteLimit else {
      return nil
    }
    return rejection.withDecodedBody
  }
}

/// The reason why a response does not complete a WebSocket handshake.
enum WebSocketHandshakeError: Error, Hashable, Sendable {
  /// The response is not HTTP/1.1.
  case malformedResponse
  /// The header section exceeds its limit.
  case headerTooLarge
  /// The `Upgrade` field is missing or names anything but the WebSocket protocol.
  case noUpgrade
  /// The `Connection` field does not contain `Upgrade`.
  case noConnectionUpgrade
  /// The `Sec-WebSocket-Accept` field is missing or does not match the request's key.
  case wrongAccept
  /// The server chose a subprotocol that was not offered, or none of the offered ones.
  case wrongSubprotocol(String?)
  /// The server uses an extension, but none was offered.
  case unexpectedExtension(String)
}

extension WebSocketHandshakeError: CustomStringConvertible {
  /// The reason, as the end of the message of ``RelayError``.
  var description: String {
    switch self {
    case .malformedResponse: "something other than HTTP/1.1"
    case .headerTooLarge: "more than \(WebSocketHandshake.headerByteLimit) bytes of header fields"
    case .noUpgrade: "status 101, but without an upgrade to WebSocket"
    case .noConnectionUpgrade: "status 101, but without \"Connection: Upgrade\""
    case .wrongAccept: "a \"Sec-WebSocket-Accept\" that does not belong to the request"
    case .wrongSubprotocol(let name?): "the subprotocol \"\(name)\", which was not offered"
    case .wrongSubprotocol(nil): "none of the subprotocols that were offered"
    case .unexpectedExtension(let name): "the extension \"\(name)\", which was not offered"
    }
  }
}

extension Character {
  /// Whether the character is allowed in the name of a header field.
  ///
  /// Source: RFC 9110, section 5.6.2.
  fileprivate var isTokenCharacter: Bool { utf8.allSatisfy(\.isTokenByte) }
}
