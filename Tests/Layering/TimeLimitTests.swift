import Foundation
import Testing

/// A check of the time limits of all suites. A limit ends a hanging test.
@Suite("Time limits of tests", .timeLimit(.minutes(1)))
struct TimeLimitTests {
  @Test("every suite has a limit of one minute, or a longer one with its reason in the comment")
  func everySuite() throws {
    var suites = 0
    for (path, text) in try Self.sources() {
      for declaration in Self.topLevelDeclarations(of: text)
      where declaration.contains("\n  @Test") {
        suites += 1
        let limits = Self.limits(in: declaration)
        #expect(!limits.isEmpty, "\(path): a suite has no time limit")
        let words = declaration.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
        for minutes in limits where minutes != 1 {
          #expect(
            words.contains("so the suite has \(minutes) minutes."),
            "\(path): the suite's comment does not give the reason for \(minutes) minutes")
        }
      }
    }
    #expect(suites > 100, "only \(suites) suites were found")
  }

  @Test("no test waits in a loop of its own, which has neither an end nor a last value")
  func loops() throws {
    // The loop of a task that is cancelled before it starts.
    let allowed = "while !Task.isCancelled { await Task.yield() }"
    for (path, text) in try Self.sources() where !path.hasSuffix("TimeLimitTests.swift") {
      let flat = text.replacing(/\s+/, with: " ").replacing(allowed, with: "")
      for loop in flat.matches(of: /while [^{}]*(\{[^{}]*\}[^{}]*)*\{ await Task\.yield\(\) \}/) {
        Issue.record("\(path): \(loop.0.suffix(100)); use eventually(within:)")
      }
    }
  }

  /// Returns the Swift files of the tests with their paths.
  private static func sources() throws -> [(path: String, text: String)] {
    let tests = ModuleLayers.root.appending(path: "Tests")
    return try FileManager.default.subpathsOfDirectory(atPath: tests.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
      .map { ($0, try String(contentsOf: tests.appending(path: $0), encoding: .utf8)) }
  }

  /// Returns the source of each declaration that starts and ends in the first column, with its
  /// attributes.
  private static func topLevelDeclarations(of text: String) -> [String] {
    text.components(separatedBy: "\n}\n")
  }

  /// Returns the minutes of each time limit in `text`.
  private static func limits(in text: String) -> [Int] {
    text.components(separatedBy: ".timeLimit(.minutes(").dropFirst().compactMap {
      Int($0.prefix { $0.isNumber })
    }
  }
}
