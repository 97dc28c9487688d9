import Foundation
import RelayStore

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
    /// The session of streamed responses; `nil` before the first one.
    private let streams = Locked<SessionStreams?>(nil, rank: .leaf)

    init(session: URLSession) {
      isCopy = session.delegate == nil
      self.session =
        isCopy
        ? URLSession(
          configuration: session.configuration, delegate: RedirectRefusal(), delegateQueue: nil)
        : session
    }

    /// Creates a client with a session of its own, which has no cookies and no cache.
    convenience init(connectionsPerHost: Int) {
      self.init(session: URLSession(configuration: .isolated(connectionsPerHost)))
    }

    deinit {
      if isCopy { session.finishTasksAndInvalidate() }
      streams.withLock { $0 }?.session.finishTasksAndInvalidate()
    }

    /// Streams a response by a session of its own, whose tasks do not count toward the limit of
    /// connections. It has the configuration of the given session and not its delegate, because a
    /// session asks only one delegate.
    func stream(
      _ request: URLRequest, _ exchange: HTTPExchange,
      _ receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      let streams = streams.withLock { streams in
        let used = streams ?? SessionStreams(configuration: session.configuration)
        streams = used
        return used
      }
      let stream = SessionStream(exchange, timeout: .seconds(request.timeoutInterval))
      let (task, file) = try await streams.session.task(for: request.withoutTimeout, exchange)
      defer { withExtendedLifetime(file) {} }
      streams.delegate.add(stream, for: task)
      return try await stream.run(task, receive)
    }

    func send(_ request: URLRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse {
      let limiter = ResponseLimiter(exchange)
      do {
        let (data, response) = try await response(to: request, exchange, limiter)
        limiter.finish(received: data.count, of: response)
        var buffer = ResponseBuffer(byteLimit: exchange.byteLimit)
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

    private func response(
      to request: URLRequest, _ exchange: HTTPExchange, _ limiter: ResponseLimiter
    ) async throws -> (Data, URLResponse) {
      guard let body = exchange.body else {
        return try await session.data(for: request, delegate: limiter)
      }
      let file = try await SpooledBody(body)
      defer { withExtendedLifetime(file) {} }
      return try await session.upload(for: request, fromFile: file.url, delegate: limiter)
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
      var transferred = TransferProgress.Value()
      var isFinished = false
    }

    /// Guards the received part of the response. Progress is reported while it is held, so that
    /// values arrive in order; the task is cancelled after it is released.
    private let state: Locked<State>
    private let progress: TransferProgress?

    init(_ exchange: HTTPExchange) {
      state = Locked(State(buffer: ResponseBuffer(byteLimit: exchange.byteLimit)), rank: .consumer)
      progress = exchange.progress
    }

    /// Reports the whole body. The session returns it while calls of this delegate are still queued.
    func finish(received count: Int, of response: URLResponse) {
      state.withLock { state in
        state.isFinished = true
        state.transferred.received.count = 0
        state.transferred.addReceived(count, of: response)
        progress?.report(state.transferred)
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      guard let progress else { return }
      state.withLock { state in
        state.transferred.setSent(totalBytesSent, of: totalBytesExpectedToSend)
        progress.report(state.transferred)
      }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isEnded = state.withLock { state in
        if state.isFinished { return false }
        state.transferred.addReceived(data.count, of: dataTask.response)
        state.buffer.setHeader(from: dataTask.response)
        // The session buffers the body. Only a response that may be cut off is buffered here, too.
        if !state.buffer.response.isGraphQLResponse {
          data.withUnsafeBytes { state.buffer.append($0) }
        }
        state.buffer.checkSize(received: state.transferred.received.count)
        progress?.report(state.transferred)
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
  package final class SessionClient: HTTPClient {
    package let session: URLSession
    /// The session of streamed responses, which is another one if the client has made both.
    private let streamSession: URLSession
    private let ownsSessions: Bool

    package init(session: URLSession) {
      self.session = session
      streamSession = session
      ownsSessions = false
    }

    /// Creates a client with sessions of its own, which have no cookies and no cache. Streamed
    /// responses have one of theirs, so that they do not count toward the limit.
    package init(connectionsPerHost: Int) {
      session = URLSession(configuration: .isolated(connectionsPerHost))
      streamSession = URLSession(configuration: .isolated(Int(Int16.max)))
      ownsSessions = true
    }

    deinit {
      // A session that is not invalidated lives, with its connections, until the process ends.
      guard ownsSessions else { return }
      session.finishTasksAndInvalidate()
      streamSession.finishTasksAndInvalidate()
    }

    package func send(_ request: URLRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse
    {
      let transfer = SessionTransfer(exchange)
      let (task, file) = try await session.task(for: request, exchange)
      defer { withExtendedLifetime(file) {} }
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

    package func stream(
      _ request: URLRequest, _ exchange: HTTPExchange,
      _ receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      let stream = SessionStream(exchange, timeout: .seconds(request.timeoutInterval))
      let (task, file) = try await streamSession.task(for: request.withoutTimeout, exchange)
      defer { withExtendedLifetime(file) {} }
      task.delegate = stream
      return try await stream.run(task, receive)
    }
  }

  /// The delegate of one task. It follows no redirect, and cancels the task when the response
  /// exceeds the limits.
  private final class SessionTransfer: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      var buffer: ResponseBuffer
      var transferred = TransferProgress.Value()
      var continuation: CheckedContinuation<HTTPResponse, any Error>?
      /// The task's result. It is kept because the task may end before ``begin(_:)`` sets the
      /// continuation.
      var result: Result<HTTPResponse, any Error>?
    }

    /// Guards the response and the continuation, which is resumed after the lock is released.
    private let state: Locked<State>
    private let progress: TransferProgress?

    init(_ exchange: HTTPExchange) {
      state = Locked(State(buffer: ResponseBuffer(byteLimit: exchange.byteLimit)), rank: .leaf)
      progress = exchange.progress
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

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      guard let progress else { return }
      let value = state.withLock { state in
        state.transferred.setSent(totalBytesSent, of: totalBytesExpectedToSend)
        return state.transferred
      }
      progress.report(value)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let (isEnded, value) = state.withLock { state in
        state.transferred.addReceived(data.count, of: dataTask.response)
        state.buffer.setHeader(from: dataTask.response)
        data.withUnsafeBytes { state.buffer.append($0) }
        return (state.buffer.isEnded, state.transferred)
      }
      progress?.report(value)
      if isEnded { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let (continuation, result) = state.withLock { state in
        state.buffer.setHeader(from: task.response)
        let result = state.buffer.result(error)
        state.result = result
        defer { state.continuation = nil }
        return (state.continuation, result)
      }
      continuation?.resume(with: result)
    }
  }
#endif

extension URLSession {
  /// Creates a task for a request, and the file of its body, which must be kept until the task ends.
  fileprivate func task(
    for request: URLRequest, _ exchange: HTTPExchange
  ) async throws -> (task: URLSessionDataTask, file: SpooledBody?) {
    guard let body = exchange.body else { return (dataTask(with: request), nil) }
    let file = try await SpooledBody(body)
    return (uploadTask(with: request, fromFile: file.url), file)
  }
}

extension URLSessionConfiguration {
  /// Returns a configuration without cookies and a cache, and with a limit of connections to one
  /// host.
  ///
  /// An ephemeral configuration alone has both, in memory.
  fileprivate static func isolated(_ connectionsPerHost: Int) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = max(1, connectionsPerHost)
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    // A stream may last longer than the week that is the default.
    configuration.timeoutIntervalForResource = URLRequest.year
    return configuration
  }
}

extension URLRequest {
  /// The timeout of a request that has none. Larger numbers may overflow inside of a session.
  fileprivate static let year: TimeInterval = 365 * 24 * 60 * 60

  /// This request without a timeout (but a year), for a task whose delegate has a timer of its own.
  package var withoutTimeout: URLRequest {
    var request = self
    request.timeoutInterval = Self.year
    return request
  }
}

extension ResponseBuffer {
  /// The result of a session's task that ended with `error`.
  func result(_ error: (any Error)?) -> Result<HTTPResponse, any Error> {
    if let rejection { return .failure(rejection) }
    if let error, !isTruncated {
      let isCancelled = (error as? URLError)?.code == .cancelled
      return .failure(isCancelled ? CancellationError() : error)
    }
    return .success(response)
  }

  /// Sets the status and the header fields from a session's response, once.
  mutating func setHeader(from response: URLResponse?) {
    guard self.response.status == 0, let http = response as? HTTPURLResponse else { return }
    self.response.status = http.statusCode
    for case (let name as String, let value as String) in http.allHeaderFields {
      countHeaderLine(size: name.utf8.count + value.utf8.count)
      self.response.headers[name.lowercased()] = value
    }
  }
}

extension TransferProgress.Value {
  /// Sets the bytes sent, as a session reports them.
  mutating func setSent(_ count: Int64, of total: Int64) {
    sent = .init(Int(clamping: count), of: total >= 0 ? Int(clamping: total) : nil)
  }

  /// Adds received bytes of the body.
  mutating func addReceived(_ count: Int, of response: URLResponse?) {
    let total = response?.expectedContentLength ?? -1
    let (sum, isTooLarge) = received.count.addingReportingOverflow(count)
    received = .init(isTooLarge ? .max : sum, of: total >= 0 ? Int(clamping: total) : nil)
  }
}
