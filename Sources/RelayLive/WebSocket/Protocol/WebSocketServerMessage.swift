import RelayNetwork
import RelayStore

/// A `graphql-transport-ws` message from a server.
///
/// Source: `PROTOCOL.md` of graphql-ws.
enum WebSocketServerMessage: Sendable {
  /// `connection_ack`. Its payload is not used.
  case acknowledgement
  /// `ping`, with its JSON payload.
  case ping([UInt8]?)
  case pong
  /// `next`: an event of an operation, with the bytes of its JSON response.
  case next(WebSocketOperationID, [UInt8])
  /// `error`: the operation has failed.
  case error(WebSocketOperationID, [GraphQLError])
  /// `complete`: the operation has ended.
  case complete(WebSocketOperationID)

  /// The number of bytes that the message holds.
  var byteCount: Int { if case .next(_, let bytes) = self { bytes.count } else { 0 } }
}

/// The identifier of an operation on a connection. Each `subscribe` message has a new one, so that
/// a late message of an earlier operation is never taken for a later operation's.
struct WebSocketOperationID: Hashable, Sendable {
  let rawValue: Int

  /// The identifier of an unknown operation, for identifiers that this client never uses.
  static let unknown = Self(rawValue: 0)
}

/// The protocol violation of a message, as words that follow "because it received".
struct WebSocketMessageError: Error, Hashable, CustomStringConvertible {
  let description: String
}

extension WebSocketServerMessage {
  /// Parses a message.
  ///
  /// The bytes are scanned once; the scan also validates the payload.
  init(_ bytes: [UInt8]) throws(WebSocketMessageError) {
    try self.init(try Self.envelope(of: bytes), bytes)
  }

  private static func envelope(of bytes: [UInt8]) throws(WebSocketMessageError) -> Envelope {
    do throws(JSONScanner.Failure) {
      // The scanner reads `buffer` only inside the closure; only ranges leave it.
      return try bytes.withUnsafeBufferPointer { buffer throws(JSONScanner.Failure) in
        var scanner = JSONScanner(buffer)
        return try Envelope(&scanner)
      }
    } catch {
      throw WebSocketMessageError(
        description: "a message that is not JSON: \(error.reason) at byte \(error.offset)")
    }
  }

  /// Parses an event of an event stream that carries several operations: `next` with the data
  /// `{"id":…,"payload":…}` and `complete` with `{"id":…}`. Returns `nil` for any other event.
  ///
  /// Source: `PROTOCOL.md` of graphql-sse, "Single connection mode".
  init?(_ event: ServerSentEvent) throws(WebSocketMessageError) {
    guard event.name == Kind.next.rawValue || event.name == Kind.complete.rawValue else {
      return nil
    }
    var envelope = try Self.envelope(of: event.data)
    envelope.type = Kind(rawValue: event.name)
    try self.init(envelope, event.data)
  }

  private init(_ envelope: Envelope, _ bytes: [UInt8]) throws(WebSocketMessageError) {
    func operation() throws(WebSocketMessageError) -> WebSocketOperationID {
      guard let id = envelope.id else { throw envelope.error("without an id") }
      return id
    }
    switch envelope.type {
    case .next:
      guard case .object? = envelope.payloadKind else { throw envelope.error("without a payload") }
      self = .next(try operation(), Array(bytes[envelope.payload]))
    case .complete: self = .complete(try operation())
    case .error:
      guard let errors = (try? JSONValue(parsing: Array(bytes[envelope.payload])))?.array,
        envelope.payloadKind == .array
      else { throw envelope.error("without a list of errors") }
      self = .error(try operation(), errors.map(GraphQLError.init(json:)))
    case .acknowledgement:
      try envelope.checkOptionalPayload()
      self = .acknowledgement
    case .ping:
      try envelope.checkOptionalPayload()
      self = .ping(envelope.payloadKind == .object ? Array(bytes[envelope.payload]) : nil)
    case .pong:
      try envelope.checkOptionalPayload()
      self = .pong
    case nil:
      throw WebSocketMessageError(
        description: envelope.hasType
          ? "a message of an unknown type" : "a message without a type")
    }
  }

  fileprivate enum Kind: String {
    case acknowledgement = "connection_ack"
    case ping, pong, next, error, complete
  }
}

/// The members of a message, with the byte range of its payload.
private struct Envelope {
  var hasType = false
  var type: WebSocketServerMessage.Kind?
  var id: WebSocketOperationID?
  var payload = 0..<0
  var payloadKind: JSONScanner.Kind?

  init(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    guard try scanner.peekKind() == .object else { throw scanner.failure("not an object") }
    try scanner.open(.object)
    var isFirst = true
    while try scanner.next(in: .object, isFirst: isFirst) {
      isFirst = false
      switch try scanner.key() {
      case "type": try readType(&scanner)
      case "id": try readID(&scanner)
      case "payload":
        payloadKind = try scanner.peekKind()
        let start = scanner.position
        try scanner.skipValue()
        payload = start..<scanner.position
      default: try scanner.skipValue()
      }
    }
    try scanner.end()
  }

  private mutating func readType(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    guard try scanner.peekKind() == .string else { return try scanner.skipValue() }
    hasType = true
    type = WebSocketServerMessage.Kind(rawValue: try scanner.string())
  }

  private mutating func readID(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    guard try scanner.peekKind() == .string else { return try scanner.skipValue() }
    let text = try scanner.string()
    // An identifier never starts with a zero or a sign.
    let isOwn = text.utf8.first.map { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 } ?? false
    id = isOwn ? Int(text).map(WebSocketOperationID.init) ?? .unknown : .unknown
  }

  func error(_ problem: String) -> WebSocketMessageError {
    WebSocketMessageError(
      description: "a message of type \"\(type?.rawValue ?? "")\" \(problem)")
  }

  /// Checks that the payload is an object, null or absent.
  func checkOptionalPayload() throws(WebSocketMessageError) {
    switch payloadKind {
    case nil, .object?, .null?: break
    default: throw error("whose payload is not an object")
    }
  }
}
