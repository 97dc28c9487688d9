#if !FUZZING
  @testable import RelayNetwork
  @testable import RelayStore
#endif

/// The properties that hold for the parts of any response. The way its bytes are divided makes no
/// difference, a prefix of the response has the first parts of the full response, and no part
/// exceeds the limit. A second parser that reads the complete response at once finds the same
/// parts.
///
/// Used by the tests, and by the fuzzer (`Fuzz/Streaming`), which is compiled together with the
/// module's sources.
enum StreamingCheck {
  /// The received portion of a response.
  struct Outcome: Equatable {
    /// The parts that the bytes completed.
    var parts: [StreamMessage] = []
    /// The parts that only the end of the response completed.
    var lastParts: [StreamMessage] = []
    var failure: StreamFailure?
    var isComplete = false
    var lastEventID = ""
    var retry: Int?

    var allParts: [StreamMessage] { parts + lastParts }
  }

  /// The media types that the first byte of an input selects.
  static let contentTypes = [
    "text/event-stream", "multipart/mixed; boundary=\"-\"", "multipart/mixed;boundary=graphql",
    "application/jsonl", "application/json", "multipart/mixed; boundary=\"a'(b) c:\\\"}\"",
  ]

  static func outcome(
    of chunks: [ArraySlice<UInt8>], contentType: String?, limits: StreamParser.Limits
  ) -> Outcome {
    var outcome = Outcome()
    do {
      var parts = try StreamParser(contentType: contentType, limits: limits)
      defer {
        (outcome.isComplete, outcome.lastEventID) = (parts.isComplete, parts.lastEventID)
        outcome.retry = parts.retry
      }
      for chunk in chunks {
        try chunk.withUnsafeBytes { try parts.append($0) { outcome.parts.append($0) } }
      }
      try parts.finish { outcome.lastParts.append($0) }
    } catch {
      outcome.failure = error as? StreamFailure ?? .malformed("\(error)")
    }
    return outcome
  }

  /// Returns the property that an input violates, or `nil`. Its first byte selects a media type;
  /// its second byte selects the limits and where the rest is divided.
  static func failure(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let type = contentTypes[Int(input[0]) % contentTypes.count]
    let selector = Int(input[1])
    var limits = StreamParser.Limits(messageBytes: 1 << 20)
    if selector & 1 == 1 {
      limits = .init(messageBytes: selector / 8, headerBytes: 40 + selector, totalBytes: nil)
    }
    if selector & 2 == 2 { limits.totalBytes = selector }
    return failure(Array(input[2...]), contentType: type, limits: limits, division: selector)
  }

  static func failure(
    _ bytes: [UInt8], contentType: String, limits: StreamParser.Limits, division: Int
  ) -> String? {
    func outcome(_ chunks: [ArraySlice<UInt8>]) -> Outcome {
      self.outcome(of: chunks, contentType: contentType, limits: limits)
    }
    let whole = outcome([bytes[...]])
    let middle = division * bytes.count / 255
    let single = bytes.indices.map { bytes[$0...$0] }
    let divisions = [single, [bytes[..<middle], bytes[middle...]], [[], bytes[...], []]]
    for chunks in divisions where outcome(chunks) != whole {
      return "Divided as \(chunks.map(\.count)): \(outcome(chunks)) instead of \(whole)"
    }
    let beginning = outcome([bytes[..<middle]])
    if !whole.parts.starts(with: beginning.parts) {
      return "Cut off at \(middle): \(beginning.parts), which \(whole.parts) does not begin with"
    }
    if whole.allParts.contains(where: { $0.size > limits.messageBytes }) {
      return "A part exceeds the limit"
    }
    if whole.allParts.reduce(0, { $0 + $1.size }) > bytes.count {
      return "The parts have more bytes than the response"
    }
    guard whole.failure == nil else { return nil }
    let expected = WholeResponse.parts(of: bytes, contentType: contentType)
      .map(\.withoutSpaceAfterObject)
    let parts = whole.allParts.map(\.withoutSpaceAfterObject)
    return parts == expected ? nil : "\(parts) instead of \(expected)"
  }
}

extension StreamMessage {
  fileprivate var size: Int {
    switch self {
    case .payload(let bytes): bytes.count
    case .event(let event): event.data.count
    case .heartbeat: 0
    }
  }

  /// This part without the white space after an object that a delimiter ends before its last
  /// bracket.
  fileprivate var withoutSpaceAfterObject: Self {
    guard case .payload(var bytes) = self,
      bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{")
    else { return self }
    while bytes.last?.isJSONSpace == true { bytes.removeLast() }
    return .payload(bytes)
  }
}
