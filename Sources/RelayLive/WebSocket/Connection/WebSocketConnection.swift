import Foundation
import RelayNetwork
import RelayStore

/// A request for a WebSocket connection.
struct WebSocketRequest: Sendable {
  /// The URL, with the scheme `ws` or `wss`, or its equivalent `http` or `https`.
  var url: URL
  /// The header fields of the handshake.
  var headers: [String: String] = [:]
  /// The subprotocols to choose from, by preference. If there are any, the server has to choose one.
  var subprotocols: [String] = []
  /// The maximum number of bytes of a received message.
  var messageByteLimit = 16 * 1024 * 1024
  /// The maximum time until the connection is open.
  var timeout: Duration = .seconds(30)
  /// The maximum time of the closing handshake, and of receiving the body of a rejection.
  var closingTimeout: Duration = .seconds(5)
}

/// Opens WebSocket connections.
protocol WebSocketConnector: Sendable {
  /// Opens a connection.
  ///
  /// - Parameter receive: Called with each event, one at a time and in their order, on a thread that
  ///   serves other connections too: it must return soon. Events may arrive before this function
  ///   returns. The last one is ``WebSocketConnectionEvent/closed(_:)``; it occurs exactly once if
  ///   the connection was opened, and never otherwise.
  /// - Throws: ``RelayError`` with code `transport`, with the status of the server's answer if it
  ///   rejects the request; `CancellationError` when the task was cancelled.
  func connect(
    to request: WebSocketRequest,
    receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
  ) async throws -> any WebSocketConnection
}

/// An open WebSocket connection. It is closed without a close frame when its last reference is
/// released.
protocol WebSocketConnection: AnyObject, Sendable {
  /// The subprotocol that the server chose.
  var subprotocol: String? { get }

  /// Sends a text message, and returns when the system has accepted it.
  ///
  /// Messages are sent in the order of the calls.
  ///
  /// - Parameter text: The text in UTF-8.
  /// - Throws: ``RelayError`` with code `transport` when the connection has ended before, or
  ///   ``close(code:reason:)`` was called; `CancellationError` when the task was cancelled, after
  ///   which the message is sent nevertheless if sending it has begun.
  func send(_ text: [UInt8]) async throws

  /// Sends a message of the protocol; see ``send(_:)-([UInt8])``.
  func send(_ message: WebSocketClientMessage) async throws

  /// Sends a ping, which the server answers with a pong.
  ///
  /// - Parameter payload: Up to 125 bytes, which the pong repeats.
  func ping(_ payload: [UInt8])

  /// Closes the connection after the messages that are being sent. No message is received from then
  /// on. The connection ends when the server has answered, or after the request's time limit.
  func close(code: WebSocketCloseCode, reason: String)

  /// Ends the connection at once, without a close frame.
  func cancel()

  /// Stops reading from the connection, so that the server has to wait. The messages that were read
  /// already, up to 64 KiB and the one behind them, may still be received.
  func pauseReading()

  /// Continues to read from the connection.
  func resumeReading()
}

extension WebSocketConnection {
  func send(_ message: WebSocketClientMessage) async throws { try await send(message.bytes) }
}

/// An event of an open WebSocket connection. Pings are answered by the connection itself.
enum WebSocketConnectionEvent: Sendable {
  /// A text message in UTF-8, which is valid.
  case text([UInt8])
  case binary([UInt8])
  /// The answer to a ping.
  case pong([UInt8])
  /// A message of the protocol, from a connection that is not a WebSocket.
  case message(WebSocketServerMessage)
  /// The server has rejected an operation in another way than by a message.
  case rejected(WebSocketOperationID, WebSocketFailure)
  /// The end of the connection.
  case closed(WebSocketEnd)
}

/// The end of a WebSocket connection.
struct WebSocketEnd: Sendable {
  /// The code of the server's close frame; `noStatusReceived` if that had none, and
  /// `abnormalClosure` if there was no close frame.
  var code: WebSocketCloseCode
  /// The reason in the server's close frame.
  var reason = ""
  /// The error that ended the connection; `nil` after a close frame of the server, and after
  /// ``WebSocketConnection/close(code:reason:)``.
  var error: (any Error)?
}
