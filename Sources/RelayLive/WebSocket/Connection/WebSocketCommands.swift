import RelayNetwork
import RelayStore

/// The commands that users of a WebSocket connection give to the thread that serves it.
final class WebSocketCommands: Sendable {
  /// A frame to send.
  struct Message {
    let id: Int?
    let bytes: [UInt8]
  }

  /// The commands since the last batch.
  struct Batch {
    var messages: [Message] = []
    /// The close frame, sent after the messages.
    var close: WebSocketFrame?
    var isPaused = false
    var isCancelled = false
  }

  private struct State {
    var batch = Batch()
    var isClosing = false
    /// The reason why no more messages can be sent.
    var end: RelayError?
    var lastID = 0
    var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The messages whose tasks were cancelled before they were added.
    var cancelledIDs: Set<Int> = []

    /// Adds a message.
    ///
    /// - Returns: An error if it cannot be sent.
    mutating func add(
      _ message: Message, id: Int, _ continuation: CheckedContinuation<Void, any Error>
    ) -> (any Error)? {
      if cancelledIDs.contains(id) { return CancellationError() }
      if let end { return end }
      if isClosing { return RelayError(.transport, "The WebSocket connection is already closed.") }
      batch.messages.append(message)
      continuations[id] = continuation
      return nil
    }
  }

  /// Guards the commands. Continuations are resumed and the thread is woken outside the lock.
  private let state = Locked(State(), rank: .leaf)

  /// Adds a message and waits until it is sent.
  ///
  /// - Parameter wake: Wakes the thread.
  func send(_ frame: WebSocketFrame, wake: @Sendable () -> Void) async throws {
    let bytes = frame.maskedBytes
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    defer { state.withLock { _ = $0.cancelledIDs.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let failure = state.withLock { $0.add(Message(id: id, bytes: bytes), id: id, continuation) }
        if let failure { continuation.resume(throwing: failure) } else { wake() }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Adds a control frame; a no-op when the connection is closing.
  func add(_ frame: WebSocketFrame) {
    let bytes = frame.maskedBytes
    state.withLock { state in
      if !state.isClosing { state.batch.messages.append(Message(id: nil, bytes: bytes)) }
    }
  }

  /// Adds the close frame; a no-op when the connection is closing.
  func close(_ frame: WebSocketFrame) {
    state.withLock { state in
      if !state.isClosing { state.batch.close = frame }
      state.isClosing = true
    }
  }

  /// Requests the end of the connection.
  func cancel() { state.withLock { $0.batch.isCancelled = true } }

  /// Pauses or continues reading.
  func setPaused(_ isPaused: Bool) { state.withLock { $0.batch.isPaused = isPaused } }

  /// Whether reading is paused.
  var isPaused: Bool { state.withLock { $0.batch.isPaused } }

  /// Returns the commands since the last call. Pauses and cancellations persist.
  func next() -> Batch {
    state.withLock { state in
      let batch = state.batch
      state.batch.messages = []
      state.batch.close = nil
      return batch
    }
  }

  /// Resumes the task that waits for a message to be sent.
  func finish(_ message: Message) {
    guard let id = message.id else { return }
    let continuation = state.withLock { $0.continuations.removeValue(forKey: id) }
    continuation?.resume()
  }

  /// Fails all waiting tasks, and later ones, with an error.
  func end(_ error: RelayError) {
    let continuations = state.withLock { state in
      if state.end == nil { state.end = error }
      state.isClosing = true
      state.batch.messages = []
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.resume(throwing: error) }
  }

  private func cancel(_ id: Int) {
    let continuation = state.withLock { state in
      let continuation = state.continuations.removeValue(forKey: id)
      if continuation == nil { state.cancelledIDs.insert(id) }
      state.batch.messages.removeAll { $0.id == id }
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}

extension WebSocketFrame {
  /// The bytes of the frame, masked with a random key.
  var maskedBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 14)
    write(to: &bytes, maskingKey: .random(in: 0 ... .max))
    return bytes
  }
}
