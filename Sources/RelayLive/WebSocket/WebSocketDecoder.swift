import RelayNetwork
import RelayStore

/// A message or control frame from a server.
enum WebSocketEvent: Hashable, Sendable {
  /// A text message in valid UTF-8.
  case text([UInt8])
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  /// The server closes the connection. This is the last event.
  case close(WebSocketCloseCode?, reason: String)
}

/// A decoder of the bytes that a WebSocket server sends after the handshake, in chunks of any size.
///
/// It enforces every RFC 6455 rule for servers as soon as the bytes show a violation. While a
/// message grows, at most twice the message limit is allocated.
struct WebSocketDecoder: Sendable {
  /// The maximum number of bytes of a message.
  let messageByteLimit: Int

  /// The incomplete frame header.
  private var partialHeader: [UInt8] = []
  /// The frame whose payload is being received.
  private var frame: WebSocketFrameHeader?
  /// The number of payload bytes still missing from `frame`.
  private var missingCount = 0
  /// The incomplete payload of a control frame.
  private var control: [UInt8] = []
  /// The incomplete message.
  private var message: [UInt8] = []
  /// The kind of the incomplete message; `nil` when no fragment is pending.
  private var messageKind: WebSocketOpcode?
  private var validator = UTF8Validator()
  private var isClosed = false
  private var failure: WebSocketProtocolError?

  /// Creates a decoder of a connection.
  ///
  /// - Parameter messageByteLimit: The maximum number of bytes of a message.
  init(messageByteLimit: Int) { self.messageByteLimit = max(0, messageByteLimit) }

  /// The number of bytes buffered until the rest of a frame or message arrives.
  var bufferedSize: Int { partialHeader.count + control.count + message.count }

  /// Decodes the next bytes.
  ///
  /// - Parameters:
  ///   - chunk: Read only during the call; payloads are copied.
  ///   - receive: Called with each message and control frame that the chunk completes.
  /// - Throws: The first violation of the protocol, after the events before it. The connection is
  ///   then unusable, and each further call throws the same error.
  /// - Complexity: O(*n*) in the bytes of the chunk.
  mutating func decode(
    _ chunk: UnsafeRawBufferPointer, _ receive: (WebSocketEvent) -> Void
  ) throws(WebSocketProtocolError) {
    if let failure { throw failure }
    do throws(WebSocketProtocolError) {
      try decodeFrames(chunk, receive)
    } catch {
      failure = error
      (partialHeader, control, message) = ([], [], [])
      throw error
    }
  }

  private mutating func decodeFrames(
    _ chunk: UnsafeRawBufferPointer, _ receive: (WebSocketEvent) -> Void
  ) throws(WebSocketProtocolError) {
    var rest = chunk
    while true {
      if frame == nil {
        guard try beginFrame(&rest) else { return }
      }
      guard try continueFrame(&rest, receive) else { return }
    }
  }

  // MARK: Frames

  /// Parses the next frame header and removes it from `rest`.
  ///
  /// - Returns: Whether the header is complete.
  private mutating func beginFrame(
    _ rest: inout UnsafeRawBufferPointer
  ) throws(WebSocketProtocolError) -> Bool {
    if rest.isEmpty { return false }
    if isClosed { throw .dataAfterClose }
    let isInMessage = messageKind != nil
    if partialHeader.isEmpty {
      if let header = try WebSocketFrameHeader(rest, isInMessage: isInMessage) {
        _ = rest.removePrefix(header.size)
        try begin(header)
        return true
      }
      partialHeader += rest
      return false
    }
    while !rest.isEmpty {
      partialHeader += rest.removePrefix(1)
      if let header = try WebSocketFrameHeader(partialHeader, isInMessage: isInMessage) {
        partialHeader.removeAll(keepingCapacity: true)
        try begin(header)
        return true
      }
    }
    return false
  }

  private mutating func begin(_ header: WebSocketFrameHeader) throws(WebSocketProtocolError) {
    if !header.opcode.isControl {
      if header.length > messageByteLimit - message.count {
        throw .messageTooLarge(byteLimit: messageByteLimit)
      }
      if header.opcode != .continuation { messageKind = header.opcode }
    }
    frame = header
    missingCount = header.length
  }

  /// Removes the payload of the current frame from `rest`.
  ///
  /// - Returns: Whether the frame is complete.
  private mutating func continueFrame(
    _ rest: inout UnsafeRawBufferPointer, _ receive: (WebSocketEvent) -> Void
  ) throws(WebSocketProtocolError) -> Bool {
    guard let header = frame else { return true }
    let piece = rest.removePrefix(min(missingCount, rest.count))
    if header.opcode.isControl {
      control += piece
    } else {
      try append(piece, isFinal: header.isFinal)
    }
    missingCount -= piece.count
    if missingCount > 0 { return false }
    frame = nil
    if header.opcode.isControl {
      receive(try endControlFrame(header.opcode))
    } else if header.isFinal {
      receive(try endMessage())
    }
    return true
  }

  private mutating func endControlFrame(
    _ opcode: WebSocketOpcode
  ) throws(WebSocketProtocolError) -> WebSocketEvent {
    let payload = control
    control = []
    switch opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong(payload)
    default:
      isClosed = true
      return try Self.close(payload)
    }
  }

  private static func close(
    _ payload: [UInt8]
  ) throws(WebSocketProtocolError) -> WebSocketEvent {
    guard payload.count >= 2 else { return .close(nil, reason: "") }
    let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.isAllowedInFrames else { throw .forbiddenCloseCode(code.rawValue) }
    var validator = UTF8Validator()
    let reason = payload[2...]
    guard reason.withUnsafeBytes({ validator.accept($0) }), validator.isComplete else {
      throw .invalidUTF8
    }
    return .close(code, reason: String(decoding: reason, as: UTF8.self))
  }

  // MARK: Messages

  private mutating func append(
    _ piece: UnsafeRawBufferPointer, isFinal: Bool
  ) throws(WebSocketProtocolError) {
    if messageKind == .text, !validator.accept(piece) { throw .invalidUTF8 }
    reserveCapacity(for: message.count + piece.count, isFinal: isFinal)
    message += piece
  }

  /// Doubles the capacity of `message` when it is too small, up to the largest possible size of the
  /// message. An announced length alone does not allocate memory.
  private mutating func reserveCapacity(for count: Int, isFinal: Bool) {
    guard count > message.capacity else { return }
    let limit = isFinal ? message.count + missingCount : messageByteLimit
    message.reserveCapacity(min(limit, max(count, 2 * message.capacity)))
  }

  private mutating func endMessage() throws(WebSocketProtocolError) -> WebSocketEvent {
    guard validator.isComplete else { throw .invalidUTF8 }
    let isText = messageKind == .text
    let bytes = message
    (message, messageKind) = ([], nil)
    return isText ? .text(bytes) : .binary(bytes)
  }
}

extension UnsafeRawBufferPointer {
  /// Removes and returns the first `count` bytes.
  @inline(__always)
  fileprivate mutating func removePrefix(_ count: Int) -> UnsafeRawBufferPointer {
    defer { self = UnsafeRawBufferPointer(rebasing: self[count...]) }
    return UnsafeRawBufferPointer(rebasing: self[..<count])
  }
}
