#if URLSESSION
  import Foundation
  import RelayStore

  #if canImport(FoundationNetworking)
    import FoundationNetworking
    import RelayNetwork
  #endif

  /// A client that sends with `URLSession`.
  package final class SessionClient: HTTPClient {
    package let session: URLSession
    /// The session of streamed responses; a separate session when the client has created both.
    private let streamSession: URLSession
    private let ownsSessions: Bool

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - session: The session to send with. On Linux, Foundation calls only a session's delegate,
    ///     never a task's, so the client uses copies of the session with its own delegates. With
    ///     `nil`, the client creates sessions without cookies and cache.
    ///   - connectionsPerHost: The connection limit of the client's own session. Streamed responses
    ///     use a separate session and do not count toward it.
    package init(_ session: URLSession?, connectionsPerHost: Int) {
      #if !canImport(FoundationNetworking)
        if let session {
          (self.session, streamSession, ownsSessions) = (session, session, false)
          return
        }
      #endif
      func make(limit: Int?) -> URLSession {
        let configuration = session?.configuration ?? .isolated(connectionsPerHost)
        if let limit { configuration.httpMaximumConnectionsPerHost = limit }
        #if canImport(FoundationNetworking)
          return URLSession(
            configuration: configuration, delegate: SessionDelegate(session?.delegate),
            delegateQueue: nil)
        #else
          return URLSession(configuration: configuration)
        #endif
      }
      self.session = make(limit: nil)
      streamSession = make(limit: Int(Int16.max))
      ownsSessions = true
    }

    deinit {
      // A session that is not invalidated lives, with its connections, until the process ends.
      guard ownsSessions else { return }
      session.finishTasksAndInvalidate()
      streamSession.finishTasksAndInvalidate()
    }

    package func send(
      _ request: HTTPRequest, _ exchange: HTTPExchange
    ) async throws -> HTTPResponse {
      let stream = SessionStream(exchange, timeout: nil, isPassedOn: false)
      return try await run(
        stream, of: URLRequest(request), body: exchange.body, by: session(for: request, session),
        receive: { _ in })
    }

    package func stream(
      _ request: HTTPRequest, _ exchange: HTTPExchange,
      _ receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      let stream = SessionStream(exchange, timeout: request.timeout, isPassedOn: true)
      return try await run(
        stream, of: URLRequest(request).withoutTimeout, body: exchange.body,
        by: session(for: request, streamSession), receive: receive)
    }

    /// Returns the session that sends a request.
    ///
    /// Apple's session sends a POST once. FoundationNetworking's resends it when a reused connection
    /// is closed without a response, so a request that may be sent only once gets a new session.
    private func session(for request: HTTPRequest, _ session: URLSession) -> URLSession {
      #if canImport(FoundationNetworking)
        if !request.isIdempotent, let delegate = session.delegate as? SessionDelegate {
          return URLSession(
            configuration: session.configuration, delegate: delegate.makeCopy(), delegateQueue: nil)
        }
      #endif
      return session
    }

    private func run(
      _ stream: SessionStream, of request: URLRequest, body: RequestBody?, by session: URLSession,
      receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      var file: SpooledBody?
      if let body { file = try await SpooledBody(body) }
      // The file must outlive the task; releasing it removes it.
      defer {
        withExtendedLifetime(file) {}
        if session !== self.session, session !== streamSession {
          session.finishTasksAndInvalidate()
        }
      }
      let task =
        file.map { session.uploadTask(with: request, fromFile: $0.url) }
        ?? session.dataTask(with: request)
      #if canImport(FoundationNetworking)
        (session.delegate as? SessionDelegate)?.add(stream, for: task)
      #else
        task.delegate = stream
      #endif
      return try await stream.run(task, receive)
    }
  }

  extension URLSessionConfiguration {
    /// Returns a configuration without cookies and cache, and with a limit of connections per host.
    ///
    /// An ephemeral configuration alone has both in memory.
    fileprivate static func isolated(_ connectionsPerHost: Int) -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpMaximumConnectionsPerHost = max(1, connectionsPerHost)
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      // A stream may outlast the default of one week.
      configuration.timeoutIntervalForResource = URLRequest.year
      return configuration
    }
  }

  extension URLRequest {
    /// The timeout of a request without one. Larger numbers may overflow inside the session.
    fileprivate static let year: TimeInterval = 365 * 24 * 60 * 60

    fileprivate init(_ request: HTTPRequest) {
      self.init(url: request.url, timeoutInterval: request.timeout / .seconds(1))
      httpMethod = request.method
      httpBody = request.body.map { Data($0) }
      for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }

    /// This request with a timeout of a year, for a task whose delegate has its own timer.
    package var withoutTimeout: URLRequest {
      var request = self
      request.timeoutInterval = Self.year
      return request
    }
  }
#endif
