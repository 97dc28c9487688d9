import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("What the commands write", .timeLimit(.minutes(1)))
struct OutputTests {
  private func project() throws -> TemporaryProject {
    let project = try TemporaryProject([
      "src/Feed.graphql": "query Feed { me { name } }",
      "Wrong.graphql": "query Wrong { nowhere }", "none/README": "", "init/schema.graphql": "",
      "apollo/schema.graphqls": "type Query { me: Int }", "apollo/Me.graphql": "query Me { me }",
      "apollo/apollo-codegen-config.json": """
      {"schemaNamespace": "API", "input": {"schemaSearchPaths": ["schema.graphqls"],
        "operationSearchPaths": ["**/*.graphql"]},
        "output": {"schemaTypes": {"path": "out", "moduleType": {"other": {}}},
        "operations": {"inSchemaModule": {}}}}
      """,
    ])
    try project.write(["init/schema.graphql": project.read("schema.graphql") ?? ""])
    return project
  }

  /// Arguments that make each command print output, with the folder and the input of its process.
  private static let prints: [(arguments: [String], folder: String, input: String)] = [
    (["--help"], "", ""), (["--version"], "", ""), (["compile", "--help"], "", ""),
    (["compile"], "", ""), (["watch"], "", ""), (["validate", "--format", "json"], "", ""),
    (["validate", "--format", "json", "Wrong.graphql"], "", ""),
    (["format"], "", ""), (["format", "-"], "", "{me}"), (["explain", "FeedQuery"], "", ""),
    (["unused", "--format", "json"], "", ""), (["operations"], "", ""),
    (["operations", "--output", "manifest.json"], "", ""), (["print", "src/Feed.graphql"], "", ""),
    (["schema", "print", "schema.graphql"], "", ""), (["init"], "init", ""),
    (["import", "apollo"], "apollo", ""), (["completion", "bash"], "", ""),
    (["check", "--schema", "schema.graphql", "--format", "json"], "", ""),
    (["lsp"], "", Self.framed(#"{"jsonrpc": "2.0", "id": 1, "method": "initialize"}"#)),
    (["mcp"], "", #"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"# + "\n"),
  ]

  private static func framed(_ body: String) -> String {
    "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test("every command has a test of its output")
  func commands() {
    let names = Set(Self.prints.compactMap(\.arguments.first))
    #expect(names.isSuperset(of: Command.all.map(\.name)))
  }

  @Test("output that cannot be written is an error of every command", arguments: prints.indices)
  func failures(index: Int) throws {
    let (arguments, folder, input) = Self.prints[index]
    var redirections = [(">&-", "Bad file descriptor")]
    #if os(Linux)
      redirections.append((">/dev/full", "No space left on device"))
    #endif
    for (redirection, reason) in redirections {
      let project = try project()
      let result = try BuiltProgram.run(
        arguments, redirection, in: project.folder.appendingPathComponent(folder), input: input)
      #expect(result.code == 2, "\(arguments) \(redirection): \(result.errors)")
      #expect(
        result.errors.hasSuffix("error: Cannot write \"<stdout>\": \(reason).\n"),
        "\(arguments) \(redirection): \(result.errors)")
    }
  }

  @Test("a command that prints nothing needs no output")
  func nothing() throws {
    let project = try project()
    let result = try BuiltProgram.run(["validate"], ">&- 2>&- <&-", in: project.folder)
    #expect(result.code == 0)
  }

  @Test("a file is not written into with what is meant for a closed output")
  func closed() throws {
    let project = try project()
    let result = try BuiltProgram.run(
      ["operations", "--output", "manifest.json"], ">&- 2>&- <&-", in: project.folder)
    #expect(result.code == 2)
    #expect(project.read("manifest.json")?.hasPrefix("{\n") == true)
    #expect(project.read("manifest.json")?.hasSuffix("\n}\n") == true)
  }
}
