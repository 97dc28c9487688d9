import Foundation
import Testing

@testable import RelayCompiler

@Suite("The output directory", .timeLimit(.minutes(10)))
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
}
