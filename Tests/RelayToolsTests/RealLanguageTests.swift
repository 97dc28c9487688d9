import Foundation
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// The properties of random projects, checked in human-written documents.
///
/// `make soak` runs many more cases, so the suite has 30 minutes.
@Suite("Language of real projects", .timeLimit(.minutes(30)))
struct RealLanguageTests {
  private static let projects = RealProject.own + RealProject.applications
  private static let environment = ProcessInfo.processInfo.environment

  /// The distance between two positions in bytes; 1 in long runs.
  private static let step = environment["RELAYSTORE_POSITION_STEP"].flatMap { Int($0) } ?? 29
  private static let seed =
    environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)

  private func properties(_ project: RealProject) throws -> LanguageProperties? {
    guard project.exists else { return nil }
    return LanguageProperties(
      try project.input(), label: "\(project.testDescription), seed \(Self.seed)")
  }

  @Test("every position can be hovered and completed", arguments: projects)
  func everyPosition(project: RealProject) throws {
    guard let properties = try properties(project) else { return }
    let first = Int(Self.seed % UInt64(Self.step))
    let counts = properties.checkPositions(from: first, step: Self.step)
    print("positions: \(properties.label), \(counts)")
    #expect(counts.hovers > 0 && counts.completions > 0)
  }

  @Test("completion offers every name that is written", arguments: projects)
  func completesWhatIsWritten(project: RealProject) throws {
    guard let properties = try properties(project) else { return }
    #expect(properties.checkCompletions() > 0)
  }

  @Test("references are those that a search at every position finds", arguments: projects)
  func references(project: RealProject) throws {
    guard let properties = try properties(project) else { return }
    var files = properties.input.sources.map { ($0.path, $0.bytes) }
    if Self.step > 1 {
      var random = SeededGenerator(seed: Self.seed)
      files.removeAll { path, bytes in
        !path.hasSuffix(".graphql") && !String(decoding: bytes, as: UTF8.self).contains("graphql(")
      }
      files = Array(files.shuffled(using: &random).prefix(max(4, files.count / 4)))
    }
    #expect(properties.checkReferences(in: files) > 0, "\(properties.label)")
  }

  @Test("what is renamed compiles", arguments: projects)
  func renames(project: RealProject) throws {
    guard let properties = try properties(project) else { return }
    var random = SeededGenerator(seed: Self.seed)
    #expect(
      try !properties.checkRenames(Self.step > 1 ? 5 : 10, &random).isEmpty, "\(properties.label)")
  }

  @Test("what a code action changes compiles", arguments: projects)
  func codeActions(project: RealProject) throws {
    guard let properties = try properties(project) else { return }
    var random = SeededGenerator(seed: Self.seed)
    let applied = properties.checkCodeActions(Self.step > 1 ? 8 : 20, &random)
    #expect(!applied.isEmpty, "\(properties.label)")
  }
}
