import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
  private func text(_ path: String) throws -> String { try Documents.text(path) }

  /// Returns the code block after a line with the file's name in backquotes.
  private func block(named name: String, in document: String) -> String? {
    guard let title = document.range(of: "\n`\(name)`\n"),
      let start = document.range(of: "```", range: title.upperBound..<document.endIndex),
      let line = document.range(of: "\n", range: start.upperBound..<document.endIndex),
      let end = document.range(of: "```\n", range: line.upperBound..<document.endIndex)
    else { return nil }
    return String(document[line.upperBound..<end.lowerBound])
  }

  @Test(
    "the README's program is the example that is built and run",
    arguments: ["Package.swift", "schema.graphql", "Sources/Hello/main.swift"])
  func program(_ file: String) throws {
    #expect(try block(named: file, in: text("README.md")) == text("Examples/Hello/" + file))
  }

  @Test("the README's program is shorter than 40 lines")
  func length() throws {
    let files = ["Package.swift", "schema.graphql", "Sources/Hello/main.swift"]
    let lines = try files.map { try text("Examples/Hello/" + $0).split(separator: "\n").count }
    #expect(lines.reduce(0, +) < 40)
  }

  @Test("the Swift code of the guide to scalars is compiled with the tests")
  func scalars() throws {
    let folder = "Tests/GeneratedCode/"
    let files = ["CustomScalars/Moment.swift", "Scalars.swift", "ScalarsGuide.swift"]
    let code = try files.map { try text(folder + $0) }.joined()
    let blocks = try text("Docs/Scalars.md").split(separator: "```swift\n").dropFirst()
    #expect(blocks.count == 7)
    for block in blocks {
      let lines = block.prefix(upTo: block.firstRange(of: "```")?.lowerBound ?? block.endIndex)
      #expect(code.contains(lines), "\(lines)")
    }
  }

  /// The guides, the sources that contain their code, and the minimum number of code blocks.
  static let allGuides: [(String, String, Int)] = [
    ("Pagination", "GeneratedCode/StateGuide.swift", 3),
    (
      "ClientState",
      "GeneratedCode/StateGuide.swift AppleFrameworks/CoreDataExample.swift AppleFrameworks/SwiftDataExample.swift Guides/ObjectsGuide.swift",
      13
    ),
    ("Queries", "Guides/QueriesGuide.swift", 3),
    ("Persistence", "Guides/PersistenceGuide.swift", 3),
    ("Outbox", "Guides/OutboxGuide.swift", 3),
    ("Processes", "Guides/ProcessesGuide.swift", 10),
    ("LocalQueries", "Guides/LocalQueriesGuide.swift", 5),
    ("Offline", "Guides/OfflineGuide.swift", 5),
    (
      "Networking",
      "Guides/NetworkingGuide.swift Guides/MutationsGuide.swift AppleFrameworks/LoggingExample.swift",
      9
    ),
    ("Subscriptions", "Guides/SubscriptionsGuide.swift", 4),
    ("Incremental", "Guides/SubscriptionsGuide.swift", 1),
    ("Testing", "Guides/TestingGuide.swift", 6),
    ("Servers", "Guides/ServersGuide.swift", 2),
    ("Debugging", "Guides/DebuggingGuide.swift", 2),
    ("Inspector", "Guides/InspectorGuide.swift", 6),
    ("Mutations", "Guides/MutationsGuide.swift", 8),
    ("Views", "Guides/ViewsGuide.swift AppleFrameworks/SwiftUIExample.swift", 8),
    ("Errors", "Guides/ErrorsGuide.swift", 4),
    ("ComingFromApollo", "Guides/ComingFrom.swift", 2),
    ("ComingFromRelay", "Guides/ComingFrom.swift", 2),
    ("Migration", "Guides/ComingFrom.swift AppleFrameworks/SwiftUIExample.swift", 2),
    (
      "Reference/PlanNotation",
      "RelayCompilerTests/Golden/swift/fragment.swift.txt RelayCompilerTests/Golden/swift/enums.swift.txt",
      2
    ),
  ]

  @Test("the Swift code of the guides is compiled with the tests", arguments: allGuides)
  func guides(guide: String, sources: String, minimumBlocks: Int) throws {
    func trimmed(_ text: some StringProtocol) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .joined(separator: "\n")
    }
    let code = try sources.split(separator: " ").map { trimmed(try text("Tests/\($0)")) }.joined()
    let blocks = try text("Docs/\(guide).md").split(separator: "```swift\n").dropFirst()
    #expect(blocks.count >= minimumBlocks)
    for block in blocks {
      let lines = block.prefix(upTo: block.firstRange(of: "```")?.lowerBound ?? block.endIndex)
      #expect(code.contains(trimmed(lines)), "\(lines)")
    }
  }
}
