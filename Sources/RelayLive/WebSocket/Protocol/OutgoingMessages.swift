import RelayNetwork
import RelayStore

/// The outgoing messages of a connection, in order.
///
/// The queue is bounded, even if the server never reads: a subscription that ends before it was
/// sent is removed, and only the last of several pongs is retained.
struct OutgoingMessages {
  enum Item {
    case message(WebSocketClientMessage)
    case close(WebSocketCloseCode, String)
  }

  /// The items in order; `nil` when sent or removed.
  private var items: [Item?] = []
  /// The index in `items` of the first item that may be pending.
  private var next = 0
  private var count = 0
  /// The indexes of the subscriptions in `items`, so that ending one does not need a search.
  private var positions: [WebSocketOperationID: Int] = [:]
  private var pong: WebSocketClientMessage?
  /// Whether a task is sending the items.
  var isSending = false

  var isEmpty: Bool { count == 0 && pong == nil }

  /// Appends a message, in amortized constant time.
  mutating func append(_ message: WebSocketClientMessage) {
    switch message {
    case .pong: pong = message
    case .complete(let id):
      if let position = positions[id] { _ = take(at: position) } else { append(.message(message)) }
    case .subscribe(let id, _):
      append(.message(message))
      positions[id] = items.count - 1
    case .ping, .initialization: append(.message(message))
    }
  }

  mutating func close(_ code: WebSocketCloseCode, _ reason: String) {
    append(.close(code, reason))
  }

  /// Removes the next message, in amortized constant time. A pong precedes all messages except the
  /// initialization.
  mutating func removeFirst() -> Item? {
    while next < items.count, items[next] == nil { next += 1 }
    let first = next < items.count ? items[next] : nil
    if case .message(.initialization)? = first { return take(at: next) }
    if let message = pong {
      pong = nil
      return .message(message)
    }
    return first == nil ? nil : take(at: next)
  }

  private mutating func append(_ item: Item) {
    items.append(item)
    count += 1
  }

  /// Removes the item at an index.
  private mutating func take(at index: Int) -> Item? {
    let item = items[index]
    items[index] = nil
    count -= 1
    if case .message(.subscribe(let id, _))? = item { positions[id] = nil }
    if items.count > 32, items.count > 2 * count { compact() }
    return item
  }

  private mutating func compact() {
    items.removeAll { $0 == nil }
    next = 0
    for (index, item) in items.enumerated() {
      if case .message(.subscribe(let id, _))? = item { positions[id] = index }
    }
  }
}
