import Foundation
import RelayStore

/// The real GraphQL server of Tests/Integration: one process for all tests, which ends with them.
final class PythonServer: Sendable {
  enum Failure: Error { case noPort }

  /// Where the server listens.
  let url: URL
  /// Its standard input; the server ends when this is closed, at the latest with this process.
  private let input: FileHandle

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let python = root.appending(path: ".venv/bin/python")

  /// Whether there is an environment to run it in.
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

  /// Whether tests fail where it is missing, instead of being skipped.
  static var isRequired: Bool {
    ProcessInfo.processInfo.environment["RELAYSTORE_REQUIRE_SERVER"] == "1"
  }

  private static let start = Task { try await launch() }

  /// The server, started when first asked for.
  static func shared() async throws -> PythonServer { try await start.value }

  private init(url: URL, input: FileHandle) {
    self.url = url
    self.input = input
  }

  private static func launch() async throws -> PythonServer {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = python
    process.arguments = ["-B", root.appending(path: "Tests/Integration/Server").path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = await firstLine(of: output.fileHandleForReading)
    guard let digits = line.split(separator: " ").last, let port = Int(digits),
      let url = URL(string: "http://127.0.0.1:\(port)")
    else { throw Failure.noPort }
    return PythonServer(url: url, input: input.fileHandleForWriting)
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

  /// A way to it whose data no other test shares.
  func transport() -> HTTPTransport {
    HTTPTransport(
      url: url.appending(path: "graphql"), headers: ["X-Session": UUID().uuidString],
      timeout: .seconds(30))
  }

  /// A route that answers badly.
  func transport(_ misbehaviour: Misbehaviour) -> HTTPTransport {
    HTTPTransport(
      url: url.appending(path: "misbehave/\(misbehaviour.rawValue)"), timeout: .seconds(30))
  }
}
