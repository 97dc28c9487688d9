import SeededRandom
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("The WebSocket decoder", .timeLimit(.minutes(1)))
struct WebSocketDecoderTests {
  @Test("decodes a table of frames at every truncation", arguments: WebSocketCases.all)
  func truncations(_ sample: WebSocketCase) {
    let bytes = sample.bytes
    for count in sample.points {
      let transcript = WebSocketTranscript(
        decoding: [Array(bytes[..<count])], byteLimit: sample.byteLimit)
      #expect(transcript == sample.transcript(of: count), "the first \(count) bytes")
    }
  }

  @Test("decodes a table of frames at every split into two chunks", arguments: WebSocketCases.all)
  func splits(_ sample: WebSocketCase) {
    let bytes = sample.bytes
    let expected = sample.transcript(of: bytes.count)
    for split in sample.points {
      let transcript = WebSocketTranscript(
        decoding: [Array(bytes[..<split]), Array(bytes[split...])], byteLimit: sample.byteLimit)
      #expect(transcript == expected, "split after \(split) bytes")
    }
  }

  @Test("decodes a table of frames in small chunks", arguments: WebSocketCases.all)
  func smallChunks(_ sample: WebSocketCase) {
    let bytes = sample.bytes
    let expected = sample.transcript(of: bytes.count)
    for size in bytes.count > 600 ? [13, 4_096] : [1, 2, 3, 13] {
      #expect(
        WebSocketTranscript(decoding: bytes.chunks(of: size), byteLimit: sample.byteLimit)
          == expected, "chunks of \(size) bytes")
    }
  }

  @Test("the reference decoder agrees with the table", arguments: WebSocketCases.all)
  func reference(_ sample: WebSocketCase) {
    for count in sample.points where sample.bytes.count <= 600 || count == sample.bytes.count {
      #expect(
        ReferenceWebSocketDecoder.decode(
          Array(sample.bytes[..<count]), byteLimit: sample.byteLimit)
          == sample.transcript(of: count), "the first \(count) bytes")
    }
  }

  @Test("the table has distinct cases with and without violations")
  func table() {
    let cases = WebSocketCases.all
    #expect(Set(cases.map(\.name)).count == cases.count)
    #expect(cases.count >= 500)
    #expect(cases.count { $0.violation == nil } >= 150)
    let errors = Set(cases.compactMap { $0.violation?.error.description })
    #expect(errors.count >= 30)
  }

  @Test("a message grows to what has arrived, not to what its header announces")
  func memory() {
    var decoder = WebSocketDecoder(messageByteLimit: 1 << 40)
    var transcript = WebSocketTranscript()
    transcript.feed([0x82, 127, 0, 0, 0, 0x80, 0, 0, 0, 0, 1, 2, 3], to: &decoder)
    #expect(transcript.error == nil)
    #expect(decoder.bufferedSize == 3)
  }

  @Test("each violation is answered with the close code of its kind")
  func closeCodes() {
    #expect(WebSocketProtocolError.reservedBits.closeCode == .protocolError)
    #expect(WebSocketProtocolError.forbiddenCloseCode(1005).closeCode == .protocolError)
    #expect(WebSocketProtocolError.invalidUTF8.closeCode == .invalidPayloadData)
    #expect(WebSocketProtocolError.messageTooLarge(byteLimit: 1).closeCode == .messageTooBig)
  }

  @Test("random frames decode the same in chunks of random sizes")
  func randomFrames() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var bytes: [UInt8] = [0, .random(in: 0...40, using: &generator)]
      bytes[0] = .random(in: 0...7, using: &generator)
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let first: UInt8 =
          [0x81, 0x01, 0x00, 0x80, 0x82, 0x02, 0x89, 0x8A, 0x88]
          .randomElement(using: &generator) ?? 0x81
        let count = [0, 1, 2, 5, 125, 126, 300].randomElement(using: &generator) ?? 0
        let payload = (0..<count).map { _ in
          UInt8([0x61, 0xC3, 0xA9, 0xE2, 0x82, 0xAC].randomElement(using: &generator) ?? 0x61)
        }
        bytes += frameBytes(first, first > 0x87 ? Array(payload.prefix(125)) : payload)
      }
      #expect(WebSocketCheck.failure(bytes) == nil, "seed \(seed)")
    }
  }
}
