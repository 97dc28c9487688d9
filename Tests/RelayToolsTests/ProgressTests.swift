import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// Programs whose standard error is a terminal.
@Suite("What a terminal shows", .timeLimit(.minutes(1)))
struct ProgressTests {
  private static let schema = """
    {"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":[{"kind":"OBJECT","name":"Query",
    "fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}}
    """

  private static func start(
    _ arguments: [String], on terminal: PseudoTerminal, _ environment: [String: String]
  ) throws -> Process {
    let process = Process()
    let file = try #require(BuiltProgram.file)
    process.executableURL = file
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = terminal.writer
    try process.run()
    try terminal.writer.close()
    return process
  }

  @Test("a download of more than a second is shown, and its line is removed")
  func progress() throws {
    let terminal = try PseudoTerminal()
    let isShown = DispatchSemaphore(value: 0)
    let server = try StubHTTPServer { _ in
      // The response waits until the line is on the terminal.
      isShown.wait()
      return (200, Self.schema)
    }
    defer { server.stop() }
    let process = try Self.start(
      ["schema", "download", server.url], on: terminal, ["TERM": "xterm"])
    let line = "\r\u{1B}[KDownloading the schema… 1 s"
    let shown = terminal.read { $0.contains(line) }
    isShown.signal()
    let rest = terminal.read()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(shown.contains(line))
    #expect((shown + rest).hasSuffix("\r\u{1B}[K"), "\(rest.debugDescription)")
  }

  @Test(
    "errors are colored on a terminal, unless the environment says otherwise",
    arguments: [
      (["TERM": "xterm"], true), (["TERM": "dumb"], false), ([:], false),
      (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "xterm", "CLICOLOR": "0"], false),
    ])
  func colors(environment: [String: String], hasColors: Bool) throws {
    let terminal = try PseudoTerminal()
    let process = try Self.start(["explain"], on: terminal, environment)
    let text = terminal.read()
    process.waitUntilExit()
    #expect(text.contains("error:"))
    #expect(text.contains("\u{1B}[1;31merror:\u{1B}[0m") == hasColors, "\(text.debugDescription)")
  }
}
