import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Names of tags at file scope", .timeLimit(.minutes(1)))
struct TagNameTests {
  private func names(_ source: String) -> [String?] {
    TagScanner.scan(ContiguousArray(source.utf8)).tags.map { $0.fileScopeName?.text }
  }

  @Test(
    "a constant or variable at file scope names its tag",
    arguments: [
      "private let row = graphql(\"{ a }\")", "var row=graphql(\"{ a }\")",
      "let row: GraphQLTag = graphql(\"{ a }\")", "let `row` = graphql(\"{ a }\")",
      "let row /* = 1 */ = // x\n  RelayStore.graphql(\"{ a }\")",
      "public let row: RelayStore.GraphQLTag =\n  graphql(\"\"\"\n{ a }\n\"\"\")",
      "struct A { let b = 1 }\nfunc f() { g({ h() }) }\nlet row = graphql(\"{ a }\")",
      "let other = \"{\"\nlet row = graphql(\"{ a }\")",
      "#if DEBUG\nlet row = graphql(\"{ a }\")\n#endif",
    ])
  func named(_ source: String) {
    #expect(names(source) == ["row"])
  }

  @Test(
    "a tag in a type, in a function or in another expression has no name",
    arguments: [
      "struct A { private static let row = graphql(\"{ a }\") }",
      "extension A { let row = graphql(\"{ a }\") }", "func f() { let row = graphql(\"{ a }\") }",
      "let row: GraphQLTag = { graphql(\"{ a }\") }()", "graphql(\"{ a }\")",
      "let row = make(graphql(\"{ a }\"))", "let row = [graphql(\"{ a }\")]",
      "row = graphql(\"{ a }\")", "let row = 1\ngraphql(\"{ a }\")",
    ])
  func unnamed(_ source: String) {
    #expect(names(source) == [nil])
  }

  private static let files = [
    "src/A.swift": "private let card = graphql(\"fragment A on User { id }\")\n",
    "src/B.swift":
      "// Of one name with A's.\nprivate let card = graphql(\"fragment B on User { id }\")\n",
    "src/C.swift": "let card = graphql(\"fragment C on User { id }\")\n",
    "src/D.swift": "enum D { static let card = graphql(\"fragment D on User { id }\") }\n",
    "src/E.swift": "let Card = graphql(\"fragment E on User { id }\")\n",
    "src/F.graphql": "fragment F on User { id }\n",
  ]

  @Test("each further file with a tag of one name is warned about, and code is generated")
  func warnings() throws {
    let project = try TemporaryProject(Self.files)
    let folder = project.folder.path + "/src"
    func warning(_ position: String, line: String) -> String {
      """
      \(folder)/\(position): warning: The tag at \(folder)/A.swift:1:13 is called "card" too. When \
      one of them changes, Swift recompiles both files. [tag-names]
      \(line)
        help: Give it a unique name, or make it a static let of the type it belongs to.

      """
    }
    let expected =
      warning(
        "B.swift:2:13",
        line: """
          2 | private let card = graphql("fragment B on User { id }")
            |             ^^^^
          """)
      + warning(
        "C.swift:1:5",
        line: """
          1 | let card = graphql("fragment C on User { id }")
            |     ^^^^
          """)
    for result in [
      project.compile(), project.run("validate"),
      runRelayCompiler(["validate", "--schema", project.folder.path + "/schema.graphql", folder]),
    ] {
      #expect(result.exitCode == .success)
      #expect(result.errors == expected)
    }
    #expect(project.read("out/C.graphql.swift")?.contains("struct C:") == true)
  }

  @Test("files of other modules are not warned about")
  func modules() throws {
    let project = try TemporaryProject([
      "base/A.swift": "private let card = graphql(\"fragment A on User { id }\")\n",
      "base/B.swift": "private let card = graphql(\"fragment B on User { id }\")\n",
      "src/C.swift": "private let card = graphql(\"fragment C on User { id ...A }\")\n",
      "relay.config.json": #"""
      {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out",
        "modules": {"Base": "base"}}
      """#,
    ])
    let result = project.compile()
    #expect(result.exitCode == .success)
    #expect(result.errors == "")
  }

  @Test("the warnings do not make the compiler parse the whole schema")
  func index() throws {
    let project = try TemporaryProject(Self.files)
    var options = CompileOptions()
    options.config = project.folder.appendingPathComponent("relay.config.json").path
    options.files = ["A", "B"].map {
      (project.folder.appendingPathComponent("src/\($0).swift").path, "\($0).graphql.swift")
    }
    let output = project.folder.appendingPathComponent("cached")
    let read = try Project(options, try Project.configuration(options), output: output)
    let cache = SchemaCache(nextTo: output)
    let first = read.compilation(cache: cache)
    let second = read.compilation(cache: cache)
    #expect(first.indexableSchema != nil && second.indexableSchema == nil)
    #expect(first.diagnostics.map(\.rule) == ["tag-names"])
    #expect(second.diagnostics.map(\.message) == first.diagnostics.map(\.message))
    #expect(second.files == first.files)
  }
}
