import Foundation

@testable import RelayLive
@testable import RelayStore

/// The server's side of a WebSocket connection, with its own script.
struct WebSocketPeer {
  static let subprotocol = "graphql-transport-ws"

  let exchange: RawServer.Exchange
  private var rest: [UInt8] = []

  /// Starts a server that runs a script for each connection and then closes it.
  static func server(
    _ script: @escaping @Sendable (inout WebSocketPeer) -> Void
  ) throws -> RawServer {
    try RawServer { exchange in
      var peer = WebSocketPeer(exchange)
      script(&peer)
      return false
    }
  }

  /// Starts a server that completes each handshake before it runs the script.
  static func openServer(
    _ script: @escaping @Sendable (inout WebSocketPeer) -> Void
  ) throws -> RawServer {
    try server { peer in
      peer.exchange.send(peer.acceptance)
      script(&peer)
    }
  }

  /// A server that echoes each message, and closes when the client does.
  static func echoServer() throws -> RawServer {
    try openServer { peer in
      while let (first, payload) = peer.next() {
        peer.send(first, payload)
        if first == 0x88 { return peer.exchange.waitForEnd() }
      }
    }
  }

  init(_ exchange: RawServer.Exchange) { self.exchange = exchange }

  /// The response that accepts the handshake.
  var acceptance: String {
    acceptance(
      key: exchange.request.firstRange(of: "Sec-WebSocket-Key: ").map {
        String(exchange.request[$0.upperBound...].prefix { !$0.isNewline })
      } ?? "")
  }

  private func acceptance(key: String) -> String {
    let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(Base64.encode(SHA1.hash(Array((key + guid).utf8))))",
      "Sec-WebSocket-Protocol: \(Self.subprotocol)", "", "",
    ].joined(separator: "\r\n")
  }

  /// Waits for the client's next frame: its first byte, and its unmasked payload.
  mutating func next() -> (first: UInt8, payload: [UInt8])? {
    guard let head = take(2) else { return nil }
    var length = Int(head[1] & 0x7F)
    if length > 125 {
      guard let bytes = take(length == 126 ? 2 : 8) else { return nil }
      length = bytes.reduce(0) { $0 << 8 | Int($1) }
    }
    guard head[1] & 0x80 != 0, let key = take(4), var payload = take(length) else { return nil }
    payload.withUnsafeMutableBufferPointer { bytes in
      for index in bytes.indices { bytes[index] ^= key[index & 3] }
    }
    return (head[0], payload)
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    while rest.count < count {
      guard let bytes = exchange.receive() else { return nil }
      rest += bytes
    }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  @discardableResult
  func send(_ first: UInt8, _ payload: [UInt8]) -> Bool {
    exchange.send(frameBytes(first, payload))
  }

  @discardableResult
  func send(_ first: UInt8, _ payload: String) -> Bool { send(first, Array(payload.utf8)) }
}

/// The events of a connection, for a test to await.
final class WebSocketRecorder: Sendable {
  /// A comparable event.
  enum Event: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    case pong([UInt8])
    case closed(UInt16, String, error: String?)
  }

  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  /// Yields an event; the last one ends the stream.
  @Sendable func receive(_ event: WebSocketConnectionEvent) {
    switch event {
    case .text(let text): continuation.yield(.text(String(decoding: text, as: UTF8.self)))
    case .binary(let bytes): continuation.yield(.binary(bytes))
    case .pong(let payload): continuation.yield(.pong(payload))
    case .message, .rejected: break
    case .closed(let end):
      let error = end.error.map { ($0 as? RelayError)?.message ?? "\($0)" }
      continuation.yield(.closed(end.code.rawValue, end.reason, error: error))
      continuation.finish()
    }
  }

  /// Waits for the next event; `nil` after the last.
  func next() async -> Event? {
    for await event in events { return event }
    return nil
  }

  /// Waits for the end, and returns all events up to it.
  func all() async -> [Event] {
    var all: [Event] = []
    for await event in events { all.append(event) }
    return all
  }
}
