import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(FoundationNetworking)
  /// Foundation's own client, where a session asks its own delegate alone about redirects.
  ///
  /// A session without one is copied, with its proxies, caches and cookies, so that it has one that follows none.
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
        data.withUnsafeBytes { arriving.append($0.bindMemory(to: UInt8.self)) }
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

  /// The delegate of one task, which ends the task when its answer exceeds the limits.
  private final class SessionGuard: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      var arriving: ArrivingAnswer
      var size = 0
    }

    private let state: Locked<State>

    init(byteLimit: Int) {
      state = Locked(State(arriving: ArrivingAnswer(byteLimit: byteLimit)), rank: .leaf)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isEnded = state.withLock { state in
        state.arriving.takeHead(dataTask.response)
        // The session holds what it has received; only of what will be cut off something is held here.
        if !state.arriving.answer.isResponse {
          data.withUnsafeBytes { state.arriving.append($0.bindMemory(to: UInt8.self)) }
        }
        state.size += data.count
        state.arriving.note(received: state.size)
        return state.arriving.isEnded
      }
      if isEnded { dataTask.cancel() }
    }

    /// What was received of an answer that was cut off; `nil` when the task was not ended here.
    func beginning() throws -> HTTPAnswer? {
      let arriving = state.withLock { $0.arriving }
      if let refusal = arriving.refusal { throw refusal }
      return arriving.isCut ? arriving.answer : nil
    }
  }
#else
  /// Foundation's own client.
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

  /// The delegate of one task, which follows no redirect and ends the task when its answer exceeds the limits.
  private final class SessionTransfer: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      var arriving: ArrivingAnswer
      var continuation: CheckedContinuation<HTTPAnswer, any Error>?
      /// How the task has ended; kept when that was before the continuation came.
      var result: Result<HTTPAnswer, any Error>?
    }

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
        data.withUnsafeBytes { state.arriving.append($0.bindMemory(to: UInt8.self)) }
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
  /// Takes the head of a session's answer, once.
  fileprivate mutating func takeHead(_ response: URLResponse?) {
    guard answer.status == 0, let http = response as? HTTPURLResponse else { return }
    answer.status = http.statusCode
    for case (let name as String, let value as String) in http.allHeaderFields {
      note(line: name.utf8.count + value.utf8.count)
      answer.headers[name.lowercased()] = value
    }
  }
}
