import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("The WebSocket handshake", .timeLimit(.minutes(1)))
struct WebSocketHandshakeTests {
  /// The nonce of the example in RFC 6455, section 1.3.
  static let nonce = WebSocketCheck.nonce
  static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  static let open = [
    "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Accept: \(accept)", "Sec-WebSocket-Protocol: graphql-transport-ws",
  ]

  /// The result of a response.
  enum Outcome: Equatable, Sendable {
    case open(rest: String)
    case rejected(Int, body: String)
    case failed(WebSocketHandshakeError)
    case incomplete
  }

  /// A response of a server, and its outcome.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let response: String
    let outcome: Outcome
    var testDescription: String { name }

    init(_ name: String, _ lines: [String], body: String = "", _ outcome: Outcome) {
      self.name = name
      response = (lines + ["", body]).joined(separator: "\r\n")
      self.outcome = outcome
    }

    init(_ name: String, text: String, _ outcome: Outcome) {
      (self.name, response, self.outcome) = (name, text, outcome)
    }
  }

  private static func replacing(_ field: String, with line: String?) -> [String] {
    open.compactMap { $0.hasPrefix(field + ":") ? line : $0 }
  }

  static let accepted: [Case] = [
    Case("an upgrade", open, .open(rest: "")),
    Case(
      "an upgrade and the first frames", open, body: "rest\r\n\r\nof it",
      .open(rest: "rest\r\n\r\nof it")),
    Case(
      "names and values in other cases",
      [open[0], "UPGRADE:WebSocket", "connection: \t keep-alive , UPGRADE\t", open[3], open[4]],
      .open(rest: "")),
    Case("further fields", open + ["Server: a", "Set-Cookie: b=c", "X-Empty:"], .open(rest: "")),
    Case("no reason phrase", ["HTTP/1.1 101"] + open[1...], .open(rest: "")),
    Case("an empty reason phrase", ["HTTP/1.1 101 "] + open[1...], .open(rest: "")),
    Case(
      "line breaks without carriage returns", text: open.joined(separator: "\n") + "\n\nrest",
      .open(rest: "rest")),
    Case(
      "an interim response before", ["HTTP/1.1 103 Early Hints", "Link: </a>", ""] + open,
      .open(rest: "")),
    Case("an empty list of extensions", open + ["Sec-WebSocket-Extensions:"], .open(rest: "")),
  ]

  static let refused: [Case] = [
    Case("no Upgrade", replacing("Upgrade", with: nil), .failed(.noUpgrade)),
    Case("another Upgrade", replacing("Upgrade", with: "Upgrade: h2c"), .failed(.noUpgrade)),
    Case("two upgrades", open + ["Upgrade: h2c"], .failed(.noUpgrade)),
    Case("no Connection", replacing("Connection", with: nil), .failed(.noConnectionUpgrade)),
    Case(
      "another Connection", replacing("Connection", with: "Connection: close, upgrades"),
      .failed(.noConnectionUpgrade)),
    Case("no Accept", replacing("Sec-WebSocket-Accept", with: nil), .failed(.wrongAccept)),
    Case(
      "the Accept of another key",
      replacing(
        "Sec-WebSocket-Accept", with: "Sec-WebSocket-Accept: HSmrc0sMlYUkAGmm5OPpG2HaGWk="),
      .failed(.wrongAccept)),
    Case(
      "an Accept in another case",
      replacing("Sec-WebSocket-Accept", with: "Sec-WebSocket-Accept: \(accept.lowercased())"),
      .failed(.wrongAccept)),
    Case("two Accepts", open + [open[3]], .failed(.wrongAccept)),
    Case(
      "no subprotocol", replacing("Sec-WebSocket-Protocol", with: nil),
      .failed(.wrongSubprotocol(nil))),
    Case(
      "another subprotocol",
      replacing("Sec-WebSocket-Protocol", with: "Sec-WebSocket-Protocol: graphql-ws"),
      .failed(.wrongSubprotocol("graphql-ws"))),
    Case(
      "two subprotocols", open + [open[4]],
      .failed(.wrongSubprotocol("graphql-transport-ws, graphql-transport-ws"))),
    Case(
      "an extension", open + ["Sec-WebSocket-Extensions: permessage-deflate"],
      .failed(.unexpectedExtension("permessage-deflate"))),
  ]

  static let malformed: [Case] = [
    Case("not HTTP", text: "SSH-2.0-OpenSSH_9.2\r\n", .failed(.malformedResponse)),
    Case("HTTP/2", ["HTTP/2 101"] + open[1...], .failed(.malformedResponse)),
    Case("HTTP/1.0", ["HTTP/1.0 101 OK"] + open[1...], .failed(.malformedResponse)),
    Case("a status of two digits", ["HTTP/1.1 10 "] + open[1...], .failed(.malformedResponse)),
    Case("a status of four digits", ["HTTP/1.1 1011"] + open[1...], .failed(.malformedResponse)),
    Case("a signed status", ["HTTP/1.1 +10 "] + open[1...], .failed(.malformedResponse)),
    Case("the status 99", ["HTTP/1.1 099 "] + open[1...], .failed(.malformedResponse)),
    Case("no status", ["HTTP/1.1"] + open[1...], .failed(.malformedResponse)),
    Case("a line without a colon", open + ["Server"], .failed(.malformedResponse)),
    Case("a line without a name", open + [": a"], .failed(.malformedResponse)),
    Case("a space before the colon", open + ["Server : a"], .failed(.malformedResponse)),
    Case("a folded line", open + [" folded"], .failed(.malformedResponse)),
    Case("a carriage return in a line", open + ["Server: a\rX: b"], .failed(.malformedResponse)),
    Case("a NUL in a line", open + ["Server: \u{0}"], .failed(.malformedResponse)),
    Case("an empty line first", [""] + open, .failed(.malformedResponse)),
    Case(
      "garbage after an interim response", ["HTTP/1.1 100 Continue", "", "x"],
      .failed(.malformedResponse)),
    Case("nothing", text: "", .incomplete),
    Case("the beginning of a status line", text: "HTTP/1.1 10", .incomplete),
    Case("fields without an end", text: open.joined(separator: "\r\n") + "\r\n", .incomplete),
    Case("only an interim response", ["HTTP/1.1 100 Continue"], .incomplete),
    Case(
      "a long line", text: "HTTP/1.1 101 " + String(repeating: "a", count: 70_000),
      .failed(.headerTooLarge)),
    Case(
      "many fields", open + [String](repeating: "A: b", count: 20_000), .failed(.headerTooLarge)),
    Case(
      "many interim responses",
      text: String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 4_000),
      .failed(.headerTooLarge)),
  ]

  static let rejections: [Case] = [
    Case(
      "a rejection with a length", ["HTTP/1.1 401 Unauthorized", "Content-Length: 4"],
      body: "nope and more", .rejected(401, body: "nope")),
    Case(
      "a rejection without a length", ["HTTP/1.1 403 Forbidden"], body: "no",
      .rejected(403, body: "no")),
    Case(
      "a rejection in chunks", ["HTTP/1.1 400 Bad Request", "Transfer-Encoding: chunked"],
      body: "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n", .rejected(400, body: "abc0123456789")),
    Case(
      "a rejection that ends inside a chunk",
      ["HTTP/1.1 400 Bad Request", "Transfer-Encoding: chunked"], body: "3\r\nabc\r\nA\r\n01",
      .rejected(400, body: "abc01")),
    Case(
      "a rejection that ends early", ["HTTP/1.1 500 Error", "Content-Length: 10"], body: "abc",
      .rejected(500, body: "abc")),
    Case(
      "a rejection with a negative length", ["HTTP/1.1 500 Error", "Content-Length: -1"],
      body: "", .rejected(500, body: "")),
    Case(
      "a redirect",
      ["HTTP/1.1 302 Found", "Location: wss://elsewhere.example/", "Content-Length: 0"],
      .rejected(302, body: "")),
    Case(
      "a response without an upgrade", ["HTTP/1.1 200 OK"] + open[1...], body: "{}",
      .rejected(200, body: "{}")),
    Case("HTTP/1.0", ["HTTP/1.0 503 No"], body: "no", .rejected(503, body: "no")),
    Case(
      "a status without a body", ["HTTP/1.1 204 No Content"], body: "a", .rejected(204, body: "")),
    Case(
      "a long body", ["HTTP/1.1 502 Bad Gateway"], body: String(repeating: "a", count: 100_000),
      .rejected(502, body: String(repeating: "a", count: WebSocketHandshake.bodyByteLimit))),
  ]

  static let cases = accepted + refused + malformed + rejections

  private static func handshake() -> WebSocketHandshake {
    WebSocketHandshake(
      host: "server.example", target: "/graphql", subprotocols: [WebSocketCheck.subprotocol],
      nonce: nonce)
  }

  private func outcome(_ chunks: [[UInt8]]) -> Outcome {
    var handshake = Self.handshake()
    var response: WebSocketHandshakeResponse?
    var rest: [UInt8] = []
    do throws(WebSocketHandshakeError) {
      for chunk in chunks {
        if response == nil {
          response = try handshake.receive(chunk)
        } else {
          rest += chunk
        }
      }
    } catch {
      return .failed(error)
    }
    guard let response = response ?? handshake.finish() else { return .incomplete }
    if response.status == 101 {
      return .open(rest: String(decoding: response.body + rest, as: UTF8.self))
    }
    return .rejected(response.status, body: String(decoding: response.body, as: UTF8.self))
  }

  @Test(
    "has the outcome of a table in one chunk, at every split and byte by byte", arguments: cases)
  func table(_ sample: Case) {
    let bytes = Array(sample.response.utf8)
    #expect(outcome([bytes]) == sample.outcome)
    #expect(outcome(bytes.chunks(of: bytes.count > 1_000 ? 97 : 1)) == sample.outcome)
    for split in bytes.indices where bytes.count <= 1_000 || split % 9_973 == 0 {
      let chunks = [Array(bytes[..<split]), Array(bytes[split...])]
      #expect(outcome(chunks) == sample.outcome, "split after \(split) bytes")
    }
  }

  @Test("is open only after the whole header section", arguments: accepted)
  func truncations(_ sample: Case) {
    let bytes = Array(sample.response.utf8)
    guard case .open(let rest) = sample.outcome else { return }
    for count in 0..<(bytes.count - rest.utf8.count) {
      #expect(outcome([Array(bytes[..<count])]) == .incomplete, "the first \(count) bytes")
    }
  }

  @Test("repeats its error for what follows")
  func repeatedError() {
    var handshake = Self.handshake()
    for _ in 0..<2 {
      #expect(throws: WebSocketHandshakeError.malformedResponse) {
        try handshake.receive(Array("HTTP/1.1 x\r\n\r\n".utf8))
      }
    }
    #expect(handshake.bufferedSize == 0)
  }

  @Test("sends the request of the specification's example")
  func request() {
    let handshake = WebSocketHandshake(
      host: "server.example:8080", target: "/chat?a=b", subprotocols: ["chat", "superchat"],
      headers: ["Authorization": "Bearer a", "Cookie": "b=c"], nonce: Self.nonce)
    #expect(
      String(decoding: handshake.request, as: UTF8.self) == """
        GET /chat?a=b HTTP/1.1\r
        Host: server.example:8080\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: chat, superchat\r
        Authorization: Bearer a\r
        Cookie: b=c\r
        \r

        """)
  }

  @Test("sends a path where the URL has none")
  func emptyPath() {
    for (target, line) in ["": "GET / HTTP/1.1", "?a": "GET /?a HTTP/1.1"] {
      let request = WebSocketHandshake(host: "a", target: target, nonce: Self.nonce).request
      #expect(String(decoding: request, as: UTF8.self).hasPrefix(line + "\r\n"))
    }
  }

  @Test("sends no text that begins another line")
  func injection() {
    let handshake = WebSocketHandshake(
      host: "a\r\nX: 1", target: "/ HTTP/1.1\r\nX: 2", subprotocols: ["b\r\nX: 3"],
      headers: [
        "A": "b\r\nX: 4", "B\r\nX": "5\n\u{7F}", "\r\n": "6", "C:D e": "\u{0}7\r", "É": "8",
      ], nonce: Self.nonce)
    let lines = String(decoding: handshake.request, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 7 + 3)
    #expect(
      lines.allSatisfy { !$0.hasPrefix("X") && !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } })
    #expect(lines[0] == "GET /HTTP/1.1X:2 HTTP/1.1")
    #expect(lines.contains("A: bX: 4") && lines.contains("BX: 5") && lines.contains("CDe: 7"))
  }

  @Test("sends a tab in the value of a field")
  func tab() {
    let handshake = WebSocketHandshake(
      host: "a", target: "/", headers: ["A": "b\tc"], nonce: Self.nonce)
    let lines = String(decoding: handshake.request, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.contains("A: b\tc"))
  }

  @Test("sends its own fields once, and none that changes the length of the request")
  func reservedFields() {
    let names = [
      "host", "UPGRADE", "Connection", "Sec-WebSocket-Key", "sec-websocket-extensions",
      "Content-Length", "transfer-encoding", "Expect",
    ]
    let handshake = WebSocketHandshake(
      host: "a", target: "/", headers: Dictionary(uniqueKeysWithValues: names.map { ($0, "evil") }),
      nonce: Self.nonce)
    #expect(!String(decoding: handshake.request, as: UTF8.self).contains("evil"))
  }

  @Test("returns the header fields of a rejection in lower case")
  func rejectionFields() throws {
    var handshake = Self.handshake()
    let response = try handshake.receive(
      Array(
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nwww-authenticate:  Bearer \r\nContent-Length: 0\r\n\r\n"
          .utf8))
    #expect(response?.status == 401)
    #expect(
      response?.headers == ["www-authenticate": "Basic, Bearer", "content-length": "0"])
  }
}
