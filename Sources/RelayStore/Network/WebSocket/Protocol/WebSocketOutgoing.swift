/// The messages that a connection has to send, in their order.
///
/// It is bounded, even if the server reads nothing: a subscription that ends before it was sent is
/// removed, and only the last of several pongs is kept.
struct WebSocketOutgoing {
  enum Item {
    case message(WebSocketClientMessage)
    case close(WebSocketCloseCode, String)
  }

  private var items: [Item] = []
  private var pong: WebSocketClientMessage?
  /// Whether a task sends the items.
  var isSending = false

  var isEmpty: Bool { items.isEmpty && pong == nil }

  mutating func append(_ message: WebSocketClientMessage) {
    switch message {
    case .pong: pong = message
    case .complete(let id):
      let position = items.firstIndex {
        if case .message(.subscribe(id, _)) = $0 { true } else { false }
      }
      if let position { items.remove(at: position) } else { items.append(.message(message)) }
    case .ping, .initialization, .subscribe: items.append(.message(message))
    }
  }

  mutating func close(_ code: WebSocketCloseCode, _ reason: String) {
    items.append(.close(code, reason))
  }

  /// Removes the next message: a pong before the others, except the initialization.
  mutating func removeFirst() -> Item? {
    if case .message(.initialization)? = items.first { return items.removeFirst() }
    if let message = pong {
      pong = nil
      return .message(message)
    }
    return items.isEmpty ? nil : items.removeFirst()
  }
}
