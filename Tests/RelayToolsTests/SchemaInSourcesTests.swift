import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("A schema in the folder of its documents", .timeLimit(.minutes(1)))
struct SchemaInSourcesTests {
  private func project() throws -> TemporaryProject {
    try TemporaryProject([
      "app/schema.graphql": "type Query { me: User } type User { id: ID! name: String! }",
      "app/client.graphql": "extend type User { draft: String }",
      "app/Feed.swift": "let feed = graphql(\"query Feed { me { name draft } }\")",
      "app/relay.config.json": #"""
      {"schema": "schema.graphql", "schemaExtensions": ["client.graphql"],
        "artifactDirectory": "__generated__"}
      """#,
    ])
  }

  @Test(
    "no command reads the schema or an extension of it as a document",
    arguments: ["compile", "validate", "operations"])
  func configured(_ command: String) throws {
    let project = try project()
    let config = project.folder.appendingPathComponent("app/relay.config.json").path
    let result = runRelayCompiler([command, "--config", config])
    #expect(result.exitCode == .success && result.errors == "")
  }

  @Test(
    "a schema that is given with --schema is no document, by whatever path",
    arguments: [[], ["--spec"]])
  func named(_ options: [String]) throws {
    let project = try project()
    let folder = project.folder.appendingPathComponent("app").path
    let link = project.folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    let schemas = ["--schema", link + "/schema.graphql", "--schema", folder + "/client.graphql"]
    for documents in [[folder], [folder + "/schema.graphql", folder + "/Feed.swift"]] {
      let result = runRelayCompiler(["validate"] + options + schemas + documents)
      #expect(result == CommandResult(.success))
    }
    let wrong = runRelayCompiler(
      ["validate"] + options + ["--schema", folder + "/schema.graphql", folder])
    #expect(wrong.exitCode == .errors, "the extension is a file like any other here")
  }

  @Test("the schema of another module is no document of that module")
  func modules() throws {
    for config in [nil, #"{"schema": "base.graphql", "schemaExtensions": ["more.graphql"]}"#] {
      let project = try project()
      let text = try #require(project.read("app/schema.graphql"))
      let name = config == nil ? "schema" : "base"
      try project.write([
        "base/\(name).graphql": text,
        "base/User.swift": "let user = graphql(\"fragment Base_user on User { id }\")",
        "app/relay.config.json": #"""
        {"schema": "schema.graphql", "schemaExtensions": ["client.graphql"],
          "artifactDirectory": "__generated__", "modules": {"Base": "../base"}}
        """#,
        "app/Feed.swift": "let feed = graphql(\"query Feed { me { draft ...Base_user } }\")",
      ])
      if let config {
        try project.write([
          "base/relay.config.json": config, "base/more.graphql": "extend type User { more: Int }",
        ])
      }
      let file = project.folder.appendingPathComponent("app/relay.config.json").path
      let result = runRelayCompiler(["compile", "--config", file])
      #expect(result.exitCode == .success && result.errors == "")
    }
  }
}
