import RelayStore

/// A parser of the messages of a response, as its bytes arrive.
///
/// The response's media type determines the format. `text/event-stream`, `multipart/mixed`,
/// `application/jsonl` and `application/x-ndjson` have any number of messages; any other type
/// is a single message.
///
///     var parser = try StreamParser(contentType: type, limits: .init(messageBytes: limit))
///     for try await chunk in chunks {
///       try chunk.withUnsafeBytes { try parser.append($0) { received.append($0) } }
///     }
///     try parser.finish { received.append($0) }
struct StreamParser: Sendable {
  /// The limits of a response, in bytes.
  struct Limits: Sendable {
    /// The maximum size of a message.
    var messageBytes: Int
    /// The maximum size of a section's header fields.
    var headerBytes = 16 * 1024
    /// The maximum size of the entire decoded response; `nil` for a response without an end.
    var totalBytes: Int?
  }

  private enum Format {
    case eventStream(ServerSentEventParser)
    case multipart(MultipartParser)
    case lines(JSONLinesParser)
    /// A response of a single message, with the bytes received until now.
    case single([UInt8])
  }

  private var format: Format
  private let limits: Limits
  private var receivedSize = 0

  /// Creates the parser of a response.
  ///
  /// - Parameter contentType: The value of the header field, or `nil`.
  /// - Throws: ``StreamFailure`` for an invalid boundary.
  init(contentType: String?, limits: Limits) throws {
    self.limits = limits
    let type = contentType.flatMap { MediaType($0) }
    switch type?.essence {
    case "text/event-stream":
      format = .eventStream(ServerSentEventParser(byteLimit: limits.messageBytes))
    case "multipart/mixed":
      // Clients of incremental delivery assume a hyphen when the parameter is missing.
      format = .multipart(
        try MultipartParser(
          boundary: type?.parameters["boundary"] ?? "-", byteLimit: limits.messageBytes,
          headerByteLimit: limits.headerBytes))
    case "application/jsonl", "application/x-ndjson":
      format = .lines(JSONLinesParser(byteLimit: limits.messageBytes))
    default: format = .single([])
    }
  }

  /// Returns whether a response with a media type can have more than one message.
  ///
  /// - Parameter contentType: The value of the header field, or `nil`.
  static func isStream(contentType: String?) -> Bool {
    let essence = contentType.flatMap { MediaType($0) }?.essence
    return [
      "text/event-stream", "multipart/mixed", "application/jsonl", "application/x-ndjson",
    ].contains(essence)
  }

  /// Whether the response has signaled that no more messages follow. Bytes after that are ignored.
  var isComplete: Bool {
    if case .multipart(let parser) = format { parser.isComplete } else { false }
  }

  /// The latest event ID of an event stream; empty when there is none.
  var lastEventID: String {
    if case .eventStream(let parser) = format { parser.lastEventID } else { "" }
  }

  /// The latest reconnection time set by an event stream, in milliseconds.
  var retry: Int? {
    if case .eventStream(let parser) = format { parser.retry } else { nil }
  }

  /// Parses the next bytes, after content decoding.
  ///
  /// - Parameters:
  ///   - chunk: Read only during the call; the caller keeps it valid until the call returns.
  ///   - deliver: Called with each message that the chunk completes.
  /// - Throws: ``StreamFailure`` (only `lastEventID` and `retry` may be used afterwards); any
  ///   error thrown by `deliver`.
  mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ deliver: (StreamMessage) throws -> Void
  ) throws {
    let rest = limits.totalBytes.map { max(0, $0 - receivedSize) } ?? chunk.count
    let accepted = UnsafeRawBufferPointer(rebasing: chunk.prefix(rest))
    receivedSize += accepted.count
    try parse(accepted, deliver)
    if accepted.count < chunk.count {
      throw StreamFailure.responseTooLong(byteLimit: limits.totalBytes ?? 0)
    }
  }

  /// Ends the response, delivering the last message if only the end of the response completes it.
  ///
  /// - Throws: ``StreamFailure/truncated`` when the format's end marker is missing. An
  ///   unfinished event of an event stream is dropped, because such a stream may end anywhere.
  mutating func finish(_ deliver: (StreamMessage) throws -> Void) throws {
    switch format {
    case .eventStream: break
    case .multipart(let parser): try parser.finish()
    case .lines(var parser): try parser.finish { try deliver(.init(payload: $0)) }
    case .single(let body): if !body.isBlank { try deliver(.payload(body)) }
    }
  }

  /// Parses bytes, with the parser moved out of `format` to avoid copying its buffers.
  private mutating func parse(
    _ chunk: UnsafeRawBufferPointer, _ deliver: (StreamMessage) throws -> Void
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
      guard chunk.count <= limits.messageBytes - body.count else {
        throw StreamFailure.messageTooLong(byteLimit: limits.messageBytes)
      }
      body.append(contentsOf: chunk)
    }
  }
}

extension StreamMessage {
  /// Creates the message for a body. The empty object `{}` becomes a heartbeat; multipart
  /// subscriptions send it instead of a payload.
  fileprivate init(payload body: [UInt8]) {
    let isEmpty = body.lazy.filter { !$0.isJSONSpace }.prefix(3).elementsEqual("{}".utf8)
    self = isEmpty ? .heartbeat : .payload(body)
  }
}
