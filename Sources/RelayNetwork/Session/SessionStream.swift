#if URLSESSION
  import Foundation
  import RelayStore

  #if canImport(FoundationNetworking)
    import FoundationNetworking
    import RelayNetwork
  #endif

  /// The delegate of one task. It never follows redirects.
  final class SessionStream: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      var buffer: ResponseBuffer
      var transferred = TransferProgress.Value()
      /// Whether the body is passed on as it arrives.
      var isStreaming = false
      var isSuspended = false
      /// The time of the last activity.
      var lastActivity = ContinuousClock.now
      /// The longest time without data; `nil` leaves the limit to the session.
      var timeout: Duration?
    }

    /// Guards the response. The pipe's lock is taken, and the task suspended and resumed, under
    /// this lock, so that the task is suspended exactly while the pipe is paused.
    private let state: Locked<State>
    private let pipe = ResponsePipe()
    private let streamTimeout: Duration?
    private let isPassedOn: Bool
    private let byteLimit: Int
    private let progress: TransferProgress?

    /// - Parameters:
    ///   - timeout: The longest time without data until the head of a streamed response; `nil`
    ///     leaves it to the session.
    ///   - isPassedOn: Whether the body of a streamed response is passed on as it arrives.
    init(_ exchange: HTTPExchange, timeout: Duration?, isPassedOn: Bool) {
      state = Locked(
        State(
          buffer: ResponseBuffer(byteLimit: exchange.byteLimit), timeout: timeout?.clampedForSleep),
        rank: .consumer)
      self.isPassedOn = isPassedOn
      streamTimeout = exchange.streamTimeout?.clampedForSleep
      byteLimit = max(0, exchange.byteLimit)
      progress = exchange.progress
    }

    /// Runs the task and passes on its response; see ``HTTPClient/stream(_:_:_:)``.
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
              // The stream timeout applies from here on.
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

    /// Ends the pipe, and with it the task, when no data is sent or received within the timeout. A
    /// suspended task is not idle.
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

    /// Sets the head, once, and starts streaming if the response is a stream.
    private func begin(_ state: inout State, _ response: URLResponse?) {
      guard state.buffer.response.status == 0 else { return }
      state.buffer.setHeader(from: response)
      state.lastActivity = .now
      guard isPassedOn, state.buffer.response.isStreamed else { return }
      state.isStreaming = true
      state.timeout = streamTimeout
      pipe.begin(state.buffer.response)
    }

    private func suspendIfFull(_ task: URLSessionTask, _ state: inout State) {
      #if canImport(FoundationNetworking)
        // Foundation on Linux restarts a suspended task, so a slow consumer's backlog is bounded
        // instead.
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

  extension ResponseBuffer {
    /// Returns the result of a session task that ended with `error`.
    fileprivate func result(_ error: (any Error)?) -> Result<HTTPResponse, any Error> {
      if let rejection { return .failure(rejection) }
      if let error, !isTruncated {
        let isCancelled = (error as? URLError)?.code == .cancelled
        return .failure(isCancelled ? CancellationError() : error)
      }
      return .success(response)
    }

    /// Sets the status and header fields from a session's response, once. Ignores interim
    /// responses; Foundation on Linux passes them on as well.
    fileprivate mutating func setHeader(from response: URLResponse?) {
      guard self.response.status == 0, let http = response as? HTTPURLResponse,
        http.statusCode >= 200
      else { return }
      self.response.status = http.statusCode
      for case (let name as String, let value as String) in http.allHeaderFields {
        countHeaderLine(size: name.utf8.count + value.utf8.count)
        self.response.headers[name.lowercased()] = value
      }
    }
  }

  extension TransferProgress.Value {
    /// Sets the bytes sent, as a session reports them.
    fileprivate mutating func setSent(_ count: Int64, of total: Int64) {
      sent = .init(Int(clamping: count), of: total >= 0 ? Int(clamping: total) : nil)
    }

    /// Adds received bytes of the body.
    fileprivate mutating func addReceived(_ count: Int, of response: URLResponse?) {
      let total = response?.expectedContentLength ?? -1
      let (sum, isTooLarge) = received.count.addingReportingOverflow(count)
      received = .init(isTooLarge ? .max : sum, of: total >= 0 ? Int(clamping: total) : nil)
    }
  }
#endif
