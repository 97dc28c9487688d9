import SeededRandom
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("A WebSocket frame of a client", .timeLimit(.minutes(1)))
struct WebSocketFrameTests {
  private func bytes(_ frame: WebSocketFrame, maskingKey: UInt32 = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    frame.write(to: &bytes, maskingKey: maskingKey)
    return bytes
  }

  @Test("is written as in the example of the specification")
  func example() {
    // RFC 6455, section 5.7: a single-frame masked text message.
    #expect(
      bytes(.text(Array("Hello".utf8)), maskingKey: 0x37FA_213D)
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
  }

  @Test(
    "has the shortest encoding of its length",
    arguments: [
      (0, [0x80]), (125, [0xFD]), (126, [0xFE, 0, 126]), (65_535, [0xFE, 255, 255]),
      (65_536, [0xFF, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])])
  func lengths(count: Int, expected: [UInt8]) {
    let bytes = bytes(.binary([UInt8](repeating: 7, count: count)))
    #expect(Array(bytes[1..<1 + expected.count]) == expected)
    #expect(bytes.count == 1 + expected.count + 4 + count)
  }

  @Test("is what a server decodes, whatever its length and its masking key are")
  func roundTrip() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    for count in Array(0...40) + [125, 126, 127, 1_000, 65_535, 65_536] {
      let payload = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
      let short = Array(payload.prefix(125))
      var stream: [UInt8] = []
      for frame in [
        .text([UInt8](repeating: 0x62, count: count)), .binary(payload, isFinal: false),
        .ping(payload), .continuation(payload, isFinal: true), .pong(payload),
        .close(.normalClosure, reason: "done"),
      ] as [WebSocketFrame] {
        frame.write(to: &stream, maskingKey: .random(in: 0 ... .max, using: &generator))
      }
      let decoded = ReferenceWebSocketDecoder.decode(stream, isMasked: true)
      #expect(decoded.error == nil, "seed \(seed)")
      #expect(
        decoded.events == [
          .text([UInt8](repeating: 0x62, count: count)), .ping(short), .binary(payload + payload),
          .pong(short), .close(.normalClosure, reason: "done"),
        ], "seed \(seed)")
    }
  }

  @Test("of a close has no code that is not allowed in frames, and then no reason")
  func closeCodes() {
    for code in [WebSocketCloseCode.noStatusReceived, .abnormalClosure, .tlsHandshake] {
      #expect(WebSocketFrame.close(code, reason: "a").payload.isEmpty)
    }
    #expect(WebSocketFrame.close().payload.isEmpty)
    #expect(WebSocketFrame.close(.goingAway, reason: "a").payload == [0x03, 0xE9, 0x61])
  }

  @Test("of a close ends a long reason between two characters")
  func longReason() {
    let payload = WebSocketFrame.close(.goingAway, reason: "a" + String(repeating: "€", count: 50))
      .payload
    #expect(payload.count == 2 + 1 + 40 * 3)
    #expect(Array(payload[2...]).isValidUTF8)
    let exact = WebSocketFrame.close(.goingAway, reason: String(repeating: "a", count: 200)).payload
    #expect(exact.count == 125)
  }
}
