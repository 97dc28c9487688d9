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

    func send(_ request: URLRequest, byteLimit: Int) async throws -> HTTPResponse {
      let limiter = ResponseLimiter(byteLimit: byteLimit)
      do {
        let (data, response) = try await session.data(for: request, delegate: limiter)
        var buffer = ResponseBuffer(byteLimit: byteLimit)
        buffer.setHeader(from: response)
        data.withUnsafeBytes { buffer.append($0) }
        if let rejection = buffer.rejection { throw rejection }
        if !isCopy, response.url != request.url { buffer.response.finalURL = response.url }
        return buffer.response
      } catch let error as URLError {
        if let truncated = try limiter.truncatedResponse() { return truncated }
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
  private final class ResponseLimiter: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      var buffer: ResponseBuffer
      var size = 0
    }

    /// Guards the received part of the response. The task is cancelled after the lock is released.
    private let state: Locked<State>

    init(byteLimit: Int) {
      state = Locked(State(buffer: ResponseBuffer(byteLimit: byteLimit)), rank: .leaf)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isEnded = state.withLock { state in
        state.buffer.setHeader(from: dataTask.response)
        // The session buffers the body. Only a response that may be cut off is buffered here, too.
        if !state.buffer.response.isGraphQLResponse {
          data.withUnsafeBytes { state.buffer.append($0) }
        }
        state.size += data.count
        state.buffer.checkSize(received: state.size)
        return state.buffer.isEnded
      }
      if isEnded { dataTask.cancel() }
    }

    /// Returns the received part of a response that was cut off; `nil` when the task was not
    /// cancelled here.
    ///
    /// - Throws: ``ResponseBuffer/Rejection`` when the response was rejected.
    func truncatedResponse() throws -> HTTPResponse? {
      let buffer = state.withLock { $0.buffer }
      if let rejection = buffer.rejection { throw rejection }
      return buffer.isTruncated ? buffer.response : nil
    }
  }
#else
  /// A client that sends with `URLSession`.
  struct SessionClient: HTTPClient {
    let session: URLSession

    func send(_ request: URLRequest, byteLimit: Int) async throws -> HTTPResponse {
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
      var buffer: ResponseBuffer
      var continuation: CheckedContinuation<HTTPResponse, any Error>?
      /// The task's result. It is kept because the task may end before ``begin(_:)`` sets the
      /// continuation.
      var result: Result<HTTPResponse, any Error>?
    }

    /// Guards the response and the continuation, which is resumed after the lock is released.
    private let state: Locked<State>

    init(byteLimit: Int) {
      state = Locked(State(buffer: ResponseBuffer(byteLimit: byteLimit)), rank: .leaf)
    }

    func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
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
        state.buffer.setHeader(from: dataTask.response)
        data.withUnsafeBytes { state.buffer.append($0) }
        return state.buffer.isEnded
      }
      if isEnded { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let (continuation, result) = state.withLock { state in
        state.buffer.setHeader(from: task.response)
        let result = Self.result(state.buffer, error)
        state.result = result
        defer { state.continuation = nil }
        return (state.continuation, result)
      }
      continuation?.resume(with: result)
    }

    private static func result(
      _ buffer: ResponseBuffer, _ error: (any Error)?
    ) -> Result<HTTPResponse, any Error> {
      if let rejection = buffer.rejection { return .failure(rejection) }
      if let error, !buffer.isTruncated {
        let isCancelled = (error as? URLError)?.code == .cancelled
        return .failure(isCancelled ? CancellationError() : error)
      }
      return .success(buffer.response)
    }
  }
#endif

extension ResponseBuffer {
  /// Sets the status and the header fields from a session's response, once.
  fileprivate mutating func setHeader(from response: URLResponse?) {
    guard self.response.status == 0, let http = response as? HTTPURLResponse else { return }
    self.response.status = http.statusCode
    for case (let name as String, let value as String) in http.allHeaderFields {
      countHeaderLine(size: name.utf8.count + value.utf8.count)
      self.response.headers[name.lowercased()] = value
    }
  }
}
