import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(FoundationNetworking)
  /// A client that sends with `URLSession`, for the Foundation whose sessions ask only the
  /// session's delegate about redirects, never the task's.
  ///
  /// A session without a delegate is copied with its proxies, caches and cookies; the delegate of
  /// the copy follows no redirect.
  final class SessionClient: HTTPClient {
    private let session: URLSession
    private let isCopy: Bool

    init(session: URLSession) {
      isCopy = session.delegate == nil
      self.session =
        isCopy
        ? URLSession(
          configuration: session.configuration, delegate: RedirectRefusal(), delegateQueue: nil)
        : session
    }

    deinit { if isCopy { session.finishTasksAndInvalidate() } }

    func send(_ request: URLRequest, byteLimit: Int) async throws -> HTTPAnswer {
      let guardian = SessionGuard(byteLimit: byteLimit)
      do {
        let (data, response) = try await session.data(for: request, delegate: guardian)
        var arriving = ArrivingAnswer(byteLimit: byteLimit)
        arriving.takeHead(response)
        data.withUnsafeBytes { arriving.append($0) }
        if let refusal = arriving.refusal { throw refusal }
        if !isCopy, response.url != request.url { arriving.answer.followedTo = response.url }
        return arriving.answer
      } catch let error as URLError {
        if let beginning = try guardian.beginning() { return beginning }
        throw error.code == .cancelled ? CancellationError() : error
      }
    }
  }

  /// The delegate of a session that follows no redirect.
  private final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }

  /// The delegate of one task. It cancels the task when the response exceeds the limits.
  private final class SessionGuard: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      var arriving: ArrivingAnswer
      var size = 0
    }

    /// Guards the received part of the response. The task is cancelled after the lock is released.
    private let state: Locked<State>

    init(byteLimit: Int) {
      state = Locked(State(arriving: ArrivingAnswer(byteLimit: byteLimit)), rank: .leaf)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isEnded = state.withLock { state in
        state.arriving.takeHead(dataTask.response)
        // The session buffers the body. Only a response that may be cut off is buffered here, too.
        if !state.arriving.answer.isResponse {
          data.withUnsafeBytes { state.arriving.append($0) }
        }
        state.size += data.count
        state.arriving.note(received: state.size)
        return state.arriving.isEnded
      }
      if isEnded { dataTask.cancel() }
    }

    /// Returns the received part of a response that was cut off; `nil` when the task was not
    /// cancelled here.
    ///
    /// - Throws: ``ArrivingAnswer/Refusal`` when the response was rejected.
    func beginning() throws -> HTTPAnswer? {
      let arriving = state.withLock { $0.arriving }
      if let refusal = arriving.refusal { throw refusal }
      return arriving.isCut ? arriving.answer : nil
    }
  }
#else
  /// A client that sends with `URLSession`.
  struct SessionClient: HTTPClient {
    let session: URLSession

    func send(_ request: URLRequest, byteLimit: Int) async throws -> HTTPAnswer {
      let transfer = SessionTransfer(byteLimit: byteLimit)
      let task = session.dataTask(with: request)
      task.delegate = transfer
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          transfer.begin(continuation)
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// The delegate of one task. It follows no redirect, and cancels the task when the response
  /// exceeds the limits.
  private final class SessionTransfer: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      var arriving: ArrivingAnswer
      var continuation: CheckedContinuation<HTTPAnswer, any Error>?
      /// The task's result. It is kept because the task may end before ``begin(_:)`` sets the
      /// continuation.
      var result: Result<HTTPAnswer, any Error>?
    }

    /// Guards the response and the continuation, which is resumed after the lock is released.
    private let state: Locked<State>

    init(byteLimit: Int) {
      state = Locked(State(arriving: ArrivingAnswer(byteLimit: byteLimit)), rank: .leaf)
    }

    func begin(_ continuation: CheckedContinuation<HTTPAnswer, any Error>) {
      let result = state.withLock { state in
        if state.result == nil { state.continuation = continuation }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isEnded = state.withLock { state in
        state.arriving.takeHead(dataTask.response)
        data.withUnsafeBytes { state.arriving.append($0) }
        return state.arriving.isEnded
      }
      if isEnded { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let (continuation, result) = state.withLock { state in
        state.arriving.takeHead(task.response)
        let result = Self.result(state.arriving, error)
        state.result = result
        defer { state.continuation = nil }
        return (state.continuation, result)
      }
      continuation?.resume(with: result)
    }

    private static func result(
      _ arriving: ArrivingAnswer, _ error: (any Error)?
    ) -> Result<HTTPAnswer, any Error> {
      if let refusal = arriving.refusal { return .failure(refusal) }
      if let error, !arriving.isCut {
        let isCancelled = (error as? URLError)?.code == .cancelled
        return .failure(isCancelled ? CancellationError() : error)
      }
      return .success(arriving.answer)
    }
  }
#endif

extension ArrivingAnswer {
  /// Sets the status and the header fields from a session's response, once.
  fileprivate mutating func takeHead(_ response: URLResponse?) {
    guard answer.status == 0, let http = response as? HTTPURLResponse else { return }
    answer.status = http.statusCode
    for case (let name as String, let value as String) in http.allHeaderFields {
      note(line: name.utf8.count + value.utf8.count)
      answer.headers[name.lowercased()] = value
    }
  }
}
