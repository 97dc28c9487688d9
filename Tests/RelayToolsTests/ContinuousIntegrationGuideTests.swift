import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// The commands of Docs/ContinuousIntegration.md print the output shown on the page.
@Suite("The guide to continuous integration", .timeLimit(.minutes(1)))
struct ContinuousIntegrationGuideTests {
  private let blocks: [(info: String, text: String)]
  private let project: TemporaryProject

  init() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("Docs/ContinuousIntegration.md"), encoding: .utf8)
    let parts = page.split(separator: "```", omittingEmptySubsequences: false)
    blocks = parts.enumerated().filter { $0.offset % 2 == 1 }.map { _, part in
      let line = part.firstIndex(of: "\n") ?? part.endIndex
      return (String(part[..<line]), String(part[line...].dropFirst()))
    }
    let json = blocks.filter { $0.info == "json" }.map(\.text)
    project = try TemporaryProject([
      "schema.graphql": """
      type Query { feed(first: Int): [Todo!]! }
      type Todo { id: ID! text: String! isComplete: Boolean! }
      """,
      "relay.config.json": try #require(json.first),
      "Sources/Inbox.swift": try #require(blocks.first { $0.info == "swift" }?.text),
    ])
  }

  /// Runs the commands of a session, and returns the session with their output.
  private func run(_ session: String) -> (text: String, codes: [CommandResult.ExitCode]) {
    var (text, codes) = ("", [CommandResult.ExitCode]())
    for line in session.split(separator: "\n") where line.hasPrefix("$ relay-compiler ") {
      let arguments = line.split(separator: " ").dropFirst(2).map { word in
        // The files are in the project's folder.
        String(word).replacing(/[a-z]+\.(graphql|json)$/) { "\(project.folder.path)/\($0.0)" }
      }
      let result = project.run(arguments[0], Array(arguments.dropFirst()))
      // Unlike on the page, the project is not in the current folder.
      let printed = (result.output + result.errors)
        .replacingOccurrences(of: project.folder.path + "/", with: "")
      text += "\(line)\n\(printed)"
      codes.append(result.exitCode)
    }
    return (text, codes)
  }

  @Test("the sessions are those of the tool, before and after an edit")
  func sessions() throws {
    let sessions = blocks.map(\.text).filter { $0.hasPrefix("$ ") }
    try #require(sessions.count == 4)
    for session in sessions.prefix(2) {
      let (text, codes) = run(session)
      #expect(text == session)
      #expect(codes.allSatisfy { $0 == .success })
    }
    let manifest = try #require(blocks.last { $0.info == "json" }?.text)
    #expect(project.read("operations.json") == manifest)
    let source = try #require(project.read("Sources/Inbox.swift"))
    try project.write([
      "Sources/Inbox.swift": source.replacingOccurrences(of: " isComplete", with: "")
    ])
    let (text, codes) = run(sessions[2])
    #expect(text == sessions[2])
    #expect(codes == [.success, .errors, .errors])
    let schema = try #require(project.read("schema.graphql"))
    try project.write([
      "new.graphql": schema.replacingOccurrences(of: " isComplete: Boolean!", with: "")
    ])
    let (checked, code) = run(sessions[3])
    #expect(checked == sessions[3])
    #expect(code == [.errors])
  }
}
