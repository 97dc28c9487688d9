import Foundation

/// Type-checks generated Swift against the runtime.
enum SwiftTypeCheck {
  /// The folder of the runtime's module in this test's build, by either build system.
  static var modules: String? {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return [
      tests, tests.deletingLastPathComponent(),
      RealProject.package.appendingPathComponent(".build/debug"),
    ]
    .flatMap { [$0.appendingPathComponent("Modules").path, $0.path] }
    .first { FileManager.default.fileExists(atPath: $0 + "/RelayStore.swiftmodule") }
  }

  /// Type-checks the files of one module.
  ///
  /// - Returns: The output of the Swift compiler; empty on success.
  static func check(_ files: [String], modules: String) async throws -> String {
    // Waiting for a process would block a thread of the cooperative pool that other tests need.
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try compile(files, modules: modules) })
      }
    }
  }

  private static func compile(_ files: [String], modules: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-whole-module-optimization", "-swift-version", "6"]
      + ["-warnings-as-errors", "-parse-as-library"]
      + ["-module-name", "App", "-I", modules]
      + ["-I", RealProject.package.appendingPathComponent("Sources/CLibCurl/include").path] + files
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    return process.terminationStatus == 0 || !text.isEmpty ? text : "It failed without a word."
  }
}
