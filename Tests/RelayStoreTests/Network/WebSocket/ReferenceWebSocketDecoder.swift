#if !FUZZING
  @testable import RelayLive
  @testable import RelayStore
#endif

/// A decoder of a complete sequence of frames, as close as possible to the wording of RFC 6455. It
/// shares no code with ``WebSocketDecoder``.
///
/// It also decodes a client's frames, as a server would.
struct ReferenceWebSocketDecoder {
  private var rest: ArraySlice<UInt8>
  private let byteLimit: Int
  private let isMasked: Bool
  private var transcript = WebSocketTranscript()
  private var fragments: (isText: Bool, bytes: [UInt8])?

  private struct EndOfInput: Error {}

  /// Decodes a server's frames, or a client's if they are masked.
  static func decode(
    _ bytes: [UInt8], byteLimit: Int = .max, isMasked: Bool = false
  ) -> WebSocketTranscript {
    var decoder = Self(rest: bytes[...], byteLimit: byteLimit, isMasked: isMasked)
    do {
      while true { try decoder.decodeFrame() }
    } catch {
      decoder.transcript.error = error as? WebSocketProtocolError
    }
    return decoder.transcript
  }

  private init(rest: ArraySlice<UInt8>, byteLimit: Int, isMasked: Bool) {
    (self.rest, self.byteLimit, self.isMasked) = (rest, byteLimit, isMasked)
  }

  private mutating func byte() throws -> UInt8 {
    guard let byte = rest.popFirst() else { throw EndOfInput() }
    return byte
  }

  private mutating func decodeFrame() throws {
    let first = try byte()
    if case .close = transcript.events.last { throw WebSocketProtocolError.dataAfterClose }
    let (isFinal, opcode) = (first >= 0x80, first % 16)
    if (first / 16) % 8 != 0 { throw WebSocketProtocolError.reservedBits }
    guard [0, 1, 2, 8, 9, 10].contains(opcode) else {
      throw WebSocketProtocolError.reservedOpcode(opcode)
    }
    if opcode >= 8, !isFinal { throw WebSocketProtocolError.fragmentedControlFrame }
    if opcode == 0, fragments == nil { throw WebSocketProtocolError.unexpectedContinuation }
    if opcode == 1 || opcode == 2, fragments != nil {
      throw WebSocketProtocolError.interruptedMessage
    }
    let length = try length(opcode)
    if opcode < 8 {
      try receive(opcode, length, isFinal: isFinal)
    } else {
      let (payload, isComplete) = try payload(length)
      if !isComplete { throw EndOfInput() }
      transcript.events.append(try control(opcode, payload))
    }
  }

  private mutating func length(_ opcode: UInt8) throws -> UInt64 {
    let second = try byte()
    if (second >= 0x80) != isMasked { throw WebSocketProtocolError.maskedFrame }
    let short = second % 128
    if opcode >= 8, short > 125 { throw WebSocketProtocolError.controlFrameTooLarge }
    if opcode == 8, short == 1 { throw WebSocketProtocolError.incompleteCloseCode }
    if short < 126 { return UInt64(short) }
    var length: UInt64 = 0
    for index in 0..<(short == 126 ? 2 : 8) {
      let byte = try byte()
      if short == 127, index == 0, byte >= 0x80 { throw WebSocketProtocolError.lengthOutOfRange }
      length = length * 256 + UInt64(byte)
    }
    if length < (short == 126 ? 126 : 65_536) { throw WebSocketProtocolError.lengthNotMinimal }
    return length
  }

  /// The received portion of a payload, unmasked, and whether it is complete.
  private mutating func payload(_ length: UInt64) throws -> (bytes: [UInt8], isComplete: Bool) {
    var key: [UInt8] = [0, 0, 0, 0]
    if isMasked { for index in 0..<4 { key[index] = try byte() } }
    let part = rest.prefix(Int(min(length, UInt64(rest.count))))
    rest = rest.dropFirst(part.count)
    return (part.enumerated().map { $1 ^ key[$0 % 4] }, part.count == length)
  }

  private mutating func receive(_ opcode: UInt8, _ length: UInt64, isFinal: Bool) throws {
    var message = fragments ?? (opcode == 1, [])
    if length > UInt64(byteLimit - message.bytes.count) {
      throw WebSocketProtocolError.messageTooLarge(byteLimit: byteLimit)
    }
    let (part, isComplete) = try payload(length)
    message.bytes += part
    if message.isText, !Self.isBeginningOfText(message.bytes) {
      throw WebSocketProtocolError.invalidUTF8
    }
    if !isComplete { throw EndOfInput() }
    fragments = message
    if !isFinal { return }
    fragments = nil
    if message.isText, !message.bytes.isValidUTF8 { throw WebSocketProtocolError.invalidUTF8 }
    transcript.events.append(message.isText ? .text(message.bytes) : .binary(message.bytes))
  }

  /// Whether the bytes, possibly with up to three more, are UTF-8.
  private static func isBeginningOfText(_ bytes: [UInt8]) -> Bool {
    if bytes.isValidUTF8 { return true }
    // The bounds of the second byte's range for any first byte.
    let candidates: [UInt8] = [0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF]
    var ends: [[UInt8]] = [[]]
    let tail = bytes.suffix(4)
    for count in 0..<4 where tail.count > count {
      // The bytes before the last character.
      guard Array(bytes.dropLast(count + 1)).isValidUTF8 else { continue }
      for _ in 0..<3 {
        ends = ends.flatMap { end in candidates.map { end + [$0] } }
        if ends.contains(where: { (tail.suffix(count + 1) + $0).isValidUTF8 }) { return true }
      }
      ends = [[]]
    }
    return false
  }

  private func control(_ opcode: UInt8, _ payload: [UInt8]) throws -> WebSocketEvent {
    if opcode == 9 { return .ping(payload) }
    if opcode == 10 { return .pong(payload) }
    if payload.isEmpty { return .close(nil, reason: "") }
    let code = UInt16(payload[0]) * 256 + UInt16(payload[1])
    let unsendable: Set<UInt16> = [1004, 1005, 1006, 1015]
    guard 1000...1015 ~= code || 3000...4999 ~= code, !unsendable.contains(code) else {
      throw WebSocketProtocolError.forbiddenCloseCode(code)
    }
    guard Array(payload[2...]).isValidUTF8 else { throw WebSocketProtocolError.invalidUTF8 }
    return .close(
      WebSocketCloseCode(rawValue: code), reason: String(decoding: payload[2...], as: UTF8.self))
  }
}
