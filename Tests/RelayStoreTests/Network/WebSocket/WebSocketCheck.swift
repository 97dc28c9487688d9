#if !FUZZING
  @testable import RelayLive
  @testable import RelayStore
#endif

/// The events of a decoder, and the error that ends them.
struct WebSocketTranscript: Equatable {
  var events: [WebSocketEvent] = []
  var error: WebSocketProtocolError?
  /// A violated property of the decoder itself; `nil` if all hold.
  var fault: String?

  init() {}

  /// Decodes chunks one after the other.
  init(decoding chunks: [[UInt8]], byteLimit: Int) {
    var decoder = WebSocketDecoder(messageByteLimit: byteLimit)
    for chunk in chunks { feed(chunk, to: &decoder) }
  }

  /// Decodes a chunk.
  mutating func feed(_ chunk: [UInt8], to decoder: inout WebSocketDecoder) {
    do throws(WebSocketProtocolError) {
      // A buffer without spare capacity, so that the address sanitizer detects a read beyond its
      // end.
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk.count, alignment: 1)
      defer { copy.deallocate() }
      copy.copyBytes(from: chunk)
      try decoder.decode(UnsafeRawBufferPointer(copy)) { events.append($0) }
      if let error { fault = "The error \(error) is followed by a chunk without an error" }
    } catch {
      if let earlier = self.error, earlier != error { fault = "\(earlier) is followed by \(error)" }
      self.error = error
    }
    let maximum = 10 + WebSocketFrame.controlByteLimit
    if decoder.bufferedSize - maximum > decoder.messageByteLimit {
      fault = "\(decoder.bufferedSize) bytes are buffered"
    }
    if error != nil, decoder.bufferedSize > 0 { fault = "Bytes are buffered after an error" }
  }
}

/// The properties that hold for any bytes from a server: the split into chunks makes no difference,
/// the events equal those from ``ReferenceWebSocketDecoder``, and memory is bounded.
///
/// Used by the tests, and by the fuzzer (`Fuzz/WebSocket`), which is compiled together with the
/// sources of the codec.
enum WebSocketCheck {
  private static let byteLimits = [0, 1, 10, 125, 126, 1_000, 70_000, Int.max]
  static let nonce = Array("the sample nonce".utf8)
  static let subprotocol = "graphql-transport-ws"

  /// Returns the property that an input violates, or `nil`.
  ///
  /// - Parameter input: A byte with the kind of check, a byte with the chunk size, and the server's
  ///   bytes.
  static func failure(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let bytes = Array(input[2...])
    let sizes = [bytes.count + 1, Int(input[1]) + 1, 1]
    return input[0] & 0x80 == 0
      ? failure(decoding: bytes, sizes, byteLimit: byteLimits[Int(input[0] & 7)])
      : handshakeFailure(bytes, sizes)
  }

  private static func failure(
    decoding bytes: [UInt8], _ sizes: [Int], byteLimit: Int
  ) -> String? {
    let expected = ReferenceWebSocketDecoder.decode(bytes, byteLimit: byteLimit)
    for size in sizes {
      let transcript = WebSocketTranscript(
        decoding: bytes.chunks(of: size), byteLimit: byteLimit)
      if let fault = transcript.fault { return fault }
      if transcript != expected {
        return "In chunks of \(size): \(transcript), expected: \(expected)"
      }
      for case .text(let text) in transcript.events where !text.isValidUTF8 {
        return "A text is not UTF-8"
      }
    }
    return nil
  }

  /// The result of a handshake, and the bytes after it.
  private struct Opening: Equatable {
    var response: WebSocketHandshakeResponse?
    var error: WebSocketHandshakeError?
    var transcript = WebSocketTranscript()
    var fault: String?
  }

  private static func handshakeFailure(_ bytes: [UInt8], _ sizes: [Int]) -> String? {
    let openings = sizes.map { open(bytes.chunks(of: $0)) }
    for opening in openings {
      if let fault = opening.fault ?? opening.transcript.fault { return fault }
      if opening != openings[0] { return "\(opening), expected: \(openings[0])" }
      if opening.response?.status == 101, opening.error != nil { return "Open, with an error" }
    }
    return nil
  }

  private static func open(_ chunks: [[UInt8]]) -> Opening {
    var opening = Opening()
    var handshake = WebSocketHandshake(
      host: "localhost", target: "/", subprotocols: [subprotocol], nonce: nonce)
    var decoder = WebSocketDecoder(messageByteLimit: 1_000)
    for chunk in chunks {
      if opening.response?.status == 101 {
        opening.transcript.feed(chunk, to: &decoder)
      } else if opening.response == nil {
        do throws(WebSocketHandshakeError) {
          opening.response = try handshake.receive(chunk)
        } catch {
          opening.error = error
        }
        if opening.response?.status == 101, let rest = opening.response?.body {
          opening.transcript.feed(rest, to: &decoder)
          opening.response?.body = []
        }
      }
      let maximum = WebSocketHandshake.headerByteLimit + WebSocketHandshake.bodyByteLimit
      if handshake.bufferedSize > maximum { opening.fault = "Too many bytes are buffered" }
    }
    if opening.response == nil, opening.error == nil { opening.response = handshake.finish() }
    return opening
  }
}

extension WebSocketHandshake {
  /// Parses the next bytes of the response.
  mutating func receive(
    _ chunk: [UInt8]
  ) throws(WebSocketHandshakeError) -> WebSocketHandshakeResponse? {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: chunk)
    return try receive(UnsafeRawBufferPointer(copy))
  }
}

extension [UInt8] {
  /// The bytes in chunks of a given size; the last one may be smaller.
  func chunks(of size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }

  var isValidUTF8: Bool { String(decoding: self, as: UTF8.self).utf8.elementsEqual(self) }
}
