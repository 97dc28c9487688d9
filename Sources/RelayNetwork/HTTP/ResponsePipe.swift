import RelayStore

/// An event of a response that is received as a stream.
package enum HTTPStreamEvent: Sendable {
  /// The status and the header fields; the body is empty. Precedes all bytes.
  case head(HTTPResponse)
  /// The next bytes of the body, after content decoding. They may be divided anywhere.
  case bytes([UInt8])
}

/// A bounded buffer between the client that receives a streamed response and the task that consumes
/// it.
///
/// The client never waits. While ``highWaterMark`` bytes are buffered it stops reading from the
/// socket, and goes on when the task has taken them. So at most that many bytes are buffered, those
/// that one read of the socket decodes to, and as many again that the task consumes.
package final class ResponsePipe: Sendable {
  private struct State {
    var head: HTTPResponse?
    var bytes: [UInt8] = []
    /// Whether the client has stopped reading.
    var isPaused = false
    /// The response without the bytes of a streamed body, or the reason why it is not complete.
    var end: Result<HTTPResponse, any Error>?
    /// Whether the task was cancelled.
    var isClosed = false
    /// The continuation of the task while nothing is buffered.
    var consumer: CheckedContinuation<Void, Never>?

    var hasNext: Bool { isClosed || head != nil || !bytes.isEmpty || end != nil }
  }

  private enum Next {
    case event(HTTPStreamEvent)
    case end(Result<HTTPResponse, any Error>)
  }

  /// The number of buffered bytes from which on the client stops reading.
  package static let highWaterMark = 256 * 1024

  /// Guards the events. The consumer is resumed after the lock is released.
  private let state = Locked(State(), rank: .leaf)

  package init() {}

  // MARK: The client

  /// Begins the stream with the head of the response.
  package func begin(_ head: HTTPResponse) { change { $0.head = head } }

  /// Appends bytes.
  ///
  /// - Parameter bytes: Read only during the call; the caller keeps them valid until it returns.
  package func append(_ bytes: UnsafeRawBufferPointer) {
    change { state in
      if !state.isClosed { state.bytes.append(contentsOf: bytes) }
    }
  }

  /// Ends the stream; a no-op when it has ended.
  package func end(_ result: Result<HTTPResponse, any Error>) {
    change { state in
      if state.end == nil { state.end = result }
    }
  }

  /// The number of buffered bytes.
  package var size: Int { state.withLock { $0.bytes.count } }

  /// Pauses the client if the buffer is full.
  ///
  /// - Returns: Whether the client shall stop reading.
  package func pauseIfFull() -> Bool {
    state.withLock { state in
      state.isPaused = state.bytes.count >= Self.highWaterMark && !state.isClosed
      return state.isPaused
    }
  }

  /// Ends the pause of the client if the task has taken the bytes.
  ///
  /// - Returns: Whether the client shall continue to read.
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
  ///   - receive: Called with one event after the other.
  /// - Returns: The response; its body is empty if it was streamed.
  /// - Throws: The error with which the stream ended, after all bytes before it; `CancellationError`
  ///   once it is closed; the error of `receive`.
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

  /// Closes the stream when its task is cancelled: nothing more is delivered.
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
