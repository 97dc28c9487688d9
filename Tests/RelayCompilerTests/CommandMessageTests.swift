import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Messages about files and the configuration", .timeLimit(.minutes(10)))
struct CommandMessageTests {
  private let feed = "let q = graphql(\"query Feed { me { name } }\")\n"

  private static func configuration(output: String) -> String {
    #"{"schema": "schema.graphql", "src": "src", "artifactDirectory": "\#(output)"}"#
  }

  private func project(output: String) throws -> TemporaryProject {
    try TemporaryProject([
      "src/Feed.swift": feed, "relay.config.json": Self.configuration(output: output),
    ])
  }

  // MARK: Writing

  @Test("a folder that cannot be made is named with the reason")
  func folder() throws {
    let project = try project(output: "deep/\(String(repeating: "a", count: 300))")
    let result = project.compile()
    #expect(result.exitCode == .usage)
    let path = project.folder.path + "/deep/" + String(repeating: "a", count: 300)
    #expect(result.errors.contains("\"\(path)\": File name too long."), "\(result.errors)")
    try project.write(["relay.config.json": Self.configuration(output: "link/out")])
    try FileManager.default.createSymbolicLink(
      atPath: project.folder.path + "/link", withDestinationPath: project.folder.path + "/nowhere")
    #expect(
      project.compile().errors
        == "error: Cannot create the folder \"\(project.folder.path)/link\": "
        + "a symbolic link to nothing has its name.\n")
  }

  @Test("a folder of generated files that is a link to nothing, or a file, is named")
  func occupied() throws {
    for isLink in [true, false] {
      let project = try project(output: "out")
      let path = project.folder.path + "/out"
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: project.folder.path + "/nowhere")
      } else {
        try project.write(["out": "text"])
      }
      let result = project.compile()
      #expect(result.exitCode == .usage)
      #expect(result.errors.hasPrefix("error: Cannot ") && result.errors.contains("\"\(path)\": "))
      #expect(!isLink || result.errors.contains("create the folder"), "\(result.errors)")
    }
  }

  @Test("a manifest that cannot be written is named with the reason")
  func manifest() throws {
    let project = try project(output: "out")
    let path = project.folder.path + "/none/operations.json"
    let result = project.run("operations", ["--output", path])
    #expect(result.exitCode == .usage)
    #expect(result.errors == "error: Cannot write \"\(path)\": No such file or directory.\n")
  }

  @Test("the generated files of a folder that is removed meanwhile are written again")
  func removedFolder() throws {
    let project = try project(output: "a/b/out")
    #expect(project.compile().exitCode == .success)
    try project.remove("a")
    #expect(project.compile().output.hasSuffix("2 files, 2 changed\n"))
  }

  // MARK: The configuration

  @Test(
    "without a configuration each command says what it takes instead",
    arguments: [
      (["compile"], ", or a schema with --schema."), (["watch"], ", or a schema with --schema."),
      (["validate"], ", or a schema with --schema."), (["format"], ", or the files to format."),
      (["explain", "A"], "."), (["unused"], "."), (["operations"], "."),
    ])
  func noConfiguration(arguments: [String], rest: String) {
    let result = runRelayCompiler(arguments)
    #expect(result.exitCode == .usage)
    #expect(
      result.errors == "error: There is no relay.config.json here. Name one with --config\(rest)\n")
  }
}
