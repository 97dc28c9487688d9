#if os(Linux) && canImport(Glibc)
  import RelayStore

  /// A bounded buffer between the task that reads a stream and the thread that sends it.
  ///
  /// The task waits while two chunks are buffered. The thread never blocks: when the buffer is
  /// empty, it pauses only this transfer, and is woken when another chunk arrives.
  final class BodyPipe: Sendable {
    private struct State {
      var chunks: [[UInt8]] = []
      /// The number of bytes already read from the first chunk.
      var offset = 0
      /// The end of the stream, or its read error.
      var end: Result<Void, any Error>?
      /// Whether the reader is waiting to be woken.
      var isPaused = false
      /// Whether the reader has stopped.
      var isClosed = false
      var writer: CheckedContinuation<Void, any Error>?
    }

    private static let chunkLimit = 2

    /// Guards the chunks. The writer is resumed and the reader woken outside the lock.
    private let state = Locked(State(), rank: .leaf)
    private let wake: @Sendable () -> Void

    /// Creates an empty pipe.
    ///
    /// - Parameter wake: Called when a paused reader can read again.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Whether a paused reader can continue.
    var isReadable: Bool { state.withLock { $0.isPaused && (!$0.chunks.isEmpty || $0.end != nil) } }

    /// Copies the next bytes to a buffer.
    ///
    /// - Returns: The number of bytes, 0 at the end; `nil` while the next bytes are pending.
    /// - Throws: The error that ended the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
      let (count, writer) = try state.withLock {
        state -> (Int?, CheckedContinuation<Void, any Error>?) in
        state.isPaused = false
        guard let chunk = state.chunks.first else {
          if let end = state.end {
            try end.get()
            return (0, nil)
          }
          state.isPaused = true
          return (nil, nil)
        }
        let count = min(buffer.count, chunk.count - state.offset)
        chunk[state.offset..<state.offset + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
        state.offset += count
        guard state.offset == chunk.count else { return (count, nil) }
        state.chunks.removeFirst()
        state.offset = 0
        defer { state.writer = nil }
        return (count, state.writer)
      }
      writer?.resume()
      return count
    }

    /// Appends a non-empty chunk, then waits until there is room for another.
    ///
    /// - Throws: `CancellationError` when the reader has stopped.
    func write(_ chunk: [UInt8]) async throws {
      let wakes = state.withLock { state in
        state.chunks.append(chunk)
        return state.isPaused
      }
      if wakes { wake() }
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if state.isClosed { return .failure(CancellationError()) }
          if state.chunks.count < Self.chunkLimit { return .success(()) }
          state.writer = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    }

    /// Ends the stream.
    func end(_ result: Result<Void, any Error>) {
      let wakes = state.withLock { state in
        state.end = result
        return state.isPaused
      }
      if wakes { wake() }
    }

    /// Stops reading and ends the writer's wait.
    func close() {
      let writer = state.withLock { state in
        state.isClosed = true
        state.chunks = []
        defer { state.writer = nil }
        return state.writer
      }
      writer?.resume(throwing: CancellationError())
    }
  }
#endif
