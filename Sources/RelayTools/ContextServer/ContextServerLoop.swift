import Foundation
import RelayCompiler

/// Connects the context server to an assistant through two file descriptors.
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

  /// Handles messages until the input ends.
  ///
  /// - Throws: ``FileError`` when a response cannot be sent, for example because the assistant
  ///   exited.
  mutating func run() throws(FileError) {
    signal(SIGPIPE, SIG_IGN)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      try respond(reader.append(buffer[..<count]))
    }
    try respond(reader.end())
  }

  private mutating func respond(_ lines: [LineReader.Line]) throws(FileError) {
    for line in lines {
      guard let response = server.respond(line) else { continue }
      try writeAll(
        Array((response.description + "\n").utf8), to: output, named: standardOutputName)
    }
  }
}
