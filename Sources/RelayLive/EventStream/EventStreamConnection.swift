import RelayNetwork
import RelayStore

/// An event stream that carries several operations, used like a WebSocket connection.
///
///     opening  →  open | ended
///     open     →  ended
///
/// - opening: the stream was requested.
/// - open: the server has started the stream.
/// - ended: the stream was lost, failed to start, or was cancelled.
final class EventStreamConnection: WebSocketConnection {
  private struct State {
    /// The caller of ``open()``; `nil` unless the stream is opening.
    var opener: CheckedContinuation<Void, any Error>?
    /// The task that receives the stream.
    var task: Task<Void, Never>?
    /// The tasks that start operations.
    var posts: [WebSocketOperationID: Task<Void, Never>] = [:]
    /// Whether operations may have started, so that events are expected.
    var isInitialized = false
    var isCancelled = false
    /// The failure of an operation that ended the stream.
    var failure: RelayError?
    var isPaused = false
    /// The receiving task while reading is paused.
    var reader: CheckedContinuation<Void, Never>?
  }

  let subprotocol: String? = nil
  private let endpoint: EventStreamEndpoint
  private let token: String
  private let watch: StreamWatch
  private let receive: @Sendable (WebSocketConnectionEvent) -> Void
  /// Continuations are resumed and events passed on outside the lock.
  private let state = Locked(State(), rank: .leaf)

  /// Creates a connection for a reserved stream.
  init(
    _ endpoint: EventStreamEndpoint, token: String, clock: any Clock<Duration>,
    _ receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
  ) {
    self.endpoint = endpoint
    self.token = token
    self.receive = receive
    watch = StreamWatch(clock)
  }

  // MARK: The stream

  /// Opens the stream. Returns as soon as the server has started it.
  func open() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The task is cancelled outside the lock, because its cancellation handlers take locks.
        let cancelled = state.withLock { state in
          state.opener = continuation
          let task = Task { await run() }
          state.task = task
          return state.isCancelled ? task : nil
        }
        cancelled?.cancel()
      }
    } onCancel: {
      cancel()
    }
  }

  private func run() async {
    let error: any Error
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { [self] in
          try await endpoint.open(token) { step in
            try await self.watch.process(step) { try await self.take(step) }
          }
          throw connectionLostError("the server ended it")
        }
        group.addTask { [self] in
          try await watch.end()
          var error = connectionLostError("the server was silent for too long")
          error.isTimeout = true
          throw error
        }
        defer { group.cancelAll() }
        try await group.next()
      }
      error = CancellationError()
    } catch let failure {
      error = failure
    }
    end(error)
  }

  private func connectionLostError(_ reason: String) -> RelayError {
    var error = RelayError(
      .transport, "The event stream of \(endpoint.host) was lost, because \(reason).")
    error.isRetryable = true
    return error
  }

  private func end(_ error: any Error) {
    let (opener, failure) = state.withLock { state in
      defer { state.opener = nil }
      return (state.opener, state.failure)
    }
    cancel()
    if let opener {
      opener.resume(throwing: failure ?? error)
    } else {
      receive(.closed(WebSocketEnd(code: .abnormalClosure, error: failure ?? error)))
    }
  }

  private func take(_ step: HTTPTransport.StreamStep) async throws {
    let (opener, isInitialized) = state.withLock { state in
      defer { if case .head = step { state.opener = nil } }
      return (state.opener, state.isInitialized)
    }
    switch step {
    case .head: opener?.resume()
    // No event is expected before the first operation.
    case .message(.event(let event)) where isInitialized: try await take(event)
    case .message, .whole, .end: break
    }
  }

  private func take(_ event: ServerSentEvent) async throws {
    while state.withLock({ $0.isPaused && !$0.isCancelled }) { await waitForReading() }
    let message: WebSocketServerMessage?
    do {
      message = try WebSocketServerMessage(event)
    } catch {
      throw connectionLostError("it received \(error)")
    }
    if let message { receive(.message(message)) }
  }

  private func waitForReading() async {
    await withCheckedContinuation { continuation in
      let isPaused = state.withLock { state in
        let isPaused = state.isPaused && !state.isCancelled
        if isPaused { state.reader = continuation }
        return isPaused
      }
      if !isPaused { continuation.resume() }
    }
  }

  // MARK: Operations

  func send(_ message: WebSocketClientMessage) async throws {
    switch message {
    case .initialization:
      state.withLock { $0.isInitialized = true }
      receive(.message(.acknowledgement))
    case .subscribe(let id, let request): begin(id, request)
    case .complete(let id): end(id)
    case .ping, .pong: break
    }
  }

  private func begin(_ id: WebSocketOperationID, _ request: GraphQLRequest) {
    state.withLock { state in
      if state.isCancelled { return }
      state.posts[id] = Task { [self] in
        do throws(ConnectionFailure) {
          try await endpoint.begin(id, request, token: token)
        } catch {
          fail(id, error)
        }
        self.state.withLock { $0.posts[id] = nil }
      }
    }
  }

  private func fail(_ id: WebSocketOperationID, _ failure: ConnectionFailure) {
    let isLost = failure.consequence == .retry
    let isCancelled = state.withLock { state in
      if isLost, !state.isCancelled { state.failure = failure.error }
      return state.isCancelled
    }
    // The operations of an ended stream start again in the next one.
    if isCancelled { return }
    // Without a response, it is unknown whether the operation has started.
    if isLost { cancel() } else { receive(.rejected(id, failure)) }
  }

  /// Ends an operation at the server. Waits for the request that starts the operation first: if
  /// that arrived later, the operation would never end.
  private func end(_ id: WebSocketOperationID) {
    let post = state.withLock { $0.posts[id] }
    Task { [endpoint, token] in
      await post?.value
      await endpoint.end(id, token: token)
    }
  }

  // MARK: The rest of the protocol

  func close(code: WebSocketCloseCode, reason: String) { cancel() }

  func cancel() {
    let (task, posts, reader) = state.withLock { state in
      state.isCancelled = true
      defer { state.reader = nil }
      return (state.task, state.posts.values.map(\.self), state.reader)
    }
    task?.cancel()
    for post in posts { post.cancel() }
    reader?.resume()
  }

  func pauseReading() { state.withLock { $0.isPaused = true } }

  func resumeReading() {
    let reader = state.withLock { state in
      state.isPaused = false
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  /// Not used: event streams carry messages, not bytes.
  func send(_ text: [UInt8]) async throws {}

  /// Not used: heartbeats and a `StreamWatch` replace pings.
  func ping(_ payload: [UInt8]) {}
}

/// Opens event streams that carry several operations.
struct EventStreamConnector: WebSocketConnector {
  let endpoint: EventStreamEndpoint
  let clock: any Clock<Duration>

  func connect(
    to request: WebSocketRequest,
    receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
  ) async throws -> any WebSocketConnection {
    let token = try await endpoint.reserve()
    let connection = EventStreamConnection(endpoint, token: token, clock: clock, receive)
    try await connection.open()
    return connection
  }
}
