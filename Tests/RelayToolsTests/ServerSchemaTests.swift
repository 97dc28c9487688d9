import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Errors in a server's schema", .timeLimit(.minutes(1)))
struct ServerSchemaTests {
  private static let schema = """
    type Query { me(first: Int = "ten"): User @cost(weight: 2) }
    type User { id: ID! name(short: Boolean = 3): String! @cost(weight: 1) friends: [User] @cost }
    enum Kind { A @deprecated(because: "old") B }
    """

  private func project(_ document: String, schema: String = schema) throws -> TemporaryProject {
    try TemporaryProject(["schema.graphql": schema, "src/Feed.graphql": document])
  }

  private static let warnings = [
    "schema.graphql:1:43: warning: Unknown directive \"@cost\". This occurs in 3 places in the "
      + "schema. [known-directives]",
    "[default-values]", "[default-values]",
    "warning: Unknown argument \"because\" on directive \"@deprecated\"",
  ]

  @Test("tolerated errors are warnings, one line for each cause, and code is generated")
  func warnings() throws {
    let project = try project("query Feed { me { name } }")
    let schema = project.folder.appendingPathComponent("schema.graphql").path
    let document = project.folder.appendingPathComponent("src/Feed.graphql").path
    for result in [
      project.compile(), project.run("validate"),
      runRelayCompiler(["validate", "--schema", schema, document]),
    ] {
      #expect(result.exitCode == .success)
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count == 4 && lines.allSatisfy { $0.contains(": warning: ") }, "\(lines)")
      for warning in Self.warnings { #expect(result.errors.contains(warning)) }
    }
    #expect(project.read("out/Feed.graphql.swift")?.contains("struct FeedQuery") == true)
  }

  @Test("documents are still validated in full")
  func documents() throws {
    let project = try project("query Feed { me(first: true) { nmae @cost } }")
    for result in [project.compile(), project.run("validate")] {
      #expect(result.exitCode == .errors)
      for rule in ["values-of-correct-type", "fields-on-correct-type", "known-directives"] {
        #expect(result.errors.contains("[\(rule)]"))
      }
      #expect(result.errors.contains("src/Feed.graphql:1:37: error: Unknown directive \"@cost\""))
    }
  }

  @Test("--strict-schema and --spec turn the warnings into errors")
  func strict() throws {
    let project = try project("query Feed { me { name } }")
    let schema = project.folder.appendingPathComponent("schema.graphql").path
    let results = [
      project.compile("--strict-schema"), project.run("validate", ["--strict-schema"]),
      project.run("operations", ["--strict-schema"]),
      runRelayCompiler(["validate", "--strict-schema", "--schema", schema]),
      runRelayCompiler(["validate", "--spec", "--schema", schema]),
    ]
    for result in results {
      #expect(result.exitCode == .errors && !result.errors.contains("warning"))
      #expect(result.errors.contains("schema.graphql:1:43: error: Unknown directive \"@cost\"."))
    }
    #expect(project.read("out/Feed.graphql.swift") == nil)
  }

  @Test("other errors in the schema, and the same ones in an extension, stay errors")
  func errors() throws {
    let broken = try project("query Feed { me }", schema: "type Query { me: Nobody @cost }")
    #expect(broken.compile().errors.contains("error: Unknown type \"Nobody\""))
    #expect(broken.compile().errors.contains("warning: Unknown directive \"@cost\""))
    let extended = try project("query Feed { me { name } }")
    try extended.write([
      "client.graphql": "extend type User { draft(of: Int = true): String @cost }",
      "relay.config.json": #"""
      {"schema": "schema.graphql", "schemaExtensions": ["client.graphql"], "src": "src",
        "artifactDirectory": "out"}
      """#,
    ])
    let result = extended.compile()
    #expect(result.exitCode == .errors)
    #expect(result.errors.contains("client.graphql:1:50: error: Unknown directive \"@cost\"."))
  }
}
