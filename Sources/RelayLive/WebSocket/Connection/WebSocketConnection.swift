import Foundation
import RelayNetwork
import RelayStore

/// A request for a WebSocket connection.
struct WebSocketRequest: Sendable {
  /// The URL, with the scheme `ws` or `wss`, or the equivalent `http` or `https`.
  var url: URL
  /// The header fields of the handshake.
  var headers: [String: String] = [:]
  /// The subprotocols to choose from, by preference. Unless empty, the server must choose one.
  var subprotocols: [String] = []
  /// The maximum number of bytes of a received message.
  var messageByteLimit = 16 * 1024 * 1024
  /// The maximum time to open the connection.
  var timeout: Duration = .seconds(30)
  /// The maximum time of the closing handshake, and of receiving the body of a rejection.
  var closingTimeout: Duration = .seconds(5)
}

/// A factory of WebSocket connections.
protocol WebSocketConnector: Sendable {
  /// Opens a connection.
  ///
  /// - Parameter receive: Called with each event, in order and one at a time, on a thread shared
  ///   with other connections: it must return soon. Events may arrive before this function returns.
  ///   The last one is ``WebSocketConnectionEvent/closed(_:)``; it occurs exactly once if the
  ///   connection was opened, and never otherwise.
  /// - Throws: ``RelayError`` with code `transport`, with the response's status if the server
  ///   rejects the request; `CancellationError` when the task is cancelled.
  func connect(
    to request: WebSocketRequest,
    receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
  ) async throws -> any WebSocketConnection
}

/// An open WebSocket connection. Releasing the last reference closes it without a close frame.
protocol WebSocketConnection: AnyObject, Sendable {
  /// The subprotocol that the server chose.
  var subprotocol: String? { get }

  /// Sends a text message. Returns when the system has accepted it.
  ///
  /// Messages are sent in the order of the calls.
  ///
  /// - Parameter text: The message in UTF-8.
  /// - Throws: ``RelayError`` with code `transport` when the connection has ended or
  ///   ``close(code:reason:)`` was called; `CancellationError` when the task is cancelled. A
  ///   message whose sending has started is still sent.
  func send(_ text: [UInt8]) async throws

  /// Sends a protocol message; see ``send(_:)-([UInt8])``.
  func send(_ message: WebSocketClientMessage) async throws

  /// Sends a ping. The server responds with a pong.
  ///
  /// - Parameter payload: Up to 125 bytes, repeated by the pong.
  func ping(_ payload: [UInt8])

  /// Closes the connection after the messages already being sent. No more messages are received.
  /// The connection ends when the server has responded, or after the request's time limit.
  func close(code: WebSocketCloseCode, reason: String)

  /// Ends the connection at once, without a close frame.
  func cancel()

  /// Stops reading from the connection, so that the server has to wait. Messages already read, up
  /// to 64 KiB and the one after them, may still be received.
  func pauseReading()

  /// Continues reading from the connection.
  func resumeReading()
}

extension WebSocketConnection {
  func send(_ message: WebSocketClientMessage) async throws { try await send(message.bytes) }
}

/// An event of an open WebSocket connection. The connection itself responds to pings.
enum WebSocketConnectionEvent: Sendable {
  /// A text message in valid UTF-8.
  case text([UInt8])
  case binary([UInt8])
  /// The response to a ping.
  case pong([UInt8])
  /// A protocol message from a connection that is not a WebSocket.
  case message(WebSocketServerMessage)
  /// The server rejected an operation without sending a protocol message.
  case rejected(WebSocketOperationID, ConnectionFailure)
  /// The end of the connection.
  case closed(WebSocketEnd)
}

/// The end of a WebSocket connection.
struct WebSocketEnd: Sendable {
  /// The code of the server's close frame; `noStatusReceived` if the frame had no code, and
  /// `abnormalClosure` without a close frame.
  var code: WebSocketCloseCode
  /// The reason in the server's close frame.
  var reason = ""
  /// The error that ended the connection; `nil` after a close frame from the server and after
  /// ``WebSocketConnection/close(code:reason:)``.
  var error: (any Error)?
}
