#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import RelayStore

  /// The session delegate on Linux, where Foundation never calls a task's delegate. Forwards each
  /// callback to the stream of its task.
  final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The streams by task identifier. Streams are called and released outside the lock.
    private let streams = Locked<[Int: SessionStream]>([:], rank: .leaf)
    /// The delegate of the app's session.
    private let next: (any URLSessionDelegate)?

    /// - Parameter next: The delegate that handles authentication challenges; `nil` leaves them to
    ///   the session.
    init(_ next: (any URLSessionDelegate)?) { self.next = next }

    /// Returns a delegate for another session.
    func makeCopy() -> SessionDelegate { SessionDelegate(next) }

    /// Adds a stream; it is removed when its task ends.
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
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (
          URLSession.AuthChallengeDisposition, URLCredential?
        ) -> Void
    ) {
      guard let next = next as? any URLSessionTaskDelegate else {
        return completionHandler(.performDefaultHandling, nil)
      }
      next.urlSession(
        session, task: task, didReceive: challenge, completionHandler: completionHandler)
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
      let stream = streams.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      stream?.urlSession(session, task: task, didCompleteWithError: error)
    }
  }
#endif
