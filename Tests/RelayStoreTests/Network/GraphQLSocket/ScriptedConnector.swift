import Testing

@testable import RelayLive
@testable import RelayStore

/// A connector without sockets; the test plays the server.
final class ScriptedConnector: WebSocketConnector {
  /// The response to a connection request.
  enum Answer: Sendable {
    case open
    case fail(any Error)
    /// The connector does not respond until the attempt is cancelled.
    case silence
    /// The connection is opened later, even if the attempt is cancelled in the meantime.
    case late(Promise<Void>)
    /// The connection is open, and events arrive before the client receives it.
    case early([WebSocketConnectionEvent])
  }

  private struct State {
    var requests: [WebSocketRequest] = []
    var openCount = 0
    var maximumOpenCount = 0
  }

  private let state = Locked(State())
  private let answer: @Sendable (Int) -> Answer
  private let connections: AsyncStream<ScriptedConnection>
  private let continuation: AsyncStream<ScriptedConnection>.Continuation

  /// Creates a connector.
  ///
  /// - Parameter answer: Returns the response to a request, given the number of earlier requests.
  init(_ answer: @escaping @Sendable (Int) -> Answer = { _ in .open }) {
    self.answer = answer
    (connections, continuation) = AsyncStream.makeStream()
  }

  var requests: [WebSocketRequest] { state.withLock { $0.requests } }
  /// The number of connections that are open or opening.
  var openCount: Int { state.withLock { $0.openCount } }
  /// The largest number of simultaneous connections.
  var maximumOpenCount: Int { state.withLock { $0.maximumOpenCount } }

  func connect(
    to request: WebSocketRequest,
    receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
  ) async throws -> any WebSocketConnection {
    let index = state.withLock { state in
      state.requests.append(request)
      state.openCount += 1
      state.maximumOpenCount = max(state.maximumOpenCount, state.openCount)
      return state.requests.count - 1
    }
    let end: @Sendable () -> Void = { [self] in state.withLock { $0.openCount -= 1 } }
    switch answer(index) {
    case .open, .early: break
    case .late(let promise): await Task.detached { _ = try? await promise.value }.value
    case .fail(let error):
      end()
      throw error
    case .silence:
      defer { end() }
      return try await Promise<any WebSocketConnection>().value
    }
    let connection = ScriptedConnection(receive, end)
    if case .early(let events) = answer(index) {
      for event in events { connection.send(event) }
    }
    continuation.yield(connection)
    return connection
  }

  /// Waits for the next connection. Fails the test if none arrives.
  func next() async -> ScriptedConnection {
    for await connection in connections { return connection }
    Issue.record("There was no connection until the end of the test.")
    return ScriptedConnection({ _ in }, {})
  }

  /// Waits for the next connection, and acknowledges it after its initialization.
  func nextReady() async -> ScriptedConnection {
    let connection = await next()
    await connection.acknowledge()
    return connection
  }
}

/// A connection whose server is the test.
final class ScriptedConnection: WebSocketConnection {
  private struct State {
    /// Released at the end, like a socket's.
    var receive: (@Sendable (WebSocketConnectionEvent) -> Void)?
    var isPaused = false
    var isClosing = false
    var answersClose = true
    var blocksSending = false
    var ended = false
    var held: [WebSocketConnectionEvent] = []
    var pauseCount = 0
    var senders: [Promise<Void>] = []
  }

  let subprotocol: String? = "graphql-transport-ws"
  private let state: Locked<State>
  private let end: @Sendable () -> Void
  private let sent: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init(
    _ receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void,
    _ end: @escaping @Sendable () -> Void
  ) {
    state = Locked(State(receive: receive))
    self.end = end
    (sent, continuation) = AsyncStream.makeStream()
  }

  deinit { finish(WebSocketEnd(code: .abnormalClosure, error: CancellationError())) }

  private func receive(_ event: WebSocketConnectionEvent) {
    state.withLock { $0.receive }?(event)
  }

