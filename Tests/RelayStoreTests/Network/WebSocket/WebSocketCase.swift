import Testing

@testable import RelayLive
@testable import RelayStore

/// Bytes from a server, and their decoded form.
struct WebSocketCase: Sendable, CustomTestStringConvertible {
  /// Bytes, and the event that they complete.
  struct Part: Sendable {
    let bytes: [UInt8]
    var event: WebSocketEvent?
  }

  /// Bytes that violate the protocol.
  struct Violation: Sendable {
    let error: WebSocketProtocolError
    let bytes: [UInt8]
    /// The number of bytes needed to show the violation.
    let size: Int
  }

  let name: String
  var parts: [Part] = []
  var violation: Violation?
  var byteLimit = 100_000
  var testDescription: String { name }

  /// Creates a case of valid bytes.
  init(_ name: String, _ parts: [Part], byteLimit: Int = 100_000) {
    (self.name, self.parts, self.byteLimit) = (name, parts, byteLimit)
  }

  /// Creates a case of bytes that violate the protocol, after valid bytes.
  ///
  /// - Parameter size: How many of `bytes` are needed to show the violation; all by default.
  init(
    _ name: String, _ parts: [Part] = [], fails error: WebSocketProtocolError, _ bytes: [UInt8],
    after size: Int? = nil, byteLimit: Int = 100_000
  ) {
    (self.name, self.parts, self.byteLimit) = (name, parts, byteLimit)
    violation = Violation(error: error, bytes: bytes, size: size ?? bytes.count)
  }

  var bytes: [UInt8] { parts.flatMap(\.bytes) + (violation?.bytes ?? []) }

  /// The transcript of the first `count` bytes.
  func transcript(of count: Int) -> WebSocketTranscript {
    var transcript = WebSocketTranscript()
    var end = 0
    for part in parts {
      end += part.bytes.count
      if end <= count, let event = part.event { transcript.events.append(event) }
    }
    if let violation, count >= end + violation.size { transcript.error = violation.error }
    return transcript
  }

  /// The byte counts to truncate at and to split at: all of them or, for long payloads, the ones
  /// near the starts and ends of the parts and some in between.
  var points: [Int] {
    let count = bytes.count
    guard count > 600 else { return Array(0...count) }
    var points = Set(stride(from: 0, through: count, by: 30_011))
    var edge = 0
    for part in parts.map(\.bytes) + [violation?.bytes ?? []] {
      points.formUnion(edge - 12...edge + 16)
      edge += part.count
    }
    points.formUnion(edge - 12...edge)
    return points.filter { 0...count ~= $0 }.sorted()
  }
}

extension WebSocketCase.Part {
  /// A server's frame.
  ///
  /// - Parameter first: The first byte: the final bit, the reserved bits and the opcode.
  static func frame(
    _ first: UInt8, _ payload: [UInt8] = [], _ event: WebSocketEvent? = nil
  ) -> Self {
    Self(bytes: frameBytes(first, payload), event: event)
  }

  static func frame(_ first: UInt8, _ payload: String, _ event: WebSocketEvent? = nil) -> Self {
    frame(first, Array(payload.utf8), event)
  }

  static func text(_ text: String) -> Self { frame(0x81, text, .text(Array(text.utf8))) }
}

/// The bytes of a server's frame, with its length encoded minimally.
func frameBytes(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
  let count = payload.count
  let length: [UInt8] =
    switch count {
    case ..<126: [UInt8(count)]
    case ..<65_536: [126, UInt8(count >> 8), UInt8(count & 255)]
    default: [127] + withUnsafeBytes(of: UInt64(count).bigEndian, Array.init)
    }
  return [first] + length + payload
}
