import RelayStore
import Testing

/// Responses of malicious servers, each far beyond its limits.
enum HostileHTTPResponses {
  /// The expected outcome of a response.
  enum Outcome: Sendable {
    /// A ``RelayError`` with code `response` and these words in its message.
    case rejected(String)
    /// An error page with this status; only its start is received.
    case truncated(Int)
  }

  /// A response of a malicious server, and its expected outcome.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let head: String
    /// The bytes before the repeated ones.
    var start: [UInt8] = []
    /// The bytes that are sent repeatedly.
    let part: [UInt8]
    /// The number of bytes that each byte of `part` decodes to.
    var expansion = 1
    let outcome: Outcome
    /// Whether a session exposes enough of the response to reject it. A session exposes neither
    /// compressed bytes nor interim headers, and not every header line.
    var isForSessions = true
    var testDescription: String { name }
  }

  static let byteLimit = 1 << 20

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let json = "Content-Type: application/json\r\n"
  private static let tooLong = Outcome.rejected("has more than \(byteLimit) bytes.")
  private static let headerTooLong = Outcome.rejected(
    "has more than 262144 bytes of header fields.")
  private static let text = Array(String(repeating: "word ", count: 4_000).utf8)
  private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
  }

  private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"
  private static let gzip: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3]

  /// A deflate block with fixed Huffman codes and without an end that decodes to zeros: a literal,
  /// then copies of 258 bytes in 13 bits each.
  private static let bomb: (start: [UInt8], part: [UInt8]) = {
    let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
    let header: [UInt8] = [0, 1, 0]
    let literal: [UInt8] = [0, 0, 1, 1, 0, 0, 0, 0]
    let bits = header + literal + (0..<16).flatMap { _ in copy }
    let bytes = (0..<bits.count / 8).map { index -> UInt8 in
      bits[index * 8..<index * 8 + 8].reversed().reduce(0) { (byte: UInt8, bit) in byte << 1 | bit }
    }
    // From the third byte on, the bits repeat every 13 bytes.
    return (Array(bytes.prefix(2)), (0..<1_000).flatMap { _ in bytes[2..<15] })
  }()

  private static let bombStart = gzip + bomb.start

  /// The expansion of `bomb.part`: 16 copies of 258 bytes are encoded in 16 times 13 bits.
  private static let bombExpansion = 158

  static let cases: [Case] = [
    Case(
      name: "a body with a length", head: "\(ok)\(json)Content-Length: 1099511627776\r\n\r\n",
      part: text, outcome: tooLong),
    Case(
      name: "a body that ends with its connection", head: "\(ok)\r\n", part: text, outcome: tooLong),
    Case(name: "a body in chunks", head: "\(ok)\(chunked)", part: chunk(text), outcome: tooLong),
    Case(
      name: "a gzip bomb", head: "\(ok)\(json)Content-Encoding: gzip\r\n\r\n",
      start: bombStart, part: bomb.part, expansion: bombExpansion, outcome: tooLong),
    Case(
      name: "a gzip bomb in chunks", head: "\(ok)Content-Encoding: gzip\r\n\(chunked)",
      start: chunk(bombStart), part: chunk(bomb.part), expansion: bombExpansion,
      outcome: tooLong, isForSessions: false),
    Case(
      name: "gzip of empty blocks", head: "\(ok)\(json)Content-Encoding: gzip\r\n\r\n", start: gzip,
      part: (0..<1_000).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }, outcome: tooLong,
      isForSessions: false),
    Case(
      name: "errors under another status",
      head: "HTTP/1.1 400 No\r\nContent-Type: application/graphql-response+json\r\n\(chunked)",
      part: chunk(text), outcome: tooLong),
    Case(
      name: "an error page", head: "HTTP/1.1 502 No\r\n\r\n", part: text, outcome: .truncated(502)),
    Case(
      name: "an error page in chunks", head: "HTTP/1.1 404 No\r\n\(chunked)", part: chunk(text),
      outcome: .truncated(404)),
    Case(
      name: "an error page that is a gzip bomb",
      head: "HTTP/1.1 500 No\r\nContent-Encoding: gzip\r\n\r\n",
      start: bombStart, part: bomb.part, expansion: bombExpansion, outcome: .truncated(500)),
    Case(
      name: "header fields", head: ok,
      part: Array("X-A: \(String(repeating: "b", count: 1_000))\r\n".utf8),
      outcome: headerTooLong, isForSessions: false),
    Case(
      name: "a header field line without an end", head: "\(ok)X-A: ", part: text,
      outcome: .rejected("has a header field line that is too long."), isForSessions: false),
    Case(
      name: "short header fields", head: ok, part: Array("X-A: b\r\n".utf8),
      outcome: .rejected("has more than 1000 header fields."), isForSessions: false),
    Case(
      name: "interim headers", head: "",
      part: Array("HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n".utf8),
      outcome: .rejected("has more than 1000 header fields."), isForSessions: false),
    Case(
      name: "trailer fields", head: "\(ok)\(chunked)2\r\n{}\r\n0\r\n",
      part: Array("X-A: b\r\n".utf8),
      outcome: .rejected("has more than 1000 header fields."), isForSessions: false),
  ]

  /// Sends a response until the client stops reading, or until its bytes decode to 64 times the
  /// limit. Because of that bound, a client without limits fails a test instead of blocking it.
  ///
  /// - Returns: Whether the client read all of it.
  @discardableResult
  static func send(
    _ response: Case, over exchange: RawServer.Exchange, byteLimit: Int = byteLimit
  ) -> Bool {
    var isConnected = exchange.send(Array(response.head.utf8) + response.start)
    for _ in 0..<(64 * byteLimit / response.part.count / response.expansion) where isConnected {
      isConnected = exchange.send(response.part)
    }
    return isConnected
  }
}
