import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler import apollo: what is left out", .timeLimit(.minutes(1)))
struct ImportLimitsTests {
  @Test("a document with a syntax error is copied and reported, and the others are translated")
  func syntax() throws {
    let project = try apolloProject("query A { a! }", schema: "type Query { a: Int }")
    try project.write(["app/b.graphql": "query B { a @nonnull }"])
    let result = runImport(project)
    #expect(result.exitCode == .errors)
    #expect(result.errors.contains("graphql/a.graphql:1:12: error: "), "\(result.errors)")
    #expect(importedFile("graphql/a.graphql", project) == "query A { a! }")
    #expect(importedFile("graphql/b.graphql", project) == "query B { a @required(action: THROW) }")
    let report = importedFile("Migration.md", project)
    #expect(report.contains("- `a.graphql:1` `syntax error`: "))
    #expect(report.contains("graphql/a.graphql:1:12: error: "))
  }

  @Test("a syntax error of the schema is reported at its place, and nothing is written")
  func schemaSyntax() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a Int }")
    let result = runImport(project)
    #expect(result.exitCode == .errors && result.errors.contains("/app/s.graphqls:1:16: error: "))
    #expect(project.read("app/relay/relay.config.json") == nil)
  }

  @Test("a symbolic link that leads nowhere is reported, and the other files are translated")
  func brokenLinks() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    try project.write([
      "app/apollo-codegen-config.json":
        #"{"schemaNamespace": "API", "input": {"schemaSearchPaths": ["*.graphqls"], "operationSearchPaths": ["*.graphql"]}}"#
    ])
    let app = project.folder.appendingPathComponent("app")
    for name in ["b.graphql", "t.graphqls"] {
      try FileManager.default.createSymbolicLink(
        atPath: app.appendingPathComponent(name).path, withDestinationPath: "/nowhere")
    }
    let result = runImport(project)
    #expect(result.exitCode == .success, "\(result.errors)")
    #expect(importedFile("graphql/a.graphql", project) == "query A { a }")
    let report = importedFile("Migration.md", project)
    for name in ["b.graphql", "t.graphqls"] {
      #expect(report.contains("- `\(name)` `symbolic link`: The link is broken"), "\(report)")
    }
  }

  @Test("an output in the folder of the documents is named as the reason why nothing is found")
  func outputIsInput() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    let result = runImport(project, "--output", project.folder.path + "/app")
    #expect(result.exitCode == .usage, "\(result.errors)")
    #expect(
      result.errors.contains("app\" is the output and was not searched."), "\(result.errors)")
    #expect(project.read("app/relay.config.json") == nil)
  }

  @Test("the output of an earlier import is left out, wherever it is, unless a pattern names it")
  func earlierImport() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    let configuration = { (paths: String) in
      "{\"schemaNamespace\": \"API\", \"input\": {\"schemaSearchPaths\": [\"s.graphqls\"], \"operationSearchPaths\": [\(paths)]}}"
    }
    try project.write(["app/apollo-codegen-config.json": configuration("\"**/*.graphql\"")])
    #expect(
      runImport(project, "--output", project.folder.path + "/app/App/relay").exitCode == .success)
    let second = runImport(project)
    #expect(second.exitCode == .success, "\(second.errors)")
    #expect(importedFile("graphql/a.graphql", project) == "query A { a }")
    let report = importedFile("Migration.md", project)
    #expect(report.contains("- `App/relay` `an earlier import`: Its files were left out"))
    #expect(
      report.contains(
        "- `apollo-codegen-config.json:1` `input.operationSearchPaths`: It matches the files of this import"
      ))
    #expect(report.contains("Add `\"!relay/**/*.graphql\"` to the list"))
    #expect(!report.contains("`input.schemaSearchPaths`"))
    // With the exclusion no work is left; a pattern that starts inside the folder still reads it.
    try project.write([
      "app/apollo-codegen-config.json": configuration(
        "\"**/*.graphql\", \"!third/**/*.graphql\", \"App/relay/graphql/*.graphql\"")
    ])
    let third = runImport(project, "--output", project.folder.path + "/app/third")
    #expect(third.exitCode == .errors && third.errors.contains("\"A\""))
    #expect(project.read("app/third/Migration.md")?.contains("It matches the files") == false)
  }

  @Test("documents in folders that the compiler leaves out by default are compiled")
  func excludedFolders() throws {
    let project = try apolloProject("query A { a! }", schema: "type Query { a: Int }")
    try project.write([
      "app/apollo-codegen-config.json":
        #"{"schemaNamespace": "API", "input": {"schemaSearchPaths": ["s.graphqls"], "operationSearchPaths": ["x/**/*.graphql"]}}"#,
      "app/x/node_modules/b.graphql": "query B { b }", "app/x/c.graphql": "query C { a }",
    ])
    let result = runImport(project)
    #expect(importedFile("relay.config.json", project).contains("\"excludes\": []"))
    let configuration = project.folder.appendingPathComponent("app/relay/relay.config.json").path
    let errors = runRelayCompiler(["validate", "--config", configuration]).errors
    #expect(result.exitCode == .errors && errors.contains("Cannot query field \"b\""), "\(errors)")
  }

  @Test("the links of a schema to Apollo's specifications are removed")
  func links() throws {
    let link = "@link(url: \"https://specs.apollo.dev/federation/v2.0\", import: [\"@key\"])"
    let project = try apolloProject(
      "query A { a }",
      schema: """
        extend schema \(link)
        directive @mine on SCHEMA
        schema \(link) @mine { query: Root }
        type Root { a: Int }
        """)
    let result = runImport(project)
    #expect(result.exitCode == .success && result.errors == "", "\(result.errors)")
    #expect(
      importedFile("schema.graphql", project) == """
        directive @mine on SCHEMA
        schema @mine { query: Root }
        type Root { a: Int }

        """)
  }

  @Test("the report says which keys a policy lacks")
  func incompletePolicy() throws {
    let project = try apolloProject(
      "query A { airports(codes: [1]) { code } }",
      schema: """
        type Query @fieldPolicy(forField: "airports", keyArgs: "codes") { airports(codes: [ID!]): [Airport!]! }
        type Airport @typePolicy(keyFields: "code country") { code: ID! country: String! }
        """)
    #expect(runImport(project).exitCode == .success)
    #expect(
      importedFile("Migration.md", project).contains(
        "`Airport` has 2 key fields (code, country), and the policy names 1 argument: write a `MissingFieldHandler.pluralLinked`"
      ))
  }
}
