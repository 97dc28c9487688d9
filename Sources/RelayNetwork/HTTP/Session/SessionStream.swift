import Foundation
import RelayStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of one task whose response may be streamed. It follows no redirect.
final class SessionStream: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    var buffer: ResponseBuffer
    var transferred = TransferProgress.Value()
    /// Whether the body is passed on while it is received.
    var isStreaming = false
    var isSuspended = false
    /// The time at which data was last sent or received.
    var lastActivity = ContinuousClock.now
    /// The longest time without data; `nil` for no limit.
    var timeout: Duration?
  }

  /// Guards the response. The pipe's lock is taken, and the task suspended and resumed, while it is
  /// held, so that the task is suspended exactly while the pipe is paused.
  private let state: Locked<State>
  private let pipe = ResponsePipe()
  private let streamTimeout: Duration?
  private let byteLimit: Int
  private let progress: TransferProgress?

  /// - Parameter timeout: The longest time without data until the head of a streamed response.
  init(_ exchange: HTTPExchange, timeout: Duration) {
    state = Locked(
      State(
        buffer: ResponseBuffer(byteLimit: exchange.byteLimit), timeout: timeout.clampedForSleep),
      rank: .consumer)
    streamTimeout = exchange.streamTimeout?.clampedForSleep
    byteLimit = max(0, exchange.byteLimit)
    progress = exchange.progress
  }

  /// Runs the task, and passes its response on; see ``HTTPClient/stream(_:_:_:)``.
  func run(
    _ task: URLSessionTask, _ receive: (HTTPStreamEvent) async throws -> Void
  ) async throws -> HTTPResponse {
    var timer = Task { await endWhenIdle() }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      task.resume()
      do {
        return try await pipe.consume(resume: { resumeIfPossible(task) }) { event in
          if case .head = event {
            // The timeout is another one from here on.
            timer.cancel()
            timer = Task { await endWhenIdle() }
          }
          try await receive(event)
        }
      } catch {
        pipe.close()
        task.cancel()
        throw error
      }
    } onCancel: {
      pipe.close()
      task.cancel()
    }
  }

  /// Ends the pipe, and thereby the task, when no data is sent or received for longer than the
  /// timeout. A suspended task is not idle.
  private func endWhenIdle() async {
    while !Task.isCancelled {
      let deadline = state.withLock { state in
        if state.isSuspended { state.lastActivity = .now }
        return state.timeout.map { state.lastActivity + $0 }
      }
      guard let deadline else { return }
      if deadline <= .now {
        let text = "The request timed out."
        let error = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: text])
        return pipe.end(.failure(error))
      }
      try? await Task.sleep(until: deadline, clock: .continuous)
    }
  }

  private func resumeIfPossible(_ task: URLSessionTask) {
    state.withLock { state in
      guard state.isSuspended, pipe.endPause() else { return }
      state.isSuspended = false
      task.resume()
    }
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    let value = state.withLock { state in
      state.lastActivity = .now
      state.transferred.setSent(totalBytesSent, of: totalBytesExpectedToSend)
      return state.transferred
    }
    progress?.report(value)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    state.withLock { begin(&$0, response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (isEnded, value) = state.withLock { state in
      begin(&state, dataTask.response)
      state.lastActivity = .now
      state.transferred.addReceived(data.count, of: dataTask.response)
      if state.isStreaming {
        data.withUnsafeBytes { pipe.append($0) }
        suspendIfFull(dataTask, &state)
      } else {
        data.withUnsafeBytes { state.buffer.append($0) }
      }
      return (state.buffer.isEnded, state.transferred)
    }
    progress?.report(value)
    if isEnded { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let result = state.withLock { state in
      begin(&state, task.response)
      return state.buffer.result(error)
    }
    pipe.end(result)
  }

  /// Sets the head, once, and begins to stream if it is that of a stream.
  private func begin(_ state: inout State, _ response: URLResponse?) {
    guard state.buffer.response.status == 0 else { return }
    state.buffer.setHeader(from: response)
    state.lastActivity = .now
    guard state.buffer.response.isStreamed else { return }
    state.isStreaming = true
    state.timeout = streamTimeout
    pipe.begin(state.buffer.response)
  }

  private func suspendIfFull(_ task: URLSessionTask, _ state: inout State) {
    #if canImport(FoundationNetworking)
      // That Foundation restarts a suspended task. What a slow consumer leaves is bounded instead.
      if pipe.size > ResponsePipe.highWaterMark, pipe.size > byteLimit {
        state.buffer.rejectBacklog()
      }
    #else
      guard pipe.pauseIfFull(), !state.isSuspended else { return }
      state.isSuspended = true
      task.suspend()
    #endif
  }
}

#if canImport(FoundationNetworking)
  /// A session whose tasks stream their responses, and its delegate.
  struct SessionStreams: Sendable {
    let session: URLSession
    let delegate = SessionStreamDelegate()

    /// Creates a session.
    ///
    /// - Parameter configuration: The configuration of another session; this one has no limit of
    ///   connections.
    init(configuration: URLSessionConfiguration) {
      configuration.httpMaximumConnectionsPerHost = Int(Int16.max)
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }
  }

  /// The delegate of a session whose tasks have delegates of their own, which this Foundation does
  /// not ask.
  final class SessionStreamDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Guards the streams by the identifiers of their tasks. A stream is called after the lock is
    /// released.
    private let streams = Locked<[Int: SessionStream]>([:], rank: .leaf)

    /// Adds a stream until its task ends.
    func add(_ stream: SessionStream, for task: URLSessionTask) {
      streams.withLock { $0[task.taskIdentifier] = stream }
    }

    private func stream(of task: URLSessionTask) -> SessionStream? {
      streams.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      stream(of: task)?.urlSession(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let stream = stream(of: dataTask) else { return completionHandler(.cancel) }
      stream.urlSession(
        session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      stream(of: dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      stream(of: task)?.urlSession(session, task: task, didCompleteWithError: error)
      streams.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) }
    }
  }
#endif
