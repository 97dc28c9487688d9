import Foundation
import RelayCompiler
import Testing

@Suite("Errors of several stages", .timeLimit(.minutes(1)))
struct ErrorStageTests {
  private static let schema = """
    type Query { me: User node(id: ID!): Node }
    interface Node { id: ID! }
    type User implements Node { id: ID! name: String! friends(first: Int): [User] }
    """

  /// Returns the locations and messages of a project's errors, and checks that no file was written.
  private func errors(_ files: [String: String]) throws -> [String] {
    var sources = ["schema.graphql": Self.schema]
    for (name, text) in files { sources[name.contains(".") ? name : "src/\(name).graphql"] = text }
    let project = try TemporaryProject(sources)
    let result = project.compile()
    #expect(project.read("out/Schema.graphql.swift") == nil)
    return result.errors.split(separator: "\n").filter { $0.contains(": error: ") }.map { line in
      line.replacing(project.folder.path + "/", with: "").replacing("src/", with: "")
        .split(separator: " [").first.map(String.init) ?? ""
    }
  }

  /// A conflict that only the last stage finds.
  private func conflict(_ name: String) -> String {
    """
    query \(name)Query { me { ...\(name) @arguments(n: 1) ...\(name)2 } }
    fragment \(name)2 on User { ...\(name) @arguments(n: 2) }
    fragment \(name) on User @argumentDefinitions(n: {type: "Int"}) { friends(first: $n) { name } }
    """
  }

  private let validated = "query FieldQuery { me { nam } }"
  private let validatedError =
    "Field.graphql:1:25: error: Cannot query field \"nam\" on type \"User\". Did you mean \"name\"?"

  @Test("an error of each stage is reported, and none that follows from another one")
  func stages() throws {
    let found = try errors([
      "Broken": "fragment Broken_user on User { name( }",
      "Checked": "query CheckedQuery { me { name @match } }",
      "Field": validated,
      "Lowered": "fragment Lowered_user on User { id: name }" + conflict("L"),
      "Transformed": conflict("T"),
      // These depend on documents with errors.
      "Chain": "query ChainQuery { me { ...Deep name @match } }",
      "UsesBroken": "query UsesBrokenQuery { me { ...Broken_user name @match } }",
      "UsesField":
        "query UsesFieldQuery { me { ...Deep } } fragment Deep on User { ...Wrong name @match }",
      "Wrong": "fragment Wrong on User { nope }",
    ])
    #expect(found.count == 6)
    #expect(found.contains(validatedError))
    for place in ["Broken.graphql:1:38", "Checked.graphql:1:32", "Lowered.graphql:1:33"] {
      #expect(found.contains { $0.hasPrefix(place + ": ") }, "\(found)")
    }
    #expect(
      found.contains { $0.hasPrefix("Wrong.graphql:1:26: error: Cannot query field \"nope\"") })
    #expect(
      found.contains {
        $0.hasPrefix("Transformed.graphql:") && $0.contains("Fields \"friends\" in \"TQuery\"")
      })
  }

  @Test("a fragment may be in a text that could not be read")
  func unread() throws {
    let user = "query UserQuery { me { ...Missing_user } }"
    let missing = "User.graphql:1:27: error: Unknown fragment \"Missing_user\"."
    #expect(try errors(["User": user, "Field": validated]) == [validatedError, missing])
    let tag = #"let a = graphql("fragment \(name)_user on User { name }")"#
    let found = try errors(["User": user, "Field": validated, "src/Tag.swift": tag])
    #expect(found.count == 2 && found.contains(validatedError))
    #expect(found.contains { $0.hasPrefix("Tag.swift:1:") })
  }

  @Test("after an error in the schema or the configuration, documents are not checked")
  func schema() throws {
    let schema = try errors([
      "schema.graphql": "type Query { me: Nobody }", "Field": validated,
    ])
    #expect(schema.count == 1 && schema[0].hasPrefix("schema.graphql:1:"))
    let config = """
      {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out", "keyFields": {"User": ["nothing"]}}
      """
    let found = try errors(["relay.config.json": config, "Me": "query MeQuery { me { name } }"])
    #expect(found.contains { $0.hasPrefix("relay.config.json:1:") })
  }
}
