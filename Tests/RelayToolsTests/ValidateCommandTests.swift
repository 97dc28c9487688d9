import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler validate", .timeLimit(.minutes(1)))
struct ValidateCommandTests {
  @Test("conflicts due to fragment arguments are reported once, as compile reports them")
  func conflicts() throws {
    let project = try TemporaryProject([
      "schema.graphql": "type Query { me: User } type User { id: ID! name(length: Int): String }",
      "src/Feed.graphql": """
      query Feed { me { ...Name @arguments(length: 1) ...Other } }
      fragment Name on User @argumentDefinitions(length: {type: "Int"}) { name(length: $length) }
      fragment Other on User { name(length: 2) }
      """,
    ])
    let files = ["schema.graphql", "src/Feed.graphql"]
      .map { project.folder.appendingPathComponent($0).path }
    let validated = runRelayCompiler(["validate", "--schema", files[0], files[1]])
    let compiled = project.compile()
    let message = "because fragments with different arguments give them differing arguments"
    for result in [validated, compiled] {
      let text = result.output + result.errors
      #expect(text.components(separatedBy: message).count == 2, "\(text)")
    }
    let specified = runRelayCompiler(["validate", "--spec", "--schema", files[0], files[1]])
    #expect(!(specified.output + specified.errors).contains(message))
  }

  @Test(
    "errors that compile reports after validation are reported by validate in the same words",
    arguments: [
      ("query Q { me { name @match } }", "unsupported-directive"),
      ("query Q { me { name @required(action: SOMETIMES) } }", "required-directive"),
      ("query Q { me { ...F @alias(as: \"a b\") } } fragment F on User { id }", "alias"),
      ("query Feed { me { id } } fragment FeedQuery on User { id }", "swift-names"),
      ("subscription S { nowhere }", "known-operation-types"),
      ("fragment F on User @refetchable(queryName: \"Again\") { id }", "refetchable-directive"),
      (
        "query Q { me { ...F @arguments(n: 1) ...F @arguments(n: 2) } } "
          + "fragment F on User @argumentDefinitions(n: {type: Int}) { name(length: $n) }",
        "fragment-arguments"
      ),
      (
        "query Q { me { ...F @relay(mask: false) } } "
          + "fragment F on User { friends @connection(key: \"F_friends\") { id } }",
        "connection-directive"
      ),
    ])
  func pipeline(document: String, rule: String) throws {
    let project = try TemporaryProject([
      "schema.graphql":
        "type Query { me: User } type User { id: ID! name(length: Int): String friends: [User] }",
      "src/Feed.graphql": document,
    ])
    let files = ["schema.graphql", "src/Feed.graphql"]
      .map { project.folder.appendingPathComponent($0).path }
    let compiled = project.compile()
    #expect(compiled.exitCode == .errors && compiled.errors.contains("[\(rule)]"))
    #expect(project.run("validate").errors == compiled.errors)
    let named = runRelayCompiler(["validate", "--schema", files[0], files[1]])
    #expect(named.exitCode == .errors && named.errors == compiled.errors)
    let specified = runRelayCompiler(["validate", "--spec", "--schema", files[0], files[1]])
    #expect(!specified.errors.contains("[\(rule)]"))
  }

