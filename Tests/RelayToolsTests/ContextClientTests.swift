import Foundation
import Testing

/// The reference client, which Tests/Integration/setup.sh installs.
@Suite("relay-compiler mcp: the reference client", .timeLimit(.minutes(1)))
struct ContextClientTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let python = root.appending(path: ".venv/bin/python")

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

  static var isRequired: Bool {
    ProcessInfo.processInfo.environment["RELAYSTORE_REQUIRE_SERVER"] == "1"
  }

  @Test(
    "the reference client finds an error, fixes it, and uses all tools",
    .enabled(if: isInstalled || isRequired, "the client needs .venv, which make test creates"))
  func session() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.python
    process.arguments = [
      "-B", Self.root.appending(path: "Tests/Integration/ContextServer").path,
      try #require(BuiltProgram.file).path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.hasSuffix("The reference client has used all tools.\n"), "\(text)")
  }
}
