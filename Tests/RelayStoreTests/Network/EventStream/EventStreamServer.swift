import Foundation
import RelayLive
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

/// A server for the single connection mode on the loopback interface.
///
/// It follows the protocol unless the test chooses another response, and sends the events that the
/// test requests.
final class EventStreamServer: Sendable {
  /// A summary of a request.
  struct Request: Equatable, Sendable, CustomStringConvertible {
    var method: String
    /// The number of earlier requests with the same method.
    var index: Int
    var token: String?
    var operation: String?
    var text: String
    /// Whether the server ended the connection without a response.
    var isHungUp = false

    var description: String {
      [method, token, operation].compactMap(\.self).joined(separator: " ")
    }

    /// The value of a header field; `nil` if it is absent.
    func field(_ name: String) -> String? {
      let lines = text.components(separatedBy: "\r\n")
      return lines.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }

  enum Answer: Sendable {
    /// The response that the protocol prescribes.
    case standard
    case response(String)
    /// The connection ends without a response.
    case hangUp
    /// The server does not respond before the client ends the connection.
    case silence
    /// The server responds when the gate opens, following the protocol.
    case late(WireGate)
  }

  private struct State {
    var counts: [String: Int] = [:]
    /// The open streams by token. A connection is open while it is in this dictionary.
    var streams: [String: RawServer.Exchange] = [:]
    var newest: String?
    var maximumStreamCount = 0
    var requests: [Request] = []
  }

  let raw: RawServer
  private let state: Locked<State>
  private let requests: AsyncStream<Request>
  private let continuation: AsyncStream<Request>.Continuation

  /// - Parameters:
  ///   - head: The head of each event stream.
  ///   - answer: Returns the response to a request.
  init(
    head: String = StreamWire.head,
    _ answer: @escaping @Sendable (Request) -> Answer = { _ in .standard }
  ) throws {
    let state = Locked(State())
    let (requests, continuation) = AsyncStream<Request>.makeStream()
    (self.state, self.requests, self.continuation) = (state, requests, continuation)
    raw = try RawServer { exchange in
      var request = Self.parse(exchange.request, state)
      let answer = answer(request)
      if case .silence = answer {
        continuation.yield(request)
        exchange.waitForEnd()
        return false
      }
      if case .hangUp = answer {
        request.isHungUp = true
        continuation.yield(request)
        return false
      }
      if case .response(let text) = answer {
        defer { continuation.yield(request) }
        return exchange.send(text)
      }
      if case .late(let gate) = answer {
        continuation.yield(request)
        gate.waitOnThread()
      }
      return Self.respond(exchange, request, head, state) { [request] in
        if case .standard = answer { continuation.yield(request) }
      }
    }
  }

  private static func parse(_ text: String, _ state: borrowing Locked<State>) -> Request {
    let line = text.prefix { $0 != "\r\n" }.split(separator: " ")
    var request = Request(method: String(line[0]), index: 0, text: text)
    request.token = request.field("X-GraphQL-Event-Stream-Token")
    if let id = line[1].split(separator: "?operationId=").dropFirst().first {
      request.operation = String(id)
    } else if let body = text.components(separatedBy: "\r\n\r\n").last?.utf8, !body.isEmpty {
      let json = try? JSONValue(parsing: Array(body))
      request.operation = json?["extensions"]?["operationId"]?.string
    }
    return state.withLock { state in
      request.index = state.counts[request.method, default: 0]
      state.counts[request.method, default: 0] += 1
      state.requests.append(request)
      return request
    }
  }

  private static func respond(
    _ exchange: RawServer.Exchange, _ request: Request, _ head: String,
    _ state: borrowing Locked<State>, _ done: () -> Void
  ) -> Bool {
    let answer: String? =
      switch request.method {
      case "PUT": Wire.response([], "token\(request.index)", status: "201 Created")
      case "POST": Wire.response([], "", status: "202 Accepted")
      case "DELETE": Wire.response([], "")
      default: nil
      }
    if let answer {
      // The test gets the requests in order: a later one is parsed after the lock is released.
      state.withLock { _ in
        exchange.send(answer)
        done()
      }
      return true
    }
    let token = request.token ?? ""
    // No other request gets a response before the head is sent.
    state.withLock { state in
      exchange.send(head)
      state.streams[token] = exchange
      state.newest = token
      state.maximumStreamCount = max(state.maximumStreamCount, state.streams.count)
      done()
    }
    while exchange.receive() != nil {}
    state.withLock { state in
      state.streams[token] = nil
      if state.newest == token { state.newest = nil }
    }
    return false
  }

  // MARK: The test

  /// The number of open streams.
  var streamCount: Int { state.withLock { $0.streams.count } }
  var maximumStreamCount: Int { state.withLock { $0.maximumStreamCount } }
  /// All requests to date.
  var allRequests: [Request] { state.withLock { $0.requests } }

  /// Waits for the next request, including its response if there is one. Fails the test if none
  /// arrives.
  func next() async -> Request { await next { _ in true } }

  /// Waits for the next request with a method, skipping others.
  func next(_ method: String) async -> Request { await next { $0.method == method } }

  private func next(where isWanted: (Request) -> Bool) async -> Request {
    for await request in requests where isWanted(request) { return request }
    Issue.record("There was no request until the end of the test.")
    return Request(method: "", index: 0, text: "")
  }

  /// Waits for a number of requests.
  func next(_ count: Int) async -> [String] {
    var result: [String] = []
    while result.count < count { result.append(await next().description) }
    return result
  }

  /// The connection of the newest stream.
  var stream: RawServer.Exchange? {
    state.withLock { state in state.newest.flatMap { state.streams[$0] } }
  }

  /// Sends bytes in the newest stream, without chunks.
  func send(raw bytes: some Sequence<UInt8>) {
    state.withLock { state in
      if let exchange = state.newest.flatMap({ state.streams[$0] }) { exchange.send(bytes) }
    }
  }

  /// Sends a string in the newest stream.
  func send(_ text: String) { send(raw: StreamWire.chunk(text)) }

  func event(_ operation: String, _ payload: String) {
    send("event: next\ndata: {\"id\":\"\(operation)\",\"payload\":\(payload)}\n\n")
  }

  func complete(_ operation: String) {
    send("event: complete\ndata: {\"id\":\"\(operation)\"}\n\n")
  }

  /// Ends the newest stream.
  func hangUp() {
    state.withLock { state in
      if let token = state.newest { state.streams[token]?.hangUp() }
    }
  }

  /// Ends the newest stream by ending its body.
  func finish() {
    // A single critical section: the client may open the next stream in the meantime.
    state.withLock { state in
      guard let exchange = state.newest.flatMap({ state.streams[$0] }) else { return }
      exchange.send(StreamWire.end)
      exchange.hangUp()
    }
  }

  /// Waits until no stream is open.
  func settle() async throws { try await eventually(0) { [self] in streamCount } }

  func stop() { raw.stop() }

  /// Returns a transport to this server that does not wait between attempts.
  func transport(
    random: Double = 0, timeout: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(),
    bufferByteLimit: Int = 1 << 20, eventByteLimit: Int = 1 << 20,
    headers: @escaping @Sendable () async throws -> [String: String] = { [:] },
    refresh: (@Sendable () async throws -> Void)? = nil
  ) -> EventStreamTransport {
    EventStreamTransport(
      over: HTTPTransport(url: raw.url, timeout: timeout), headers: headers, refresh: refresh,
      bufferByteLimit: bufferByteLimit, eventByteLimit: eventByteLimit, clock: clock,
      random: { random })
  }
}
