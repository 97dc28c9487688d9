import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler check: bad input", .timeLimit(.minutes(1)))
struct CheckInputTests {
  private static let text = "query Feed{me{id}}"
  private static let manifest = "{\n\"\(SHA256.hexadecimal(text))\": \"\(text)\"\n}"

  /// Runs `check` with these files.
  ///
  /// - Returns: The errors or the report, with paths in the project's folder.
  private func errors(
    _ files: [String: String], _ arguments: String...,
    code: CommandResult.ExitCode = .usage
  ) throws -> String {
    let defaults = [
      "new.graphql": "type Query { me: User } type User { id: ID! }", "1.json": Self.manifest,
      "src/Empty.swift": "",
    ]
    let project = try TemporaryProject(defaults.merging(files) { $1 })
    let folder = project.folder.path + "/"
    let words = arguments.map { $0.replacingOccurrences(of: "@", with: folder) }
    let result = project.run("check", words)
    #expect(result.exitCode == code)
    // Only errors that prevent the report are on standard error.
    #expect((code == .usage ? result.output : result.errors) == "")
    return (result.errors + result.output).replacingOccurrences(of: folder, with: "")
  }

  @Test("wrong arguments are mistakes that say what to write")
  func arguments() throws {
    let missing = try errors([:])
    #expect(missing.hasPrefix("error: Name the new schema with \"--schema FILE\".\nusage: "))
    for value in ["1.json", "=1.json", "1="] {
      let found = try errors([:], "--schema", "@new.graphql", "--operations", value)
      #expect(
        found.hasPrefix(
          "error: \"--operations\" takes a version and a file, such as 1.4=operations.json; found "
            + "\"\(value)\"."))
    }
    let alone = try errors([:], "--schema", "@new.graphql", "--against", "@new.graphql")
    #expect(alone.hasPrefix("error: \"--against\" is the schema of manifests."))
    let format = try errors([:], "--schema", "@new.graphql", "--format", "xml")
    #expect(format.hasPrefix("error: \"--format\" takes text, json, sarif or github."))
    let file = try errors([:], "--schema", "@none.graphql")
    #expect(file == "error: Cannot read \"none.graphql\": No such file or directory.\n")
  }

  @Test(
    "a broken schema is an error at its line",
    arguments: [
      (
        "type Query {\n  me: User\n",
        "new.graphql:3:1: error: Expected a name, found the end of the document."
      ),
      ("type Query { me: Nobody }", "new.graphql:1:18: error: Unknown type \"Nobody\"."),
      ("type User { id: ID! }", "error: Query root type must be provided."),
      ("{\"data\": {}}", "new.graphql:1:1: error: "),
      ("{\"data\": ", "new.graphql:1:10: error: "),
      ("type Query { a: \(String(repeating: "[", count: 1000))Int }", "new.graphql:1:"),
    ])
  func schema(text: String, message: String) throws {
    let errors = try errors(["new.graphql": text], "--schema", "@new.graphql")
    #expect(errors.hasPrefix(message), "\(errors)")
    #expect(errors.hasSuffix("error: \"new.graphql\" is not a valid schema.\n"))
  }

  @Test("of a schema with many errors, the first are shown")
  func manyErrors() throws {
    let fields = (0..<1000).map { "a\($0): X\($0)\n" }.joined()
    let errors = try errors(["new.graphql": "type Query {\n\(fields)}"], "--schema", "@new.graphql")
    #expect(errors.contains("\n980 more errors.\n"))
  }

  @Test("a schema of 20,000 types is checked")
  func hugeSchema() throws {
    let types = (0..<20_000).map { "type T\($0) { a: Int, b: T\(($0 + 1) % 20_000) }\n" }.joined()
    let text = "type Query { me: User t: T0 } type User { id: ID! }\n" + types
    let errors = try errors(
      ["new.graphql": text], "--schema", "@new.graphql", "--operations", "1=@1.json", code: .success
    )
    #expect(errors == "0 breaking, 0 dangerous, 0 safe; 1 operation checked.\n")
  }

  private static let hash = SHA256.hexadecimal(text)

  @Test(
    "a manifest that cannot be read is an error at its line",
    arguments: [
      ("{\n\"a\": \"query Q{me", "2:17: error: Unterminated string."),
      (
        "{\n\"a\": \"query Q{me{id\"}",
        "2:1: error: The text of \"a\" is not an operation: Expected a name"
      ),
      (
        "{\n\"a\": \"{me{id}}\"}",
        "2:1: error: The text of \"a\" is not an operation: "
          + "Expected one named operation, found one without a name."
      ),
      (
        "{\n\"a\": \"query A{me{id}} query B{me{id}}\"}",
        "2:1: error: The text of \"a\" is not an "
          + "operation: Expected one named operation, found 2."
      ),
      (
        "{\n\"a\": \"fragment A on User{id}\"}",
        "2:1: error: The text of \"a\" is not an operation: "
          + "Expected one named operation, found 0."
      ),
      (
        "{\n\"a\": \"type A{id:ID}\"}",
        "2:1: error: The text of \"a\" is not an operation: "
          + "It defines types."
      ),
      ("{\n\"a\": 1}", "2:1: error: \"a\" is a number; it must be a string."),
      (
        "{\n\"\(hash)\": \"query Feed{me{id\"}",
        "2:1: error: \"\(hash)\" is not the SHA-256 of its "
          + "text; the manifest is damaged."
      ),
      ("[]", "1:1: error: The file is a list; it must be an object."),
      (
        "{\"format\": \"other\"}",
        "1:2: error: \"format\" is not the format of an operation manifest."
      ),
      (
        "{\"format\": \"apollo-persisted-query-manifest\",\n\"version\": 2}",
        "2:1: error: \"version\" "
          + "is 2; only version 1 is supported."
      ),
      (
        "{\"format\": \"apollo-persisted-query-manifest\", \"version\": 1}",
        "1:1: error: "
          + "\"operations\" is missing."
      ),
      (
        "{\n\"a\": \"query A{me{nam}}\"}",
        "2:1: error: Operation \"A\" does not fit the schema that "
          + "it is compared with: Cannot query field \"nam\" on type \"User\". Did you mean \"name\"? "
          + "Name the schema that the manifest was made with by --against."
      ),
    ])
  func manifest(text: String, message: String) throws {
    let errors = try errors(
      ["1.json": text], "--schema", "@new.graphql", "--operations", "1=@1.json")
    #expect(errors.hasPrefix("1.json:" + message), "\(errors)")
  }

  @Test("a manifest with 20,000 nested or chained fragments is refused or checked, without a crash")
  func deepManifest() throws {
    let nested = String(repeating: "{me", count: 20_000)
    let refused = try errors(
      ["1.json": "{\"a\": \"query Q\(nested)\"}"], "--schema", "@new.graphql", "--operations",
      "1=@1.json")
    #expect(refused.hasPrefix("1.json:1:2: error: The text of \"a\" is not an operation: "))
    let chain = (0..<20_000).map { "fragment F\($0) on User{...F\($0 + 1)}" }.joined()
    let text = "query Q{me{...F0}}\(chain)fragment F20000 on User{id}"
    let checked = try errors(
      ["1.json": "{\"a\": \"\(text)\"}"], "--schema", "@new.graphql", "--operations", "1=@1.json",
      code: .success)
    #expect(checked == "0 breaking, 0 dangerous, 0 safe; 1 operation checked.\n")
  }

  @Test(
    "a file of counts that cannot be read is an error at its line",
    arguments: [
      (
        "{\n\"Fed\": 1}",
        "2:1: error: No document and no manifest has an operation \"Fed\". "
          + "Did you mean \"Feed\"?"
      ),
      ("{\"Feed\": \"1\"}", "1:2: error: \"Feed\" is a string; it must be a number."),
      ("{\"Feed\": -1}", "1:2: error: \"Feed\" is negative; it must be a count."),
      ("{\"Feed\": 1", "1:11: error: Expected \",\" or \"}\"."),
      ("1", "1:1: error: The file is a number; it must be an object."),
    ])
  func counts(text: String, message: String) throws {
    let errors = try errors(
      ["counts.json": text], "--schema", "@new.graphql", "--operations", "1=@1.json", "--usage",
      "@counts.json")
    #expect(errors.hasPrefix("counts.json:" + message), "\(errors)")
  }

  @Test("errors in the project's own documents are reported as by validate")
  func documents() throws {
    let errors = try errors(
      ["src/A.swift": "graphql(\"query A { nobody }\")"], "--schema", "@new.graphql", code: .errors)
    #expect(errors.hasPrefix("src/A.swift:1:20: error: Cannot query field \"nobody\""))
  }
}
