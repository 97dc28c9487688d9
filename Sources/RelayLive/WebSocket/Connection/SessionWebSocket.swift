#if canImport(Darwin)
  import RelayNetwork
  import RelayStore
  import Foundation

  extension SessionClient: WebSocketConnector {
    func connect(
      to request: WebSocketRequest,
      receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
    ) async throws -> any WebSocketConnection {
      guard let http = URLRequest(request) else {
        throw RelayError(webSocket: URLError(.unsupportedURL), url: request.url)
      }
      let socket = SessionWebSocket(request, receive: receive)
      let own = session.delegate == nil ? session.copy(delegate: socket) : nil
      let task = (own ?? session).webSocketTask(with: http.withoutTimeout)
      // The app's session delegate handles callbacks that the task's delegate does not implement,
      // such as authentication challenges for pinned certificates.
      if own == nil { task.delegate = socket }
      task.maximumMessageSize = request.messageByteLimit
      let timer = Task {
        try await Task.sleep(for: request.timeout.clampedForSleep)
        socket.failOpening(URLError(.timedOut))
        task.cancel()
      }
      defer { timer.cancel() }
      let subprotocol = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          socket.begin(continuation)
          task.resume()
          // The session retains its delegate until its only task ends.
          own?.finishTasksAndInvalidate()
        }
      } onCancel: {
        socket.failOpening(CancellationError())
        task.cancel()
      }
      return SessionWebSocketConnection(socket, task, subprotocol: subprotocol)
    }
  }

  extension URLSession {
    /// Returns a session with the same configuration and a different delegate.
    fileprivate func copy(delegate: any URLSessionDelegate) -> URLSession {
      URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }
  }

  extension URLRequest {
    /// Creates the request of a handshake; `nil` when the URL is neither a WebSocket nor an HTTP
    /// URL.
    fileprivate init?(_ request: WebSocketRequest) {
      guard let origin = WebSocketOrigin(request.url),
        var components = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
      else { return nil }
      components.scheme = origin.scheme == "https" ? "wss" : "ws"
      guard let url = components.url else { return nil }
      self.init(url: url)
      for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
      if !request.subprotocols.isEmpty {
        setValue(
          request.subprotocols.joined(separator: ", "),
          forHTTPHeaderField: "Sec-WebSocket-Protocol")
      }
    }
  }

  /// The delegate of a connection. It never follows redirects.
  private final class SessionWebSocket: NSObject, URLSessionWebSocketDelegate, Sendable {
    private struct State {
      var opening: CheckedContinuation<String?, any Error>?
      /// The result of opening the connection; it may arrive before ``begin(_:)``.
      var opened: Result<String?, any Error>?
      var isPaused = false
      var isReceiving = false
      /// Whether the app is closing the connection and receives no more messages.
      var isClosing = false
      var isCancelled = false
      var end: WebSocketEnd?
      /// The first receive error.
      var failure: (any Error)?
    }

    /// Guards the state. Continuations are resumed and the task is used outside the lock.
    private let state = Locked(State(), rank: .leaf)
    private let request: WebSocketRequest
    private let receive: @Sendable (WebSocketConnectionEvent) -> Void

    init(
      _ request: WebSocketRequest,
      receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
    ) {
      self.request = request
      self.receive = receive
    }

    func begin(_ continuation: CheckedContinuation<String?, any Error>) {
      let opened = state.withLock { state in
        if state.opened == nil { state.opening = continuation }
        return state.opened
      }
      if let opened { continuation.resume(with: opened) }
    }

    /// Ends the connection with an error unless it has opened.
    func failOpening(_ error: any Error) {
      let failure =
        error is CancellationError ? error : RelayError(webSocket: error, url: request.url)
      endOpening(.failure(failure))
    }

    /// - Returns: Whether this is the first result.
    @discardableResult
    private func endOpening(_ result: Result<String?, any Error>) -> Bool {
      let (isFirst, continuation) = state.withLock { state in
        defer { state.opening = nil }
        if state.opened != nil { return (false, state.opening) }
        state.opened = result
        return (true, state.opening)
      }
      if isFirst { continuation?.resume(with: result) }
      return isFirst
    }

    // MARK: The user's side

    func closes() { state.withLock { $0.isClosing = true } }

    func cancels() {
      state.withLock { state in
        state.isClosing = true
        state.isCancelled = true
      }
    }

    func pause() { state.withLock { $0.isPaused = true } }

    func resume(_ task: URLSessionWebSocketTask) {
      state.withLock { $0.isPaused = false }
      receiveNext(task)
    }

    // MARK: The session's side

    private func receiveNext(_ task: URLSessionWebSocketTask) {
      let receives = state.withLock { state in
        if state.isPaused || state.isReceiving || state.failure != nil { return false }
        state.isReceiving = true
        return true
      }
      guard receives else { return }
      task.receive { result in
        let isClosing = self.state.withLock { state in
          state.isReceiving = false
          if case .failure(let error) = result { state.failure = error }
          return state.isClosing
        }
        if !isClosing {
          switch result {
          case .success(.string(let text)): self.receive(.text(Array(text.utf8)))
          case .success(.data(let bytes)): self.receive(.binary(Array(bytes)))
          default: break
          }
        }
        self.receiveNext(task)
      }
    }

    func receivePong(_ payload: [UInt8]) { receive(.pong(payload)) }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didOpenWithProtocol subprotocol: String?
    ) {
      let isOffered =
        subprotocol.map(request.subprotocols.contains) ?? request.subprotocols.isEmpty
      if isOffered, endOpening(.success(subprotocol)) { return receiveNext(webSocketTask) }
      if !isOffered { failOpening(WebSocketHandshakeError.wrongSubprotocol(subprotocol)) }
      webSocketTask.cancel()
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      let code = UInt16(exactly: closeCode.rawValue).map(WebSocketCloseCode.init)
      let end = WebSocketEnd(
        code: code ?? .noStatusReceived,
        reason: String(decoding: reason ?? Data(), as: UTF8.self))
      state.withLock { $0.end = end }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let http = task.response as? HTTPURLResponse
      if let http, http.statusCode != 101 {
        failOpening(WebSocketRejection(response: WebSocketHandshakeResponse(http)))
      } else {
        failOpening(error ?? URLError(.networkConnectionLost))
      }
      let state = state.withLock { $0 }
      guard case .success = state.opened else { return }
      receive(.closed(end(state, error)))
    }

    private func end(_ state: State, _ error: (any Error)?) -> WebSocketEnd {
      if state.isCancelled {
        return WebSocketEnd(code: .abnormalClosure, error: CancellationError())
      }
      if let end = state.end { return end }
      let failure = state.failure ?? error ?? URLError(.networkConnectionLost)
      return WebSocketEnd(
        code: .abnormalClosure,
        error: state.isClosing ? nil : RelayError(webSocket: failure, url: request.url))
    }
  }

  /// An open connection of a session.
  private final class SessionWebSocketConnection: WebSocketConnection {
    let subprotocol: String?
    private let socket: SessionWebSocket
    private let task: URLSessionWebSocketTask

    init(_ socket: SessionWebSocket, _ task: URLSessionWebSocketTask, subprotocol: String?) {
      self.socket = socket
      self.task = task
      self.subprotocol = subprotocol
    }

    deinit { cancel() }

    func send(_ text: [UInt8]) async throws {
      try Task.checkCancellation()
      do {
        try await task.send(.string(String(decoding: text, as: UTF8.self)))
      } catch {
        throw RelayError(
          .transport, "The WebSocket connection has ended.", underlying: error)
      }
    }

    func ping(_ payload: [UInt8]) {
      // A session's ping does not take a payload from the app.
      task.sendPing { [socket] error in
        if error == nil { socket.receivePong(payload) }
      }
    }

    func close(code: WebSocketCloseCode, reason: String) {
      socket.closes()
      let frame = WebSocketFrame.close(code, reason: reason)
      task.cancel(
        with: .init(rawValue: Int(code.rawValue)) ?? .normalClosure,
        reason: Data(frame.payload.dropFirst(2)))
    }

    func cancel() {
      socket.cancels()
      task.cancel()
    }

    func pauseReading() { socket.pause() }

    func resumeReading() { socket.resume(task) }
  }

  extension WebSocketHandshakeResponse {
    /// Creates a response from a session's response, without a body.
    fileprivate init(_ response: HTTPURLResponse) {
      var headers: [String: String] = [:]
      for case (let name as String, let value as String) in response.allHeaderFields {
        headers[name.lowercased()] = value
      }
      self.init(status: response.statusCode, headers: headers)
    }
  }
#endif
