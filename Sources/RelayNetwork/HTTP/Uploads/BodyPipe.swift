#if os(Linux) && canImport(Glibc)
  import RelayStore

  /// A bounded buffer between the task that reads a stream and the thread that sends it.
  ///
  /// The task waits while two chunks are buffered. The thread never waits: it is told to pause, and
  /// woken when there is another chunk.
  final class BodyPipe: Sendable {
    private struct State {
      var chunks: [[UInt8]] = []
      /// The number of bytes of the first chunk that were read.
      var offset = 0
      /// The end of the stream, or the error with which it could not be read.
      var end: Result<Void, any Error>?
      /// Whether the reader waits to be woken.
      var isPaused = false
      /// Whether the reader has stopped.
      var isClosed = false
      var writer: CheckedContinuation<Void, any Error>?
    }

    private static let chunkLimit = 2

    /// Guards the chunks. The writer is resumed, and the reader woken, after the lock is released.
    private let state = Locked(State(), rank: .leaf)
    private let wake: @Sendable () -> Void

    /// Creates an empty pipe.
    ///
    /// - Parameter wake: Called when a paused reader can read again.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Whether a paused reader can read again.
    var isReadable: Bool { state.withLock { $0.isPaused && (!$0.chunks.isEmpty || $0.end != nil) } }

    /// Copies the next bytes into a buffer.
    ///
    /// - Returns: The number of bytes, 0 at the end; `nil` when the next ones are awaited.
    /// - Throws: The error with which the stream could not be read.
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

    /// Appends a chunk that is not empty, and waits until there is room for another.
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

    /// Stops reading, and ends the writer's wait.
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
