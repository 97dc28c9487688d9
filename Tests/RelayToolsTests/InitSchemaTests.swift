import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("the schema of relay-compiler init", .timeLimit(.minutes(1)))
struct InitSchemaTests {
  private static let schema = "type Query { me: User } type User { id: ID! name: String! }"
  private static let json = """
    {"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":[{"kind":"OBJECT","name":"Query",
    "fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}}
    """

  /// Returns the `schema` found in a folder, or the error. On an error no file is written.
  private func found(_ files: [String: String], _ arguments: String...) throws -> String {
    let project = try TemporaryProject(only: files.merging(["App/A.swift": ""]) { $1 })
    let result = project.initialize(arguments)
    guard result.exitCode != .usage else {
      #expect(project.read("relay.config.json") == nil)
      return result.errors
    }
    let configuration = try Configuration(
      file: project.folder.appendingPathComponent("relay.config.json"))
    return configuration.schema.lastPathComponent
  }

  @Test("without a schema the error says what one is, and names files with parts of one")
  func noSchema() throws {
    #expect(try found([:]).hasPrefix("error: No schema found here"))
    #expect(
      try found(["a.graphql": "type A { b: Int }", "b.graphql": "type B { c: Int }"])
        == "error: No file is a schema with a query type. A schema is one file. These have type definitions:\n"
        + "  a.graphql\n  b.graphql\n")
    let broken = try found(["a.graphql": "type A { b: Int }", "b.graphql": "type Query {"])
    #expect(broken.hasPrefix("b.graphql:1:13: error: "), "\(broken)")
    #expect(
      broken.hasSuffix(
        "type definitions:\n  a.graphql\n  b.graphql (has a syntax error)\n"), "\(broken)")
    #expect(try found([:], "--schema", "no.graphql").contains("Cannot read"))
  }

  @Test("the syntax error of the only file that may be the schema is shown, and documents are none")
  func brokenSchema() throws {
    let files = ["a.gql": "type Query { a: Foo ", "b.graphql": "query A { type "]
    let error = try found(files)
    #expect(error.contains("a.gql:1:21: error: "), "\(error)")
    #expect(
      error.hasSuffix("The only file that may be the schema, \"a.gql\", has this syntax error.\n"))
  }

  @Test(
    "a file called a schema is not passed over because of a syntax error",
    arguments: ["typ Query { a: Int }", "query Query {", "{", "", "\t"])
  func namedSchema(text: String) throws {
    for path in ["schema.graphql", "Sources/server-schema.docs.graphqls"] {
      let error = try found([path: text])
      #expect(error.hasPrefix("\(path):1:"), "\(error)")
      #expect(
        error.hasSuffix(
          "The only file that may be the schema, \"\(path)\", has this syntax error.\n"))
    }
  }

  @Test("the error of damaged introspection JSON is shown at its location")
  func damagedJSON() throws {
    let damaged = try found(["schema.json": String(Self.json.prefix(120)), "package.json": "{"])
    #expect(damaged.hasPrefix("schema.json:2:13: error: "), "\(damaged)")
    #expect(
      damaged.hasSuffix(
        "The only file that may be the schema, \"schema.json\", has this syntax error.\n"))
    let misnamed = try found(["a.graphql": String(Self.json.prefix(120)), "b.json": Self.json])
    #expect(misnamed.hasSuffix("\n  a.graphql (has a syntax error)\n  b.json\n"), "\(misnamed)")
    let refused = try found([
      "schema.json":
        "{\"data\": {\"__schema\": null}, \"errors\": [{\"message\": \"No introspection\"}]}"
    ])
    #expect(refused.contains("The server says: No introspection."), "\(refused)")
    // JSON that merely mentions the name is not a schema.
    let files = ["names.json": "[\"__schema\"]", "api.json": Self.json]
    #expect(try found(files) == "api.json")
  }

  @Test("beside a schema, a file with type definitions and a syntax error is not passed over")
  func brokenBesideSchema() throws {
    let files = [
      "schema.graphql": "type Query {\n  a: [Int\n}", "Sources/backup.graphql": Self.schema,
    ]
    let error = try found(files)
    #expect(error.hasPrefix("schema.graphql:3:1: error: "), "\(error)")
    #expect(
      error.hasSuffix(
        "There are 2 schemas. Name one with --schema:\n  Sources/backup.graphql\n"
          + "  schema.graphql (has a syntax error)\n"), "\(error)")
    #expect(try found(files, "--schema", "Sources/backup.graphql") == "backup.graphql")
    #expect(
      try found(["a.graphql": Self.schema, "b.graphql": "extend type User {"]) == "a.graphql")
  }

  @Test(
    "a file that --schema names is checked before anything is written",
    arguments: [
      (
        "docs.graphql", "query A { me { name } }",
        "error: \"docs.graphql\" is not a schema: it has operations or fragments, but no type "
          + "definitions.\n"
      ),
      (
        "part.graphql", "type A { b: Int }",
        "error: \"part.graphql\" is not a schema: it has type definitions, but no query type. "
      ),
      (
        "none.graphql", "directive @a on FIELD",
        "error: \"none.graphql\" is not a schema: it has no type definitions.\n"
      ),
      ("a.graphql", "type Query {\n  a: [Int\n}", "a.graphql:3:1: error: "),
      ("d.graphql", "query A {", "d.graphql:1:10: error: "),
      ("j.json", "{\"a\": 1}", "j.json:1:1: error: The JSON has no \"__schema\""),
      ("j.json", String(json.prefix(120)), "j.json:2:13: error: "),
    ])
  func namedFile(path: String, text: String, error: String) throws {
    let files = [path: text, "schema.graphql": Self.schema]
    let result = try found(files, "--schema", path)
    #expect(result.hasPrefix(error), "\(result)")
    #expect(try found(files, "--schema", "schema.graphql") == "schema.graphql")
  }
}