  // MARK: The client's side

  func send(_ text: [UInt8]) async throws {
    let promise = Promise<Void>()
    let (hasEnded, isBlocked) = state.withLock { state in
      if state.blocksSending, !state.ended { state.senders.append(promise) }
      return (state.ended, state.blocksSending)
    }
    if hasEnded { throw RelayError(.transport, "The connection has ended.") }
    if isBlocked { try await promise.value }
    continuation.yield(String(decoding: text, as: UTF8.self))
  }

  func ping(_ payload: [UInt8]) {}

  func close(code: WebSocketCloseCode, reason: String) {
    continuation.yield("close \(code.rawValue) \(reason)")
    let answers = state.withLock { state in
      state.isClosing = true
      return state.answersClose
    }
    if answers { finish(WebSocketEnd(code: code, reason: reason)) }
  }

  func cancel() {
    continuation.yield("cancel")
    finish(WebSocketEnd(code: .abnormalClosure, error: CancellationError()))
  }

  func pauseReading() {
    state.withLock { state in
      state.isPaused = true
      state.pauseCount += 1
    }
  }

  func resumeReading() {
    let held = state.withLock { state in
      state.isPaused = false
      defer { state.held = [] }
      return state.held
    }
    for event in held { receive(event) }
  }

  // MARK: The server's side

  var isPaused: Bool { state.withLock { $0.isPaused } }
  var pauseCount: Int { state.withLock { $0.pauseCount } }

  /// Leaves the client's close frames without a response.
  func ignoreClose() { state.withLock { $0.answersClose = false } }

  /// Blocks the client's messages.
  func blockSending() { state.withLock { $0.blocksSending = true } }

  /// Sends a string; it is held back while the client does not read.
  func send(_ text: String) { send(.text(Array(text.utf8))) }

  func send(_ event: WebSocketConnectionEvent) {
    if case .closed(let result) = event { return finish(result) }
    let passes = state.withLock { state in
      if state.ended || state.isClosing { return false }
      if state.isPaused { state.held.append(event) }
      return !state.isPaused
    }
    if passes { receive(event) }
  }

  func sendNext(_ id: String, _ data: String) {
    send(#"{"id":"\#(id)","type":"next","payload":{"data":\#(data)}}"#)
  }

  func sendUnauthenticated(_ id: String) {
    send(
      #"{"id":"\#(id)","type":"error","payload":[{"message":"No","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    )
  }

  /// Ends the connection with a close frame.
  func close(_ code: UInt16, _ reason: String = "") {
    finish(WebSocketEnd(code: WebSocketCloseCode(rawValue: code), reason: reason))
  }

  /// Ends the connection without a close frame.
  func lose() {
    finish(
      WebSocketEnd(
        code: .abnormalClosure, error: RelayError(.transport, "The connection was lost.")))
  }

  /// Waits for the client's next message; "close …" or "cancel" if the client ends the connection.
  func received() async -> String {
    for await text in sent { return text }
    return "end"
  }

  /// Waits for the initialization, and acknowledges it.
  func acknowledge() async {
    _ = await received()
    send(#"{"type":"connection_ack"}"#)
  }

  /// Waits for a `subscribe` message.
  ///
  /// - Returns: The id of the operation.
  func subscribed() async -> String {
    let text = await received()
    let json = try? JSONValue(parsing: Array(text.utf8))
    return json?["type"]?.string == "subscribe" ? json?["id"]?.string ?? "" : "not \(text)"
  }

  private func finish(_ result: WebSocketEnd) {
    let senders = state.withLock { state -> [Promise<Void>]? in
      if state.ended { return nil }
      state.ended = true
      defer { state.senders = [] }
      return state.senders
    }
    guard let senders else { return }
    for sender in senders {
      sender.fulfill(.failure(RelayError(.transport, "The connection has ended.")))
    }
    continuation.finish()
    end()
    receive(.closed(result))
    state.withLock { $0.receive = nil }
  }
}
