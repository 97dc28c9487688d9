import GraphQLLanguage

/// The messages that were received but not handled yet.
///
/// A cancellation reaches the queue before the requests ahead of it are handled. The cancelled
/// request then gets an error response without being handled.
struct MessageQueue {
  private var messages: ArraySlice<Message> = []

  var isEmpty: Bool { messages.isEmpty }

  /// Appends a message, or carries out a cancellation.
  mutating func append(_ message: Message) {
    guard case .notification("$/cancelRequest", let params) = message else {
      messages.append(message)
      return
    }
    guard let id = params["id"] else { return }
    for index in messages.indices {
      guard case .request(id, _, _) = messages[index] else { continue }
      messages[index] = .invalid(
        id: id, ResponseError(.requestCancelled, "The request was cancelled."))
    }
  }

  /// Removes the oldest message.
  mutating func popFirst() -> Message? {
    // A slice retains removed messages.
    defer { if messages.isEmpty { messages = [] } }
    return messages.popFirst()
  }
}
