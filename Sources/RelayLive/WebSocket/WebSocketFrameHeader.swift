import RelayNetwork
import RelayStore

/// The header of a WebSocket frame from a server.
///
/// Source: RFC 6455, section 5.2.
struct WebSocketFrameHeader: Sendable {
  /// Whether this is the only or the last frame of its message.
  let isFinal: Bool
  let opcode: WebSocketOpcode
  /// The number of bytes in the payload.
  let length: Int
  /// The number of bytes in the header itself.
  let size: Int

  /// Parses the header at the start of `bytes`; `nil` when it is incomplete.
  ///
  /// - Parameter isInMessage: Whether the last fragment of a message is still pending.
  /// - Throws: The first violation in the bytes, even when the header is incomplete.
  @inline(__always)
  init?<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, isInMessage: Bool
  ) throws(WebSocketProtocolError) where Bytes.Element == UInt8, Bytes.Index == Int {
    guard !bytes.isEmpty else { return nil }
    let start = bytes.startIndex
    let first = bytes[start]
    isFinal = first & 0x80 != 0
    opcode = try Self.opcode(first, isInMessage: isInMessage)
    guard bytes.count > 1 else { return nil }
    let second = bytes[start + 1]
    if second & 0x80 != 0 { throw .maskedFrame }
    if opcode.isControl {
      if second > WebSocketFrame.controlByteLimit { throw .controlFrameTooLarge }
      if opcode == .close, second == 1 { throw .incompleteCloseCode }
    }
    switch second {
    case ..<126: (length, size) = (Int(second), 2)
    case 126:
      guard bytes.count > 3 else { return nil }
      (length, size) = (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]), 4)
      if length < 126 { throw .lengthNotMinimal }
    default:
      guard bytes.count > 2 else { return nil }
      if bytes[start + 2] & 0x80 != 0 { throw .lengthOutOfRange }
      guard bytes.count > 9 else { return nil }
      let bits = bytes[(start + 2)..<(start + 10)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      // `Int.max` bytes exceed every message limit.
      (length, size) = (Int(clamping: bits), 10)
      if length <= 0xFFFF { throw .lengthNotMinimal }
    }
  }

  @inline(__always)
  private static func opcode(
    _ byte: UInt8, isInMessage: Bool
  ) throws(WebSocketProtocolError) -> WebSocketOpcode {
    if byte & 0x70 != 0 { throw .reservedBits }
    guard let opcode = WebSocketOpcode(rawValue: byte & 0x0F) else {
      throw .reservedOpcode(byte & 0x0F)
    }
    if opcode.isControl {
      if byte & 0x80 == 0 { throw .fragmentedControlFrame }
    } else if opcode == .continuation {
      if !isInMessage { throw .unexpectedContinuation }
    } else if isInMessage {
      throw .interruptedMessage
    }
    return opcode
  }
}
