import Foundation
import SeededRandom
import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite("The messages of streamed responses", .timeLimit(.minutes(1)))
struct ResponsePartsTests {
  private static func outcome(
    _ chunks: [ArraySlice<UInt8>], type: String,
    limits: StreamParser.Limits = .init(
      messageBytes: 1 << 20)
  ) -> StreamingCheck.Outcome {
    StreamingCheck.outcome(of: chunks, contentType: type, limits: limits)
  }

  private static func failure(
    _ text: String, type: String, limits: StreamParser.Limits = .init(messageBytes: 100)
  ) -> StreamFailure? {
    outcome([Array(text.utf8)[...]], type: type, limits: limits).failure
  }

  @Test("a response has the same parts however it is divided", arguments: StreamedResponses.all)
  func divisions(response: StreamedResponses.Case) {
    let bytes = response.bytes
    let whole = Self.outcome([bytes[...]], type: response.type)
    #expect(whole.allParts == response.parts && whole.failure == response.failure)
    #expect(Self.outcome(bytes.indices.map { bytes[$0...$0] }, type: response.type) == whole)
    for middle in bytes.indices {
      let chunks = [bytes[..<middle], bytes[middle...]]
      #expect(Self.outcome(chunks, type: response.type) == whole, "divided at \(middle)")
    }
    #expect(WholeResponse.parts(of: bytes, contentType: response.type) == response.parts)
  }

  @Test("the largest limit is no limit", arguments: StreamedResponses.all)
  func largestLimit(response: StreamedResponses.Case) {
    let outcome = Self.outcome(
      [response.bytes[...]], type: response.type, limits: .init(messageBytes: .max))
    #expect(outcome.allParts == response.parts && outcome.failure == response.failure)
  }

  @Test(
    "a response that is cut off has the first parts of the whole", arguments: StreamedResponses.all)
  func truncations(response: StreamedResponses.Case) {
    let bytes = response.bytes
    var count = 0
    for end in bytes.indices {
      let outcome = Self.outcome([bytes[..<end]], type: response.type)
      #expect(response.parts.starts(with: outcome.parts), "cut off at \(end)")
      // A part that was delivered remains delivered.
      #expect(outcome.parts.count >= count, "cut off at \(end)")
      count = outcome.parts.count
      let isMultipart = response.type.lowercased().hasPrefix("multipart")
      let expected: StreamFailure? =
        isMultipart && !outcome.isComplete ? .truncated : nil
      #expect(outcome.failure == expected, "cut off at \(end)")
    }
  }

  @Test("a multipart response is complete with its closing delimiter, and not before")
  func completion() {
    let text = Array("--b\r\n\r\n{\"a\":1}\r\n--b--\r\nepilogue".utf8)
    let end = text.count - "\r\nepilogue".utf8.count
    for count in text.indices {
      let outcome = Self.outcome([text[..<count]], type: "multipart/mixed; boundary=b")
      #expect(outcome.isComplete == (count >= end))
    }
  }

  @Test("a part that is an object is delivered with its last byte, any other with its delimiter")
  func latency() {
    let head = "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n"
    for (body, rest) in [
      ("{\"payload\":{\"data\":\"}\\\"}\"}}", ""), ("{\"a\":[{}],\n\"b\":-1}", ""), ("{}", ""),
      ("[{}]", "\r\n--graphql"), ("1", "\n--graphql"),
    ] {
      let bytes = Array((head + body + rest).utf8)
      let type = "multipart/mixed; boundary=graphql"
      #expect(Self.outcome([bytes[...]], type: type).parts.count == 1, "\(body)")
      #expect(Self.outcome([bytes.dropLast()], type: type).parts.isEmpty, "\(body)")
    }
  }

