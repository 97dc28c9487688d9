#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Connects the context server with an assistant by two file descriptors.
struct ContextServerLoop {
  private let input: Int32
  private let output: Int32
  private var server: ContextServer
  private var reader = LineReader()

  init(_ server: ContextServer, input: Int32, output: Int32) {
    self.server = server
    self.input = input
    self.output = output
  }

  /// Answers messages until the input ends or the output is closed.
  mutating func run() {
    signal(SIGPIPE, SIG_IGN)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      guard answer(reader.append(buffer[..<count])) else { return }
    }
    _ = answer(reader.end())
  }

  /// Returns whether the answers could be sent.
  private mutating func answer(_ lines: [LineReader.Line]) -> Bool {
    for line in lines {
      if let answer = server.answer(line), !send(answer) { return false }
    }
    return true
  }

  private func send(_ message: JSON) -> Bool {
    var rest = ArraySlice(Array((message.description + "\n").utf8))
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
