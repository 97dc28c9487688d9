import Foundation
import Testing

@testable import RelayCompiler

@Suite("The output directory", .timeLimit(.minutes(1)))
struct OutputDirectoryTests {
  private let project: TemporaryProject

  init() throws {
    project = try TemporaryProject([
      "schema.graphql": "type Query { at: Int }", "src/A.swift": "graphql(\"query A { at }\")",
    ])
  }

  @Test(
    "an unreadable file is not treated as a missing one", arguments: [true, false])
  func unreadable(isListed: Bool) throws {
    #expect(project.compile().exitCode == .success)
    let name = isListed ? "out/A.graphql.swift" : "out"
    let place = project.folder.appendingPathComponent(name).path
    try FileManager.default.removeItem(atPath: place)
    // A symbolic link to itself exists, but cannot be read.
    try FileManager.default.createSymbolicLink(
      atPath: place, withDestinationPath: (name as NSString).lastPathComponent)
    let result = project.compile()
    #expect(result.exitCode != .success)
    #expect(result.errors.contains("Cannot read \"") && result.errors.contains(name))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: place)
        == (name as NSString).lastPathComponent)
    try FileManager.default.removeItem(atPath: place)
    #expect(project.compile().exitCode == .success)
  }

  @Test("a file whose name changes in case only is written after its old name is removed")
  func changedCase() throws {
    #expect(project.compile().exitCode == .success)
    // Without a case-sensitive file system both paths lead to the file, and it has one name.
    let out = project.folder.appendingPathComponent("out")
    let (old, new) = ("A.graphql.swift", "a.graphql.swift")
    try FileManager.default.linkItem(
      at: out.appendingPathComponent(old), to: out.appendingPathComponent(new))
    let text = try #require(project.read("out/\(old)"))
    let file = GeneratedFile(name: new, content: Array(text.utf8))
    let changes = try OutputDirectory(out).changes(
      for: [file], keeping: [new], existing: [old])
    #expect(changes.write == [file] && changes.remove == [old])
    let kept = try OutputDirectory(out).changes(for: [file], keeping: [new], existing: [new])
    #expect(kept.isEmpty)
  }
}
