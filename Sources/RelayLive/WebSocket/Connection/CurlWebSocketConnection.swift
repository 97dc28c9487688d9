#if os(Linux) && canImport(Glibc)
  import RelayNetwork
  import RelayStore
  import Foundation

  extension CurlClient: WebSocketConnector {
    func connect(
      to request: WebSocketRequest,
      receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
    ) async throws -> any WebSocketConnection {
      let commands = WebSocketCommands()
      // The other thread limits connections per host, and a WebSocket would occupy one forever.
      guard let thread = try? threads().streams else { throw RelayError.noWebSocket }
      let socket: CurlWebSocket
      do {
        socket = try CurlWebSocket(
          request, commands, by: thread.curl, certificates: certificates, receive: receive)
      } catch {
        throw RelayError(webSocket: error, url: request.url)
      }
      let subprotocol = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          socket.opening = continuation
          thread.start(socket)
        }
      } onCancel: {
        commands.cancel()
        thread.wake()
      }
      return CurlWebSocketConnection(commands, thread, subprotocol: subprotocol)
    }
  }

  /// An open connection served by a client's thread.
  final class CurlWebSocketConnection: WebSocketConnection {
    let subprotocol: String?
    private let commands: WebSocketCommands
    private let thread: CurlThread

    init(_ commands: WebSocketCommands, _ thread: CurlThread, subprotocol: String?) {
      self.commands = commands
      self.thread = thread
      self.subprotocol = subprotocol
    }

    deinit { cancel() }

    func send(_ text: [UInt8]) async throws {
      try await commands.send(.text(text), wake: thread.wake)
    }

    func ping(_ payload: [UInt8]) {
      commands.add(.ping(payload))
      thread.wake()
    }

    func close(code: WebSocketCloseCode, reason: String) {
      commands.close(.close(code, reason: reason))
      thread.wake()
    }

    func cancel() {
      commands.cancel()
      thread.wake()
    }

    func pauseReading() { commands.setPaused(true) }

    func resumeReading() {
      commands.setPaused(false)
      thread.wake()
    }
  }
#endif
