import RelayNetwork
import RelayStore

/// The frames that a WebSocket connection has to send, in the order in which it sends them.
///
/// Of several pings that await their pongs, only the last is answered, as RFC 6455, section 5.5.3,
/// allows. So a server that sends pings and reads nothing takes no memory.
struct WebSocketOutbox {
  /// The answer to the last ping.
  var pong: WebSocketFrame?
  /// Whether the close frame is sent, or nothing can be sent any more.
  private(set) var hasEnded = false

  private var messages: [WebSocketCommands.Message] = []
  /// The number of `messages` that are sent.
  private var sentCount = 0
  private var closeFrame: WebSocketFrame?
  /// The message of which `offset` bytes are sent.
  ///
  /// It stays in place while a part of it waits: TLS requires the same bytes at the same address.
  private var current: WebSocketCommands.Message?
  private var offset = 0
  private var isClosing = false
  private var isSendingClose = false

  var isEmpty: Bool {
    current == nil && pong == nil && sentCount == messages.count && closeFrame == nil
  }

  /// Adds a message; does nothing after ``close(_:)``.
  mutating func add(_ message: WebSocketCommands.Message) {
    if !isClosing { messages.append(message) }
  }

  /// Adds the close frame behind the messages, unless there is one already.
  ///
  /// - Parameter discardsMessages: Whether the messages that are not being sent yet are discarded.
  mutating func close(_ frame: WebSocketFrame, discardsMessages: Bool) {
    if discardsMessages { (messages, sentCount, pong) = ([], 0, nil) }
    if isClosing { return }
    isClosing = true
    closeFrame = frame
  }

  /// Discards everything, because nothing can be sent any more.
  mutating func end() {
    self = WebSocketOutbox()
    (isClosing, hasEnded) = (true, true)
  }

  /// The bytes to send next; `nil` when there are none.
  mutating func next() -> ArraySlice<UInt8>? {
    if current == nil { current = nextMessage() }
    return current?.bytes[offset...]
  }

  private mutating func nextMessage() -> WebSocketCommands.Message? {
    if hasEnded { return nil }
    if let frame = pong {
      pong = nil
      return .init(id: nil, bytes: frame.maskedBytes)
    }
    if sentCount < messages.count {
      return removeFirstMessage()
    }
    guard let frame = closeFrame else { return nil }
    closeFrame = nil
    isSendingClose = true
    return .init(id: nil, bytes: frame.maskedBytes)
  }

  /// Removes the first message, in amortized constant time.
  private mutating func removeFirstMessage() -> WebSocketCommands.Message {
    defer {
      sentCount += 1
      if sentCount * 2 > messages.count {
        messages.removeFirst(sentCount)
        sentCount = 0
      }
    }
    return messages[sentCount]
  }

  /// Records that the next bytes are sent.
  ///
  /// - Returns: The message that is sent completely.
  mutating func advance(_ count: Int) -> WebSocketCommands.Message? {
    guard let message = current else { return nil }
    offset += count
    if offset < message.bytes.count { return nil }
    (current, offset) = (nil, 0)
    if isSendingClose { end() }
    return message
  }
}
