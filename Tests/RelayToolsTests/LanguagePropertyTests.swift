import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// `make soak` runs many more cases, so the suite has 20 minutes.
@Suite("Language of random projects", .timeLimit(.minutes(20)))
struct LanguagePropertyTests {
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 1
    return Array(first..<first + (environment["RELAYSTORE_SESSIONS"].flatMap { UInt64($0) } ?? 3))
  }()

  private func properties(_ input: CompilationInput, seed: UInt64) -> LanguageProperties {
    LanguageProperties(input, label: "seed \(seed)")
  }

  @Test("every position can be asked about, and what is answered is in its file", arguments: seeds)
  func everyPosition(seed: UInt64) {
    var project = SessionProject(seed: seed)
    for _ in 0..<4 { project.edit() }
    let counts = properties(project.input, seed: seed).checkPositions()
    #expect(counts.hovers > 100 && counts.completions > 1000, "seed \(seed)")
  }

  @Test("completion offers every name that a valid document has", arguments: seeds)
  func completesWhatIsWritten(seed: UInt64) {
    #expect(properties(validInput(seed), seed: seed).checkCompletions() > 30, "seed \(seed)")
  }

  @Test("references are those that a search at every position finds", arguments: seeds.prefix(3))
  func references(seed: UInt64) {
    let input = SessionProject(seed: seed).input
    let files =
      (input.sources + input.modules.flatMap(\.sources)).map { ($0.path, $0.bytes) }
      + (input.schema + input.extensions).map { ($0.path, $0.bytes) }
    #expect(properties(input, seed: seed).checkReferences(in: files) > 20, "seed \(seed)")
  }

  @Test("a renamed definition, variable or alias leaves a valid project valid", arguments: seeds)
  func renames(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let renamed = try properties(validInput(seed), seed: seed).checkRenames(25, &random)
    print("renamed, seed \(seed): \(renamed.sorted().joined(separator: " "))")
    #expect(renamed.count > 2, "seed \(seed)")
  }

  @Test("what a code action changes in a valid project is valid", arguments: seeds)
  func codeActions(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let applied = properties(validInput(seed), seed: seed).checkCodeActions(25, &random)
    #expect(applied.count > 1, "seed \(seed): \(applied)")
  }

  /// Returns the input of a project without errors.
  private func validInput(_ seed: UInt64) -> CompilationInput {
    var project = SessionProject(seed: seed, mistakes: 0)
    var session = Session(project.input)
    for _ in 0..<100 where session.diagnostics.hasErrors {
      project.edit()
      session.update(project.input)
    }
    let report = DiagnosticRenderer(session.workspace).text(session.diagnostics)
    #expect(!session.diagnostics.hasErrors, "seed \(seed)\n\(report)")
    return session.input
  }
}
