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

  /// The guides, the sources that contain their code, and the minimum number of code blocks.
  static let allGuides: [(String, String, Int)] = [
    ("Pagination", "Guides/PaginationGuide.swift", 4),
    ("Queries", "Guides/QueriesGuide.swift", 4),
    ("Mutations", "Guides/MutationsGuide.swift", 8),
    ("Views", "Guides/ViewsGuide.swift AppleFrameworks/SwiftUIExample.swift", 6),
    ("Offline", "Guides/OfflineGuide.swift Guides/ProcessesGuide.swift", 13),
    ("Subscriptions", "Guides/SubscriptionsGuide.swift", 4),
    ("Sessions", "Guides/SessionsGuide.swift", 3),
    ("Uploads", "Guides/UploadsGuide.swift", 2),
    (
      "ClientState",
      "GeneratedCode/StateGuide.swift AppleFrameworks/CoreDataExample.swift AppleFrameworks/SwiftDataExample.swift Guides/LocalQueriesGuide.swift Guides/ObjectsGuide.swift",
      16
    ),
    ("Testing", "Guides/TestingGuide.swift", 8),
    (
      "Modules",
      "Modules/Base/Avatar.swift Modules/Base/CustomScalars/Moment.swift Modules/Cards/Card.swift Modules/Types/Types.swift Modules/Screens/Screen.swift Modules/Tests/ModuleTests.swift",
      7
    ),
    ("Servers", "Guides/ServersGuide.swift", 2),
    ("Debugging", "Guides/DebuggingGuide.swift", 5),
    ("ComingFromApollo", "Guides/ComingFrom.swift AppleFrameworks/SwiftUIExample.swift", 3),
    ("ComingFromRelay", "Guides/ComingFrom.swift", 2),
    (
      "Reference/Networking", "Guides/NetworkingGuide.swift AppleFrameworks/LoggingExample.swift",
      8
    ),
    ("Reference/Errors", "Guides/ErrorsGuide.swift", 1),
    (
      "Reference/PlanNotation",
      "RelayCompilerTests/Golden/swift/fragment.swift.txt RelayCompilerTests/Golden/swift/enums.swift.txt",
      2
    ),
    (
      "Reference/Compiler", "Modules/Base/Avatar.swift GeneratedCode/UpdatableTests.swift", 2
    ),
    (
      "Reference/Fragments",
      "GeneratedCode/CustomScalars/Moment.swift GeneratedCode/Scalars.swift GeneratedCode/ScalarsGuide.swift",
      3
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
