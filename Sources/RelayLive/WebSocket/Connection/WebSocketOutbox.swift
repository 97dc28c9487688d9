import RelayNetwork
import RelayStore

/// The outgoing frames of a WebSocket connection, in sending order.
///
/// Only the last of several pending pings gets a pong, as RFC 6455, section 5.5.3, allows. So a
/// server that sends pings without reading cannot use up memory.
struct WebSocketOutbox {
  /// The pong for the last ping.
  var pong: WebSocketFrame?
  /// Whether the close frame was sent, or sending is no longer possible.
  private(set) var hasEnded = false

  private var messages: [WebSocketCommands.Message] = []
  /// The number of `messages` already sent.
  private var sentCount = 0
  private var closeFrame: WebSocketFrame?
  /// The message being sent, with `offset` bytes already sent.
  ///
  /// It must not move while it is partly sent: TLS requires the same bytes at the same address.
  private var current: WebSocketCommands.Message?
  private var offset = 0
  private var isClosing = false
  private var isSendingClose = false

  var isEmpty: Bool {
    current == nil && pong == nil && sentCount == messages.count && closeFrame == nil
  }

  /// Adds a message; a no-op after ``close(_:)``.
  mutating func add(_ message: WebSocketCommands.Message) {
    if !isClosing { messages.append(message) }
  }

  /// Adds the close frame after the messages, unless one was added already.
  ///
  /// - Parameter discardsMessages: Whether to discard messages whose sending has not started.
  mutating func close(_ frame: WebSocketFrame, discardsMessages: Bool) {
    if discardsMessages { (messages, sentCount, pong) = ([], 0, nil) }
    if isClosing { return }
    isClosing = true
    closeFrame = frame
  }

  /// Discards everything, because sending has become impossible.
  mutating func end() {
    self = WebSocketOutbox()
    (isClosing, hasEnded) = (true, true)
  }

  /// Returns the next bytes to send; `nil` when there are none.
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

  /// Registers that the next bytes were sent.
  ///
  /// - Returns: The message that is now completely sent.
  mutating func advance(_ count: Int) -> WebSocketCommands.Message? {
    guard let message = current else { return nil }
    offset += count
    if offset < message.bytes.count { return nil }
    (current, offset) = (nil, 0)
    if isSendingClose { end() }
    return message
  }
}
