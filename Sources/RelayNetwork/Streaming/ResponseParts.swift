import RelayStore

/// The parts of a response, parsed while its bytes arrive.
///
/// The response's media type determines the format: `text/event-stream`, `multipart/mixed`,
/// `application/jsonl` and `application/x-ndjson` have any number of parts, any other is one part.
///
///     var parts = try ResponseParts(contentType: type, limits: .init(partBytes: limit))
///     for try await chunk in chunks {
///       try chunk.withUnsafeBytes { try parts.append($0) { received.append($0) } }
///     }
///     try parts.finish { received.append($0) }
struct ResponseParts: Sendable {
  /// The limits of a response, in bytes.
  struct Limits: Sendable {
    /// The maximum of one part.
    var partBytes: Int
    /// The maximum of the header section of one part.
    var headerBytes = 16 * 1024
    /// The maximum of the whole response, decoded; `nil` for a response without an end.
    var totalBytes: Int?
  }

  private enum Format {
    case eventStream(ServerSentEventParser)
    case multipart(MultipartParser)
    case lines(JSONLinesParser)
    /// A response of one part, and what was received of it.
    case single([UInt8])
  }

  private var format: Format
  private let limits: Limits
  private var receivedSize = 0

  /// Creates the parts of a response of which nothing was received yet.
  ///
  /// - Parameter contentType: The value of the header field, if any.
  /// - Throws: ``ResponsePartFailure`` for a boundary that is not allowed.
  init(contentType: String?, limits: Limits) throws {
    self.limits = limits
    let type = contentType.flatMap { MediaType($0) }
    switch type?.essence {
    case "text/event-stream":
      format = .eventStream(ServerSentEventParser(byteLimit: limits.partBytes))
    case "multipart/mixed":
      // Clients of incremental delivery assume a hyphen when the parameter is missing.
      format = .multipart(
        try MultipartParser(
          boundary: type?.parameters["boundary"] ?? "-", byteLimit: limits.partBytes,
          headerByteLimit: limits.headerBytes))
    case "application/jsonl", "application/x-ndjson":
      format = .lines(JSONLinesParser(byteLimit: limits.partBytes))
    default: format = .single([])
    }
  }

  /// Returns whether a response of a media type can have more than one part.
  ///
  /// - Parameter contentType: The value of the header field, if any.
  static func isStream(contentType: String?) -> Bool {
    let essence = contentType.flatMap { MediaType($0) }?.essence
    return [
      "text/event-stream", "multipart/mixed", "application/jsonl", "application/x-ndjson",
    ].contains(essence)
  }

  /// Whether the response has said that no more parts follow; whatever follows is ignored.
  var isComplete: Bool {
    if case .multipart(let parser) = format { parser.isComplete } else { false }
  }

  /// The newest event ID of an event stream; empty when there is none.
  var lastEventID: String {
    if case .eventStream(let parser) = format { parser.lastEventID } else { "" }
  }

  /// The newest reconnection time that an event stream has set, in milliseconds.
  var retry: Int? {
    if case .eventStream(let parser) = format { parser.retry } else { nil }
  }

  /// Parses the next bytes, after content decoding.
  ///
  /// - Parameters:
  ///   - chunk: Read only during the call; the caller keeps it valid until the call returns.
  ///   - deliver: Called with each part that the chunk completes.
  /// - Throws: ``ResponsePartFailure``, after which only `lastEventID` and `retry` may be used, and
  ///   the errors of `deliver`.
  mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ deliver: (ResponsePart) throws -> Void
  ) throws {
    let rest = limits.totalBytes.map { max(0, $0 - receivedSize) } ?? chunk.count
    let accepted = UnsafeRawBufferPointer(rebasing: chunk.prefix(rest))
    receivedSize += accepted.count
    try parse(accepted, deliver)
    if accepted.count < chunk.count {
      throw ResponsePartFailure.responseTooLong(byteLimit: limits.totalBytes ?? 0)
    }
  }

  /// Ends the response, and delivers its last part when only the response's end completes it.
  ///
  /// - Throws: ``ResponsePartFailure/truncated`` when the format has an end that is missing. An
  ///   unfinished event of an event stream is dropped, because such a stream may end anywhere.
  mutating func finish(_ deliver: (ResponsePart) throws -> Void) throws {
    switch format {
    case .eventStream: break
    case .multipart(let parser): try parser.finish()
    case .lines(var parser): try parser.finish { try deliver(.init(payload: $0)) }
    case .single(let body): if !body.isBlank { try deliver(.payload(body)) }
    }
  }

  /// Parses bytes. The parser is moved out of `format`, so that its buffers are not copied.
  private mutating func parse(
    _ chunk: UnsafeRawBufferPointer, _ deliver: (ResponsePart) throws -> Void
  ) throws {
    let format = self.format
    self.format = .single([])
    switch consume format {
    case .eventStream(var parser):
      defer { self.format = .eventStream(parser) }
      try parser.append(chunk, deliver)
    case .multipart(var parser):
      defer { self.format = .multipart(parser) }
      try parser.append(chunk) { try deliver(.init(payload: $0)) }
    case .lines(var parser):
      defer { self.format = .lines(parser) }
      try parser.append(chunk) { try deliver(.init(payload: $0)) }
    case .single(var body):
      defer { self.format = .single(body) }
      guard chunk.count <= limits.partBytes - body.count else {
        throw ResponsePartFailure.partTooLong(byteLimit: limits.partBytes)
      }
      body.append(contentsOf: chunk)
    }
  }
}

extension ResponsePart {
  /// Creates the part of a body: a heartbeat for the empty object `{}`, which multipart
  /// subscriptions send in place of a payload.
  fileprivate init(payload body: [UInt8]) {
    let isEmpty = body.lazy.filter { !$0.isJSONSpace }.prefix(3).elementsEqual("{}".utf8)
    self = isEmpty ? .heartbeat : .payload(body)
  }
}
