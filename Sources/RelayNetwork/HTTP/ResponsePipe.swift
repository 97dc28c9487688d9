import RelayStore

/// An event of a response received as a stream.
package enum HTTPStreamEvent: Sendable {
  /// The status and header fields; the body is empty. Precedes all bytes.
  case head(HTTPResponse)
  /// The next bytes of the body, after content decoding. Chunk boundaries are arbitrary.
  case bytes([UInt8])
}

/// A bounded buffer between the client that receives a streamed response and the task that consumes
/// it.
///
/// The client never blocks. When ``highWaterMark`` bytes are buffered, it stops reading from the
/// socket; it resumes when the task has taken them. The buffer can exceed the mark by the decoded
/// bytes of one socket read. The task may hold another buffer of that size.
package final class ResponsePipe: Sendable {
  private struct State {
    var head: HTTPResponse?
    var bytes: [UInt8] = []
    /// Whether the client has stopped reading.
    var isPaused = false
    /// The response, with an empty body if it was streamed, or the reason why it is incomplete.
    var end: Result<HTTPResponse, any Error>?
    /// Whether the task was cancelled.
    var isClosed = false
    /// The continuation of the waiting task while the buffer is empty.
    var consumer: CheckedContinuation<Void, Never>?

    var hasNext: Bool { isClosed || head != nil || !bytes.isEmpty || end != nil }
  }

  private enum Next {
    case event(HTTPStreamEvent)
    case end(Result<HTTPResponse, any Error>)
  }

  /// The buffer size, in bytes, that makes the client stop reading.
  package static let highWaterMark = 256 * 1024

  /// Guards the events. The consumer is resumed outside the lock.
  private let state = Locked(State(), rank: .leaf)

  package init() {}

  // MARK: The client

  /// Starts the stream with the head of the response.
  package func begin(_ head: HTTPResponse) { change { $0.head = head } }

  /// Appends bytes.
  ///
  /// - Parameter bytes: Read only during the call; the caller keeps them valid until it returns.
  package func append(_ bytes: UnsafeRawBufferPointer) {
    change { state in
      if !state.isClosed { state.bytes.append(contentsOf: bytes) }
    }
  }

  /// Ends the stream; a no-op when it has already ended.
  package func end(_ result: Result<HTTPResponse, any Error>) {
    change { state in
      if state.end == nil { state.end = result }
    }
  }

  /// The number of buffered bytes.
  package var size: Int { state.withLock { $0.bytes.count } }

  /// Pauses the client if the buffer is full.
  ///
  /// - Returns: Whether the client must stop reading.
  package func pauseIfFull() -> Bool {
    state.withLock { state in
      state.isPaused = state.bytes.count >= Self.highWaterMark && !state.isClosed
      return state.isPaused
    }
  }

  /// Ends the client's pause if the task has taken the bytes.
  ///
  /// - Returns: Whether the client can continue reading.
  package func endPause() -> Bool {
    state.withLock { state in
      guard state.isPaused, state.bytes.isEmpty || state.isClosed else { return false }
      state.isPaused = false
      return true
    }
  }

  /// Whether the client has stopped reading.
  var isPaused: Bool { state.withLock { $0.isPaused } }

  private func change(_ body: (inout State) -> Void) {
    let consumer = state.withLock { state in
      body(&state)
      defer { if state.hasNext { state.consumer = nil } }
      return state.hasNext ? state.consumer : nil
    }
    consumer?.resume()
  }

  // MARK: The task

  /// Passes the events to a closure until the stream ends.
  ///
  /// - Parameters:
  ///   - resume: Called when a paused client can continue.
  ///   - receive: Called with one event at a time.
  /// - Returns: The response; its body is empty if it was streamed.
  /// - Throws: The error that ended the stream, once all earlier bytes are delivered;
  ///   `CancellationError` once the stream is closed; any error thrown by `receive`.
  package func consume(
    resume: () -> Void, _ receive: (HTTPStreamEvent) async throws -> Void
  ) async throws -> HTTPResponse {
    while true {
      let (next, wasPaused) = take()
      if wasPaused { resume() }
      switch next {
      case .event(let event): try await receive(event)
      case .end(let result): return try result.get()
      case nil: await wait()
      }
    }
  }

  /// Closes the stream when its task is cancelled. No more events are delivered.
  package func close() {
    change { state in
      state.isClosed = true
      state.bytes = []
    }
  }

  /// Removes the next event.
  ///
  /// - Returns: The event, and whether the client may be able to continue.
  private func take() -> (next: Next?, wasPaused: Bool) {
    state.withLock { state in
      if state.isClosed { return (.end(.failure(CancellationError())), state.isPaused) }
      if let head = state.head {
        state.head = nil
        return (.event(.head(head)), false)
      }
      if state.bytes.isEmpty { return (state.end.map(Next.end), false) }
      defer { state.bytes = [] }
      return (.event(.bytes(state.bytes)), state.isPaused)
    }
  }

  private func wait() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.hasNext { state.consumer = continuation }
        return state.hasNext
      }
      if isReady { continuation.resume() }
    }
  }
}