  @Test("a delimiter ends a part whose JSON is not complete")
  func unfinished() {
    let text = "--b\r\n\r\n{\"a\":\"}\r\n--b\r\n\r\n{\"b\":[\n--b--"
    let outcome = Self.outcome([Array(text.utf8)[...]], type: "multipart/mixed; boundary=b")
    #expect(
      outcome.parts == [
        StreamedResponses.payload("{\"a\":\"}"), StreamedResponses.payload("{\"b\":["),
      ])
    #expect(outcome.failure == nil)
  }

  @Test(
    "a multipart response that violates the format is rejected",
    arguments: [
      ("--b\r\n\r\n{\"a\":1}}\r\n--b--", "has data after the JSON of a section"),
      ("--b\r\n\r\n{\"a\":1}\r\n-\r\n--b--", "has data after the JSON of a section"),
      ("--bc\r\n\r\n{}\r\n--b--", "has data after a boundary between its sections"),
      ("--b\r\n\r\n{}\r\n--b-\r\n", "has data after a boundary between its sections"),
      ("--b-\n\n{}\n--b--", "has data after a boundary between its sections"),
      ("--b --\n", "has data after a boundary between its sections"),
      ("--b -\r\n\r\n{}\r\n--b--", "has data after a boundary between its sections"),
      ("--b \0\r\n\r\n{}\r\n--b--", "has data after a boundary between its sections"),
      ("--b\r\n{\"a\":1}\r\n--b--", "has a section with an invalid header field"),
      ("--b\r\nname\r\n\r\n{}\r\n--b--", "has a section with an invalid header field"),
      ("--b\r\n: value\r\n\r\n{}\r\n--b--", "has a section with an invalid header field"),
      ("--b\r\nX\0: value\r\n\r\n{}\r\n--b--", "has a section with an invalid header field"),
      ("--b\r\nContent-Type: text/html\r\n\r\n<p>\r\n--b--", "has a section that is not JSON"),
      ("--b\r\nContent-Type:\r\n\r\n{}\r\n--b--", "has a section that is not JSON"),
    ])
  func malformed(text: String, problem: String) {
    #expect(Self.failure(text, type: "multipart/mixed; boundary=b") == .malformed(problem))
  }

  @Test("a boundary has 1 to 70 visible characters, and does not end with a space")
  func boundaries() {
    let invalid = StreamFailure.malformed("has an invalid boundary between its sections")
    for boundary in ["", " ", "a ", "\u{1}", "é", "a\u{7F}", String(repeating: "a", count: 71)] {
      #expect(Self.failure("", type: "multipart/mixed; boundary=\"\(boundary)\"") == invalid)
    }
    for boundary in ["a", "-", "--", "a b", String(repeating: "a", count: 70)] {
      let text = "--\(boundary)\r\n\r\n{\"a\":1}\r\n--\(boundary)--"
      #expect(Self.failure(text, type: "multipart/mixed; boundary=\"\(boundary)\"") == nil)
    }
    // Without its parameter the boundary is a hyphen, and other delimiters are not found.
    #expect(Self.failure("--b\r\n\r\n{}\r\n--b--", type: "multipart/mixed") == .truncated)
  }

  @Test("a part of exactly the limit is accepted, and of one byte more is rejected")
  func partLimits() {
    for (type, start, end) in [
      ("text/event-stream", "data: ", "\n\n"), ("text/event-stream", "data:a\ndata:", "\n\n"),
      ("multipart/mixed; boundary=b", "--b\n\n", "\n--b--"), ("application/jsonl", "", "\r\n"),
      ("application/json", "", ""),
    ] {
      let joined = start.hasPrefix("data:a") ? 2 : 0
      for body in [
        "{\"a\":\"\(String(repeating: "x", count: 90))\"}", String(repeating: "1", count: 98),
      ] {
        let size = body.utf8.count + joined
        let text = start + body + end
        let accepted = Self.failure(text, type: type, limits: .init(messageBytes: size))
        #expect(accepted == nil, "\(type)")
        let rejected = Self.failure(text, type: type, limits: .init(messageBytes: size - 1))
        #expect(rejected == .messageTooLong(byteLimit: size - 1), "\(type)")
      }
    }
  }

  @Test("bytes without an end are not buffered beyond the limit")
  func endless() throws {
    for (type, start) in [
      ("text/event-stream", "data: "), ("text/event-stream", ":"), ("text/event-stream", ""),
      ("multipart/mixed; boundary=b", "--b\n\n{\""), ("multipart/mixed; boundary=b", "--b\nX: "),
      ("multipart/mixed; boundary=b", ""), ("application/jsonl", ""), ("application/json", ""),
    ] {
      var parts = try StreamParser(contentType: type, limits: .init(messageBytes: 20_000))
      let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
      try start.utf8.withContiguousStorageIfAvailable {
        try parts.append(UnsafeRawBufferPointer($0)) { _ in }
      }
      var count = 0
      #expect(throws: StreamFailure.self, "\(type), \(start)") {
        while count < 100 {
          count += 1
          try chunk.withUnsafeBytes { try parts.append($0) { _ in } }
        }
      }
      #expect(count <= 21, "\(type), \(start)")
    }
  }

  @Test("fields of one event that together exceed the limit are rejected")
  func manyLines() {
    let text = String(repeating: "data: 0123456789\n", count: 10)
    #expect(Self.failure(text, type: "text/event-stream") == .messageTooLong(byteLimit: 100))
  }

  @Test("the limit of header fields is that of one part")
  func headerLimit() {
    let part = "--b\r\nX: \(String(repeating: "y", count: 50))\r\n\r\n{\"a\":1}\r\n"
    let text = String(repeating: part, count: 50) + "--b--"
    let type = "multipart/mixed; boundary=b"
    let size = "X: \r\n\r\n".utf8.count + 50
    #expect(
      Self.failure(text, type: type, limits: .init(messageBytes: 100, headerBytes: size)) == nil)
    #expect(
      Self.failure(text, type: type, limits: .init(messageBytes: 100, headerBytes: size - 1))
        == .headerTooLong(byteLimit: size - 1))
  }

  @Test(
    "a response that exceeds its limit has the parts before", arguments: StreamedResponses.all)
  func totalLimit(response: StreamedResponses.Case) {
    let bytes = response.bytes
    for limit in bytes.indices {
      let limits = StreamParser.Limits(messageBytes: 1 << 20, totalBytes: limit)
      let outcome = Self.outcome([bytes[...]], type: response.type, limits: limits)
      #expect(outcome.failure == .responseTooLong(byteLimit: limit))
      #expect(outcome.parts == Self.outcome([bytes[..<limit]], type: response.type).parts)
    }
    let limits = StreamParser.Limits(messageBytes: 1 << 20, totalBytes: bytes.count)
    #expect(Self.outcome([bytes[...]], type: response.type, limits: limits).failure == nil)
  }

  @Test("an error of the consumer is thrown")
  func consumerErrors() throws {
    struct Refusal: Error {}
    for response in StreamedResponses.all where !response.parts.isEmpty {
      #expect(throws: Refusal.self, "\(response.name)") {
        var parts = try StreamParser(contentType: response.type, limits: .init(messageBytes: 1_000))
        try response.bytes.withUnsafeBytes { try parts.append($0) { _ in throw Refusal() } }
        try parts.finish { _ in throw Refusal() }
      }
    }
  }

  @Test("the newest event ID and reconnection time are known without an event")
  func resumption() {
    let text = "id: 5\nretry: 250\n\nid: 6\n"
    let outcome = Self.outcome([Array(text.utf8)[...]], type: "text/event-stream")
    #expect(outcome.parts.isEmpty && outcome.lastEventID == "5" && outcome.retry == 250)
  }

  @Test("the media type says whether a response is a stream")
  func streams() {
    for response in StreamedResponses.all {
      let isStream = !["application/json", "text/html"].contains(response.type)
      #expect(StreamParser.isStream(contentType: response.type) == isStream)
    }
    for type in [nil, "", "multipart/form-data", "text/plain"] {
      #expect(!StreamParser.isStream(contentType: type))
    }
  }

  @Test("random parts are received as they were sent")
  func random() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let texts = [
      "{\"a\":1}", "{\"b\":\"--b\\n}\"}", "{\"c\":[{},\n{}]}", "[true]", "{\"é\":\"\\\\\"}",
    ]
    for _ in 0..<500 {
      let sent = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        texts.randomElement(using: &generator) ?? ""
      }
      let lineEnd = Bool.random(using: &generator) ? "\r\n" : "\n"
      let text =
        sent.map { "--b\(lineEnd)\(lineEnd)\($0)\(lineEnd)" }.joined() + "--b--"
      var rest = Array(text.utf8)[...]
      var chunks: [ArraySlice<UInt8>] = []
      while !rest.isEmpty {
        chunks.append(rest.prefix(.random(in: 1...20, using: &generator)))
        rest = rest.dropFirst(chunks.last?.count ?? 1)
      }
      let outcome = Self.outcome(chunks, type: "multipart/mixed; boundary=b")
      #expect(outcome.failure == nil && outcome.parts == sent.map(StreamedResponses.payload))
    }
  }
}
