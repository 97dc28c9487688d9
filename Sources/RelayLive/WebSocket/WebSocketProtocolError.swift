import RelayNetwork
import RelayStore

/// A violation of the WebSocket protocol by a server. The client responds with a close frame and
/// ends the connection.
///
/// Source: RFC 6455, sections 5 and 7.
enum WebSocketProtocolError: Error, Hashable, Sendable {
  /// A reserved bit is set, but no extension is in use.
  case reservedBits
  case reservedOpcode(UInt8)
  /// A frame is masked; only clients mask frames.
  case maskedFrame
  case fragmentedControlFrame
  case controlFrameTooLarge
  /// A continuation frame without a message to continue.
  case unexpectedContinuation
  /// A message starts before the last fragment of another.
  case interruptedMessage
  case lengthNotMinimal
  /// A length is greater than `Int64.max`.
  case lengthOutOfRange
  /// A close frame contains a single byte.
  case incompleteCloseCode
  case forbiddenCloseCode(UInt16)
  /// A text message or the reason of a close frame is not UTF-8.
  case invalidUTF8
  /// A message has more bytes than the limit, according to its frame header.
  case messageTooLarge(byteLimit: Int)
  /// Bytes follow a close frame.
  case dataAfterClose

  /// The code of the close frame sent in response to the violation.
  var closeCode: WebSocketCloseCode {
    switch self {
    case .invalidUTF8: .invalidPayloadData
    case .messageTooLarge: .messageTooBig
    default: .protocolError
    }
  }
}

extension WebSocketProtocolError: CustomStringConvertible {
  /// The violation, as words that follow "because it received".
  var description: String {
    switch self {
    case .reservedBits: "a frame with a reserved bit"
    case .reservedOpcode(let opcode): "a frame with the reserved opcode \(opcode)"
    case .maskedFrame: "a masked frame"
    case .fragmentedControlFrame: "a control frame in fragments"
    case .controlFrameTooLarge: "a control frame of more than 125 bytes"
    case .unexpectedContinuation: "a continuation frame without a message"
    case .interruptedMessage: "a message between the fragments of another"
    case .lengthNotMinimal: "a frame whose length is not encoded minimally"
    case .lengthOutOfRange: "a frame whose length is out of range"
    case .incompleteCloseCode: "a close code of one byte"
    case .forbiddenCloseCode(let code): "the close code \(code), not allowed in a frame"
    case .invalidUTF8: "text that is not UTF-8"
    case .messageTooLarge(let limit): "a message of more than \(limit.counted("byte"))"
    case .dataAfterClose: "data after a close frame"
    }
  }
}
