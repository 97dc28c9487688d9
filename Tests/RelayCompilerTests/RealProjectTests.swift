import Foundation
import Testing

import RelayCompiler

/// Compiles the documents of real projects and of this package, and type-checks the generated Swift
/// with the strictest settings.
///
/// The Swift compiler takes minutes for all of them on a slow machine, and
/// `make soak` has more, so the suite has 120 minutes.
@Suite("Real projects", .serialized, .timeLimit(.minutes(120)))
struct RealProjectTests {
  /// The folder of the runtime's module in the build of these tests.
  static var modules: String? {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return [
      tests, tests.deletingLastPathComponent(),
      RealProject.package.appendingPathComponent(".build/debug"),
    ]
    .map { $0.appendingPathComponent("Modules").path }
    .first { FileManager.default.fileExists(atPath: $0 + "/RelayStore.swiftmodule") }
  }

  @Test(
    "the Swift generated from real documents compiles in Swift 6 mode without a warning",
    arguments: RealProject.own + RealProject.applications)
  func compiles(real: RealProject) async throws {
    guard real.exists else { return }
    let project = try TemporaryProject(["relay.config.json": real.configuration])
    let result = project.compile()
    try #require(result.exitCode == .success, "\(result.errors)")
    let files = FileManager.default.enumerator(at: project.folder, includingPropertiesForKeys: nil)?
      .compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }.sorted()
    let checked = try await Self.check(#require(files), modules: #require(Self.modules))
    #expect(checked == "", "\(real.testDescription) does not compile.")
  }

  /// Type-checks the files of one module.
  ///
  /// - Returns: The output of the Swift compiler; empty on success.
  static func check(_ files: [String], modules: String) async throws -> String {
    // Waiting for a process would block a thread of the cooperative pool, which the other tests
    // need.
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
      ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library"]
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
