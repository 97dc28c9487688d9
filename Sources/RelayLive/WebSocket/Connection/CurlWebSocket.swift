#if os(Linux) && canImport(Glibc)
  import RelayNetwork
  import RelayStore
  import Foundation

  /// A WebSocket connection over a raw libcurl connection, optionally encrypted by TLS and tunneled
  /// through a proxy.
  ///
  ///     connecting  →  upgrading | ended
  ///     upgrading   →  open | ended
  ///     open        →  closing | ended
  ///     closing     →  ended
  ///
  /// - connecting: libcurl is establishing the connection.
  /// - upgrading: the server has not responded to the handshake.
  /// - open: messages are exchanged.
  /// - closing: either side has started the closing handshake, or the server has violated the
  ///   protocol.
  /// - ended: the final phase.
  ///
  /// `@unchecked Sendable`: ``CurlClient`` hands a new connection to its ``CurlThread`` under the
  /// thread's lock, and only that thread uses it afterwards. ``WebSocketCommands`` has its own
  /// lock.
  final class CurlWebSocket: CurlSocket, @unchecked Sendable {
    private enum Phase { case connecting, upgrading, open, closing, ended }

    /// The number of buffers read before other connections get their turn.
    private static let readLimit = 16

    let easy: CurlEasy
    var handle: LibCurl.Handle { easy.handle }
    /// The continuation of the opening task, resumed with the subprotocol.
    var opening: CheckedContinuation<String?, any Error>?
    /// The time at which the connection ends unless it has opened, or closed, by then.
    private(set) var deadline: ContinuousClock.Instant?
    /// Whether there may be bytes to receive.
    private(set) var isReadable = false

    private let url: URL
    private let closingTimeout: Duration
    private let commands: WebSocketCommands
    private let receive: @Sendable (WebSocketConnectionEvent) -> Void
    private var phase = Phase.connecting
    private var handshake: WebSocketHandshake
    private var decoder: WebSocketDecoder
    private var outbox = WebSocketOutbox()
    private var isWritable = false
    /// How the connection ends once the close frame is sent.
    private var end: WebSocketEnd?

    /// - Throws: `URLError` when the request cannot be sent.
    init(
      _ request: WebSocketRequest, _ commands: WebSocketCommands, by curl: LibCurl,
      certificates: HTTPTransport.Certificates,
      receive: @escaping @Sendable (WebSocketConnectionEvent) -> Void
    ) throws {
      guard let handshake = WebSocketHandshake(request), let origin = WebSocketOrigin(request.url)
      else { throw curl.error(LibCurl.Code.unsupportedProtocol) }
      easy = try CurlEasy(curl, url: origin.url, certificates: certificates)
      self.commands = commands
      self.handshake = handshake
      self.receive = receive
      url = request.url
      closingTimeout = request.closingTimeout.clampedForSleep
      decoder = WebSocketDecoder(messageByteLimit: request.messageByteLimit)
      deadline = .now + request.timeout.clampedForSleep
      try easy.setConnectsOnly()
    }

    // MARK: Waiting

    var hasEnded: Bool { phase == .ended }

    /// Whether there are bytes to receive without blocking.
    var hasMore: Bool { isReadable && mayRead }

    private var mayRead: Bool {
      switch phase {
      case .connecting, .ended: false
      case .open: !commands.isPaused
      case .upgrading, .closing: true
      }
    }

    /// The events to poll for, `CURL_WAIT_POLLIN` and `CURL_WAIT_POLLOUT`.
    ///
    /// None for a paused connection: poll would report its end over and over.
    var awaitedEvents: Int16 {
      if phase == .connecting || phase == .ended { return 0 }
      return (mayRead ? Self.readable : 0) | (outbox.isEmpty || isWritable ? 0 : Self.writable)
    }

    private static let (readable, writable): (Int16, Int16) = (1, 4)

    /// Handles the events that occurred. Reading or writing then detects an error or the end of the
    /// connection.
    func handleEvents(_ events: Int16) {
      let others = ~(Self.readable | Self.writable)
      if events & (Self.readable | others) != 0 { isReadable = true }
      if events & (Self.writable | others) != 0 { isWritable = true }
    }

    // MARK: Phases

    /// Sends the handshake over the established connection.
    ///
    /// - Parameter code: The error code if the connection failed, or 0.
    func beginHandshake(_ code: Int32) {
      guard phase == .connecting else { return }
      if code != 0 { return fail(code) }
      phase = .upgrading
      (isReadable, isWritable) = (true, true)
      outbox.add(.init(id: nil, bytes: handshake.request))
    }

    /// Sends and receives as much as possible without blocking.
    func advance(_ now: ContinuousClock.Instant, _ buffer: UnsafeMutableRawBufferPointer) {
      let batch = commands.next()
      if batch.isCancelled { return finish(CancellationError()) }
      if phase == .open {
        for message in batch.messages { outbox.add(message) }
        if let close = batch.close { beginClosing(close, discardsMessages: false) }
      }
      write()
      read(into: buffer)
      write()
      if let deadline, deadline <= now { handleTimeout() }
    }

    private func beginClosing(_ frame: WebSocketFrame, discardsMessages: Bool) {
      phase = .closing
      deadline = .now + closingTimeout
      outbox.close(frame, discardsMessages: discardsMessages)
      if discardsMessages { commands.end(Self.endedError()) }
    }

    private func handleTimeout() {
      if phase == .upgrading, let rejection = handshake.finish() {
        finish(WebSocketRejection(response: rejection))
      } else if phase == .closing {
        finish(end)
      } else {
        fail(LibCurl.Code.timedOut)
      }
    }

    // MARK: Sending

    private func write() {
      guard phase != .connecting, phase != .ended else { return }
      while isWritable, let rest = outbox.next() {
        switch rest.withUnsafeBytes({ easy.send($0) }) {
        case .count(let count):
          if let message = outbox.advance(count) { commands.finish(message) }
        case .again: isWritable = false
        case .failure(let code): handleSendFailure(code)
        }
      }
      if phase == .closing, end != nil, outbox.hasEnded { finish(end) }
    }

    /// Keeps reading if possible. Before closing the connection, the server may have sent a close
    /// frame or a reason for rejecting the handshake.
    private func handleSendFailure(_ code: Int32) {
      guard mayRead else { return fail(code) }
      outbox.end()
      commands.end(Self.endedError())
      deadline = min(deadline ?? .now + closingTimeout, .now + closingTimeout)
      isReadable = true
    }

    // MARK: Receiving

    private func read(into buffer: UnsafeMutableRawBufferPointer) {
      var count = 0
      while hasMore, count < Self.readLimit {
        count += 1
        switch easy.receive(into: buffer) {
        case .again: isReadable = false
        case .failure(let code): return phase == .closing ? finish(end) : fail(code)
        case .count(0): return handleEndOfStream()
        case .count(let count): handle(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
    }

    private func handle(_ bytes: UnsafeRawBufferPointer) {
      if phase == .upgrading {
        open(bytes)
      } else if end == nil {
        decode(bytes)
      }
    }

    private func handleEndOfStream() {
      if phase == .closing { return finish(end) }
      if phase == .upgrading, let rejection = handshake.finish() {
        return finish(WebSocketRejection(response: rejection))
      }
      let part = phase == .upgrading ? "inside the handshake" : "without a close frame"
      finish(
        URLError(
          .networkConnectionLost,
          userInfo: [NSLocalizedDescriptionKey: "The server ended the connection \(part)"]))
    }

    private func open(_ bytes: UnsafeRawBufferPointer) {
      do throws(WebSocketHandshakeError) {
        guard let response = try handshake.receive(bytes) else {
          if handshake.isRejected { deadline = min(deadline ?? .now, .now + closingTimeout) }
          return
        }
        guard response.status == 101 else {
          return finish(WebSocketRejection(response: response))
        }
        phase = .open
        deadline = nil
        opening?.resume(returning: response.subprotocol)
        opening = nil
        response.body.withUnsafeBytes { decode($0) }
      } catch {
        finish(error)
      }
    }

    private func decode(_ bytes: UnsafeRawBufferPointer) {
      do throws(WebSocketProtocolError) {
        try decoder.decode(bytes) { handle($0) }
      } catch {
        // Bytes after a close frame are ignored.
        if end != nil { return }
        let failure = RelayError(webSocket: error, url: url)
        end = WebSocketEnd(code: .abnormalClosure, error: failure)
        beginClosing(.close(error.closeCode, reason: "\(error)"), discardsMessages: true)
      }
    }

    private func handle(_ event: WebSocketEvent) {
      switch event {
      case .ping(let payload): if phase == .open { outbox.pong = .pong(payload) }
      case .close(let code, let reason):
        end = WebSocketEnd(code: code ?? .noStatusReceived, reason: reason)
        beginClosing(.close(code), discardsMessages: true)
      case _ where phase == .closing: break
      case .text(let text): receive(.text(text))
      case .binary(let bytes): receive(.binary(bytes))
      case .pong(let payload): receive(.pong(payload))
      }
    }

    // MARK: The end

    private static func endedError(_ error: (any Error)? = nil) -> RelayError {
      RelayError(.transport, "The WebSocket connection has ended.", underlying: error)
    }

    /// Adds the connection to a multi handle, on its thread.
    func join(_ multi: CurlMulti) {
      let table = multi.sockets as? CurlSockets ?? CurlSockets(multi.curl, multi.handle)
      multi.sockets = table
      table.add(self)
    }

    func fail(_ code: Int32) {
      finish(easy.failure(code))
    }

    private func finish(_ end: WebSocketEnd?) {
      finish(nil, end ?? WebSocketEnd(code: .abnormalClosure))
    }

    private func finish(_ error: any Error) {
      let failure =
        error is CancellationError ? error : RelayError(webSocket: error, url: url)
      finish(failure, WebSocketEnd(code: .abnormalClosure, error: failure))
    }

    private func finish(_ error: (any Error)?, _ end: WebSocketEnd) {
      guard phase != .ended else { return }
      phase = .ended
      deadline = nil
      let lost = Self.endedError(error)
      commands.end(error as? RelayError ?? lost)
      if let opening {
        opening.resume(throwing: error ?? lost)
        self.opening = nil
      } else {
        receive(.closed(end))
      }
    }
  }
#endif