  @Test("validate with a configuration checks its extensions and key fields, and writes nothing")
  func configuration() throws {
    let project = try TemporaryProject([
      "client.graphql": "extend type User { draft: String }",
      "src/Feed.graphql": "query Feed { me { name draft } }",
      "relay.config.json": #"""
      {"schema": "schema.graphql", "schemaExtensions": ["client.graphql"], "src": "src",
        "artifactDirectory": "out"}
      """#,
    ])
    let result = project.run("validate")
    #expect(result == CommandResult(.success))
    #expect(project.read("out/Feed.graphql.swift") == nil)
    try project.write(["src/Feed.graphql": "query Feed { me { nmae } }"])
    let json = project.run("validate", ["--format", "json"])
    #expect(json.exitCode == .errors && json.output.contains("\"fields-on-correct-type\""))
  }

  @Test("a schema from introspection compiles like its SDL")
  func introspection() throws {
    let project = try TemporaryProject([
      "schema.json": #"""
      {"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [
        {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
          {"name": "greeting", "args": [], "type": {"kind": "SCALAR", "name": "String"}}]}]}}
      """#,
      "relay.config.json":
        #"{"schema": "schema.json", "src": "src", "artifactDirectory": "out"}"#,
      "src/Feed.graphql": "query Feed { greeting }",
    ])
    let result = project.compile()
    #expect(result.exitCode == .success && result.errors == "")
    #expect(project.read("out/Feed.graphql.swift")?.contains("var greeting: String?") == true)
  }

  @Test("invalid combinations of arguments are usage errors")
  func usage() throws {
    for arguments in [
      ["--spec"], ["--config", "a", "--schema", "b"], ["--schema"],
      ["--format", "x"],
      ["--what"],
    ] {
      let result = runRelayCompiler(["validate"] + arguments)
      #expect(result.exitCode == .usage && result.errors.contains("usage:"), "\(arguments)")
    }
  }

  @Test(
    "a file of a configured project is checked as a part of it, and others' problems are left out")
  func namedFiles() throws {
    let project = try TemporaryProject([
      "src/A.graphql": "query A { me { ...B nam } }", "src/B.graphql": "fragment B on User { nam }",
      "src/D.graphql": "query D { me { id } }", "new/C.graphql": "query C { me { ...B id } }",
    ])
    let path = { (name: String) in project.folder.path + "/" + name }
    let named = project.run("validate", [path("src/A.graphql")])
    #expect(named.exitCode == .errors && named.errors.contains("A.graphql:1:21: error: "))
    #expect(!named.errors.contains("B.graphql") && !named.errors.contains("Unknown fragment"))
    #expect(project.run("validate", [path("new/C.graphql")]) == CommandResult(.success))
    #expect(project.run("validate", [path("src/D.graphql")]) == CommandResult(.success))
    #expect(project.run("validate", [path("src")]).errors.contains("B.graphql:1:22: error: "))
    #expect(project.run("validate", [path("src/No.graphql")]).exitCode == .usage)
    try project.write(["schema.graphql": "type Query { me: User "])
    #expect(project.run("validate", [path("new/C.graphql")]).errors.contains("schema.graphql:1:23"))
  }

  @Test("columns in text are bytes, as those of swiftc, and UTF-16 units in JSON")
  func columns() throws {
    let project = try TemporaryProject([
      "src/A.swift": #"/* 🐈🐈 */ let q1 = graphql("query Me { me { nmae } }")"#
    ])
    let text = project.run("validate").errors
    #expect(text.contains("src/A.swift:1:50: error: "), "\(text)")
    let lines = text.split(separator: "\n")
    let mark = try #require(lines.last { $0.contains("^") })
    // An emoji takes two columns of a terminal.
    #expect(mark.prefix { $0 != "^" }.count == 4 + 45)
    #expect(project.run("validate", ["--format", "json"]).output.contains("\"column\": 46}"))
  }

  @Test("a file that is not regular is skipped with a warning, and is an error where it is named")
  func irregular() throws {
    let project = try TemporaryProject(["src/Feed.swift": ""])
    func path(_ name: String) -> String { project.folder.appendingPathComponent(name).path }
    #expect(mkfifo(path("src/Pipe.swift"), 0o600) == 0)
    #expect(symlink("/dev/zero", path("src/Zero.graphql")) == 0)
    #expect(symlink(path("src"), path("src/Folder.swift")) == 0)
    #expect(symlink("Feed.swift", path("src/Link.swift")) == 0)
    try project.write(["src/Feed.swift": "// none"])
    for result in [
      project.compile(), project.run("validate"),
      runRelayCompiler(["validate", "--schema", path("schema.graphql"), path("src")]),
      runRelayCompiler(["validate", "--spec", "--schema", path("schema.graphql"), path("src")]),
    ] {
      #expect(result.exitCode == .success)
      for name in ["Pipe.swift", "Zero.graphql", "Folder.swift"] {
        #expect(result.errors.contains("src/\(name)\" is not a regular file and was skipped."))
      }
      #expect(!result.errors.contains("Link.swift"))
    }
    for name in ["src/Pipe.swift", "src/Zero.graphql"] {
      for arguments in [
        ["validate", "--schema", path("schema.graphql"), path(name)],
        ["validate", "--schema", path(name)], ["print", path(name)],
        ["compile", "--config", path("relay.config.json"), "--file", path(name), "A.swift"],
      ] {
        let result = runRelayCompiler(arguments)
        #expect(result.exitCode == .usage, "\(arguments)")
        #expect(result.errors.contains("it is not a regular file."))
      }
    }
  }
}
