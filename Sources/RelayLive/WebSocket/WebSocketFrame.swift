import RelayNetwork
import RelayStore

/// The kind of a WebSocket frame.
///
/// Source: RFC 6455, section 5.2.
enum WebSocketOpcode: UInt8, Sendable {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  /// Whether frames of this kind may occur between the fragments of a message.
  var isControl: Bool { rawValue >= 8 }
}

/// A WebSocket frame that a client sends.
///
/// Source: RFC 6455, section 5.
struct WebSocketFrame: Equatable, Sendable {
  /// The maximum number of bytes in the payload of a control frame.
  static let controlByteLimit = 125

  /// Whether this is the only or the last frame of its message.
  let isFinal: Bool
  let opcode: WebSocketOpcode
  let payload: [UInt8]

  private init(_ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true) {
    self.isFinal = isFinal
    self.opcode = opcode
    self.payload = payload
  }

  /// Creates the frame of a text message, or its first fragment.
  ///
  /// - Parameter utf8: The message in UTF-8.
  static func text(_ utf8: [UInt8], isFinal: Bool = true) -> Self {
    Self(.text, utf8, isFinal: isFinal)
  }

  /// Creates the frame of a binary message, or its first fragment.
  static func binary(_ bytes: [UInt8], isFinal: Bool = true) -> Self {
    Self(.binary, bytes, isFinal: isFinal)
  }

  /// Creates another fragment of a message.
  static func continuation(_ bytes: [UInt8], isFinal: Bool) -> Self {
    Self(.continuation, bytes, isFinal: isFinal)
  }

  /// Creates a ping.
  ///
  /// - Parameter payload: The bytes that the pong will repeat; only the first 125 are sent.
  static func ping(_ payload: [UInt8] = []) -> Self {
    Self(.ping, Array(payload.prefix(controlByteLimit)))
  }

  /// Creates the response to a ping.
  ///
  /// - Parameter payload: The payload of the ping.
  static func pong(_ payload: [UInt8]) -> Self {
    Self(.pong, Array(payload.prefix(controlByteLimit)))
  }

  /// Creates a close frame.
  ///
  /// - Parameters:
  ///   - code: The close code. A code that is not allowed in frames is omitted, along with
  ///     `reason`.
  ///   - reason: The reason in words, truncated to 123 bytes at a character boundary.
  static func close(_ code: WebSocketCloseCode? = nil, reason: String = "") -> Self {
    guard let code, code.isAllowedInFrames else { return Self(.close, []) }
    var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
    for scalar in reason.unicodeScalars {
      let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      if payload.count + bytes.count > controlByteLimit { break }
      payload += bytes
    }
    return Self(.close, payload)
  }

  /// Appends the frame to `bytes`, masked as required of clients.
  ///
  /// - Parameter maskingKey: A random number that servers and scripts cannot predict.
  /// - Complexity: O(*n*) in the payload.
  func write(to bytes: inout [UInt8], maskingKey: UInt32) {
    bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
    let isMasked: UInt8 = 0x80
    switch payload.count {
    case 0...125: bytes.append(isMasked | UInt8(payload.count))
    case 126...0xFFFF:
      bytes.append(isMasked | 126)
      bytes.appendBigEndian(UInt16(payload.count))
    default:
      bytes.append(isMasked | 127)
      bytes.appendBigEndian(UInt64(payload.count))
    }
    bytes.appendBigEndian(maskingKey)
    let start = bytes.count
    bytes += payload
    bytes.withUnsafeMutableBytes {
      Self.mask(UnsafeMutableRawBufferPointer(rebasing: $0[start...]), by: maskingKey)
    }
  }

  /// Masks or unmasks a payload in place, eight bytes at a time.
  private static func mask(_ payload: UnsafeMutableRawBufferPointer, by key: UInt32) {
    let pattern = (UInt64(key) << 32 | UInt64(key)).bigEndian
    var index = 0
    while index + 8 <= payload.count {
      let word = payload.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      payload.storeBytes(of: word ^ pattern, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    // At most seven bytes are left, and `index` is a multiple of the key's size.
    while index < payload.count {
      payload[index] ^= UInt8(truncatingIfNeeded: key >> UInt32(24 - index % 4 * 8))
      index += 1
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
