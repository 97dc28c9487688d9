import Foundation
import RelayCompiler

/// Connects the language server to the editor through two file descriptors.
///
/// The loop reads input between any two messages, so that a cancellation overtakes its request. It
/// writes output in portions that fit, so the editor and the server never wait for one another. It
/// publishes diagnostics when no more input is waiting.
struct ServerLoop {
  private let input: Int32
  private let output: Int32
  private var reader = MessageReader()
  private var queue = MessageQueue()
  private var unsent = ContiguousArray<UInt8>()
  private var sent = 0
  private var isOpen = true
  /// The error that prevents further writing; `nil` until then.
  private var failure: FileError?
  private var server = LanguageServer()
  /// The limit on unsent bytes; beyond it no more messages are handled.
  private static let unsentLimit = 64 << 20

  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// Runs until the editor ends the server.
  ///
  /// - Returns: The exit code of the process.
  /// - Throws: ``FileError`` when a message cannot be sent, for example because the editor exited.
  mutating func run() throws(FileError) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    while failure == nil {
      let isFull = unsent.count - sent > Self.unsentLimit
      let isBusy = !isFull && (!queue.isEmpty || server.hasNews || !isOpen)
      let hasInput = transfer(waits: !isBusy, reads: !isFull)
      if isFull { continue }
      if let message = queue.popFirst() {
        send(server.receive(message))
      } else if !isOpen {
        server.inputEnded()
      } else if !hasInput, server.hasNews {
        send(server.publish())
      }
      if let code = server.exitCode {
        while sent < unsent.count, failure == nil { _ = transfer(waits: true, reads: false) }
        if failure == nil { return code }
      }
    }
    if let failure { throw failure }
    return 1
  }

  private mutating func send(_ messages: [JSON]) {
    for message in messages {
      let body = message.description.utf8
      unsent.append(contentsOf: "Content-Length: \(body.count)\r\n\r\n".utf8)
      unsent.append(contentsOf: body)
    }
  }

  /// Reads the available input, and writes as much output as fits.
  ///
  /// - Returns: Whether there was input.
  private mutating func transfer(waits: Bool, reads: Bool) -> Bool {
    let readEvents = isOpen && reads ? Int16(POLLIN) : 0
    let writeEvents = sent < unsent.count ? Int16(POLLOUT) : 0
    var ports = [
      pollfd(fd: readEvents == 0 ? -1 : input, events: readEvents, revents: 0),
      pollfd(fd: writeEvents == 0 ? -1 : output, events: writeEvents, revents: 0),
    ]
    guard poll(&ports, nfds_t(ports.count), waits ? -1 : 0) > 0 else { return false }
    if ports[1].revents != 0 { writePart() }
    guard ports[0].revents != 0 else { return false }
    readPart()
    return true
  }

  private mutating func readPart() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(input, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      isOpen = false
      return
    }
    reader.append(buffer[..<count])
    while let frame = reader.next() { queue.append(Message(frame)) }
  }

  /// Writes repeatedly, each time only as many bytes as a ready pipe accepts without blocking.
  private mutating func writePart() {
    var port = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    repeat {
      let length = min(unsent.count - sent, Int(PIPE_BUF))
      let count = unsent.withUnsafeBytes { bytes in
        bytes.baseAddress.map { write(output, $0 + sent, length) } ?? 0
      }
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      guard count > 0 else {
        failure = FileError("write", standardOutputName)
        return
      }
      sent += count
      if sent == unsent.count {
        unsent.removeAll(keepingCapacity: unsent.count < 1 << 20)
        sent = 0
        return
      }
    } while poll(&port, 1, 0) > 0
  }
}
