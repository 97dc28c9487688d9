import Foundation
import RelayCompiler
import Testing

/// Compiles the documents of real projects and of this package, and type-checks the generated Swift
/// with the strictest settings.
///
/// The Swift compiler takes minutes for all of them on a slow machine, and
/// `make soak` has more, so the suite has 120 minutes.
@Suite("Real projects", .serialized, .timeLimit(.minutes(120)))
struct RealProjectTests {
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
    let checked = try await SwiftTypeCheck.check(
      #require(files), modules: #require(SwiftTypeCheck.modules))
    #expect(checked == "", "\(real.testDescription) does not compile.")
  }
}
