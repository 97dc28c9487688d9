import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// `make soak` runs many more cases, so the suite has 20 minutes.
@Suite("Sessions", .timeLimit(.minutes(20)))
struct SessionTests {
  /// Returns diagnostics as sorted strings. The identifiers of sources differ between a session and
  /// a compilation.
  private func texts(_ diagnostics: [Diagnostic], in workspace: Workspace) -> [String] {
    func text(_ span: Span) -> String {
      guard let location = workspace.location(of: span) else { return "?" }
      let length = span.end - span.start
      return "\(location.path):\(location.line):\(location.column)+\(length)"
    }
    return diagnostics.map { diagnostic in
      let places = diagnostic.locations.map(text).joined(separator: ", ")
      let labels = diagnostic.labels.map { "\(text($0.span)) \($0.text)" }.joined(separator: ", ")
      return
        "\(places): \(diagnostic.severity): \(diagnostic.message) [\(diagnostic.rule)] (\(labels)) "
        + (diagnostic.help ?? "")
    }.sorted()
  }

  @Test(
    "the diagnostics of a session are those of a compilation, after every change",
    arguments: seeds)
  func random(seed: UInt64) throws {
    var project = SessionProject(seed: seed)
    var session = Session(project.input)
    var rules: Set<String> = []
    var files: [String: String] = [:]
    var valid = 0
    for step in 0..<SessionTests.steps {
      if step > 0 {
        project.edit()
        session.update(project.input)
      }
      var input = project.input
      input.makesFiles = true
      let compilation = Compiler.compile(input)
      let expected = texts(compilation.diagnostics, in: compilation.workspace)
      let found = texts(session.diagnostics, in: session.workspace)
      if expected.allSatisfy({ !$0.contains(": error: ") }) { valid += 1 }
      rules.formUnion(compilation.diagnostics.map(\.rule))
      if let emission = session.emit() {
        for file in emission.files { files[file.name] = file.text }
        files = files.filter { emission.names.contains($0.key) }
        #expect(emission.names == Set(files.keys), "seed \(seed), step \(step)")
        let fresh = Dictionary(
          uniqueKeysWithValues: compilation.files.map { ($0.name, $0.text) })
        let wrong = Set(fresh.keys).union(files.keys).filter { fresh[$0] != files[$0] }
        #expect(wrong.isEmpty, "seed \(seed), step \(step)")
        if !wrong.isEmpty {
          for name in wrong.prefix(1) {
            print("FRESH\n\(fresh[name] ?? "")\nSESSION\n\(files[name] ?? "")")
          }
          return
        }
      }
      guard found != expected else { continue }
      let missing = expected.filter { !found.contains($0) }
      let extra = found.filter { !expected.contains($0) }
      Issue.record(
        "seed \(seed), step \(step)\nmissing: \(missing)\nextra: \(extra)\ncounts: \(found.count) \(expected.count)"
      )
      return
    }
    print(
      "session seed \(seed): \(valid) of \(SessionTests.steps) valid, \(rules.sorted().joined(separator: " "))"
    )
  }

  private static let steps =
    ProcessInfo.processInfo.environment["RELAYSTORE_SESSION_STEPS"].flatMap { Int($0) } ?? 60
  private static let seeds: [UInt64] = {
    let first = ProcessInfo.processInfo.environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 1
    let count =
      ProcessInfo.processInfo.environment["RELAYSTORE_SESSIONS"].flatMap { UInt64($0) } ?? 4
    return Array(first..<(first + count))
  }()
}
