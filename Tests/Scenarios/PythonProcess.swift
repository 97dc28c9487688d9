import Foundation

/// A Python program of Tests/Integration. It serves until its standard input closes, at the latest
/// when this process ends.
struct PythonProcess: Sendable {
  /// The first line that the program prints.
  let line: String
  private let input: FileHandle

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let python = root.appending(path: ".venv/bin/python")

  /// Whether the virtual environment that runs the programs exists.
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

  /// Whether tests fail if the virtual environment is missing, instead of being skipped.
  static var isRequired: Bool {
    ProcessInfo.processInfo.environment["RELAYSTORE_REQUIRE_SERVER"] == "1"
  }

  /// Starts a program and waits for its first line.
  ///
  /// - Parameter name: Its folder in Tests/Integration.
  init(_ name: String) async throws {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = Self.python
    process.arguments = ["-B", Self.root.appending(path: "Tests/Integration/\(name)").path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    line = await Self.firstLine(of: output.fileHandleForReading)
    self.input = input.fileHandleForWriting
  }

  private static func firstLine(of handle: FileHandle) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
          let data = handle.availableData
          if data.isEmpty { break }
          line.append(data)
        }
        let text = String(decoding: line, as: UTF8.self)
        continuation.resume(returning: text.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
  }
}
