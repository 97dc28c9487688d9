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
    /// The session of streamed responses, which is another one if the client has made both.
    private let streamSession: URLSession
    private let ownsSessions: Bool

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - session: The session to send with. Foundation on Linux asks only a session's delegate,
    ///     never a task's: there the client has copies of the session, with delegates of its own.
    ///     `nil` for sessions of the client's own, which have no cookies and no cache.
    ///   - connectionsPerHost: The limit of connections of the client's own session. Streamed
    ///     responses have one of theirs, so that they do not count toward it.
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
        stream, of: URLRequest(request), body: exchange.body, by: session, receive: { _ in })
    }

    package func stream(
      _ request: HTTPRequest, _ exchange: HTTPExchange,
      _ receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      let stream = SessionStream(exchange, timeout: request.timeout, isPassedOn: true)
      return try await run(
        stream, of: URLRequest(request).withoutTimeout, body: exchange.body, by: streamSession,
        receive: receive)
    }

    private func run(
      _ stream: SessionStream, of request: URLRequest, body: RequestBody?, by session: URLSession,
      receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      var file: SpooledBody?
      if let body { file = try await SpooledBody(body) }
      // The file is removed when it is released.
      defer { withExtendedLifetime(file) {} }
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

    fileprivate init(_ request: HTTPRequest) {
      self.init(url: request.url, timeoutInterval: request.timeout / .seconds(1))
      httpMethod = request.method
      httpBody = request.body.map { Data($0) }
      for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }

    /// This request without a timeout (but a year), for a task whose delegate has a timer of its own.
    package var withoutTimeout: URLRequest {
      var request = self
      request.timeoutInterval = Self.year
      return request
    }
  }
#endif
