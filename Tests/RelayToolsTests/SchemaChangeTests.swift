import Foundation
import Testing

/// Compares `check` with graphql-core: see Tests/Integration/SchemaChanges.
///
/// `RELAYSTORE_CHANGES` sets the number of changes, and `RELAYSTORE_SEED` the seed of the first. A
/// run of more than 100 changes also uses the schemas next to the package.
///
/// `make soak` runs many more cases, so the suite has 120 minutes.
@Suite("Random changes of schemas", .timeLimit(.minutes(120)))
struct SchemaChangeTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let python = RealProject.package.appendingPathComponent(".venv/bin/python")

  private static var isAvailable: Bool {
    environment["RELAYSTORE_REQUIRE_SERVER"] == "1"
      || FileManager.default.isExecutableFile(atPath: python.path)
  }

  private static let ownSchemas = [
    "Examples/TaskTracker/Sources/TaskTrackerServer/schema.graphql",
    "Tests/RelayStoreTests/schema.graphql", "Tests/Guides/schema.graphql",
  ]

  @Test(
    "the findings agree with graphql-core's validation and its breaking changes",
    .enabled(if: isAvailable, "graphql-core needs .venv, which make test creates"))
  func agreement() throws {
    let seed = Self.environment["RELAYSTORE_SEED"].flatMap { Int($0) } ?? 1
    let count = Self.environment["RELAYSTORE_CHANGES"].flatMap { Int($0) } ?? 10
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.python
    let script = RealProject.package.appendingPathComponent("Tests/Integration/SchemaChanges").path
    process.arguments =
      ["-B", "-W", "ignore", script, try #require(BuiltProgram.file).path]
      + RealProject.schemas(Self.ownSchemas, isLong: count > 100) + [
        "--seed", "\(seed)", "--changes", "\(count)",
      ]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print(text)
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("invalid ") && text.contains("unaffected "), "too few kinds of cases")
  }
}
