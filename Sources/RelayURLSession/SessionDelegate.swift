#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import RelayStore

  /// The delegate of a session whose tasks have delegates of their own, which this Foundation does
  /// not ask.
  final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Guards the streams by the identifiers of their tasks. A stream is called, and released, after
    /// the lock is released.
    private let streams = Locked<[Int: SessionStream]>([:], rank: .leaf)
    /// The delegate of the app's session.
    private let next: (any URLSessionDelegate)?

    /// - Parameter next: The delegate that answers challenges; `nil` leaves them to the session.
    init(_ next: (any URLSessionDelegate)?) { self.next = next }

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
