import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Completions", .timeLimit(.minutes(1)))
struct CompletionTests {
  private static let definitionKeywords = [
    "type", "interface", "union", "enum", "input", "scalar", "directive", "schema", "extend",
  ]
  private static let outputTypes = [
    "Boolean", "Float", "ID", "Int", "Mutation", "Node", "Owner", "Query", "Status", "String",
    "Team", "User",
  ]
  private static let inputTypes = [
    "Boolean", "Filter", "Float", "ID", "Int", "RenameInput", "Status", "String",
  ]
  private static let objects = ["Mutation", "Query", "Team", "User"]

  @Test(
    "a schema file offers the names that fit",
    arguments: [
      ("type X { a: ‸ }", outputTypes + ["X"]),
      ("type X { a: [‸", outputTypes),
      ("type X { a(x: ‸): Int }", inputTypes),
      ("type X { a(x: ‸", inputTypes),
      ("input X { a: ‸ }", inputTypes + ["X"]),
      ("directive @x(a: [‸!]) on FIELD", inputTypes),
      ("type X implements ‸ { a: Int }", ["Node"]),
      ("type X implements Node & ‸", ["Node"]),
      ("interface X implements ‸", ["Node"]),
      ("union X = Team | ‸", objects),
      ("extend type ‸", objects),
      ("extend type ‸ { a: Int }", objects),
      ("extend interface ‸", ["Node"]),
      ("extend union ‸", ["Owner"]),
      ("extend enum ‸", ["Status"]),
      ("extend input ‸", ["Filter", "RenameInput"]),
      ("extend scalar ‸", ["Boolean", "Float", "ID", "Int", "String"]),
      ("extend ‸", ["type", "interface", "union", "enum", "input", "scalar", "schema"]),
      ("schema { query: ‸ }", objects),
      ("type ‸", []),
      ("type X { ‸ }", []),
      ("‸", definitionKeywords),
      ("scalar Y\n\nty‸", definitionKeywords),
      ("type X { a(s: Status = ‸): Int }", ["ACTIVE", "AWAY", "null"]),
    ])
  func schema(text: String, expected: [String]) {
    let project = LanguageProject([:], schema: LanguageProject.schema + "\n" + text)
    #expect(
      project.completions == expected.sorted { naturallyPrecedes($0, $1) }
        || project.completions == expected, "\(project.completions)")
  }

  @Test(
    "a default value has no variables",
    arguments: [
      ("query A($s: Status = ‸", ["ACTIVE", "AWAY", "null"]),
      ("query A($n: Int, $f: Filter = {status: ‸", ["ACTIVE", "AWAY", "null"]),
      ("query A($n: Int, $m: Int = $‸", []),
      (
        "fragment F on User @argumentDefinitions(a: {type: \"Status\"}, s: {type: \"Status\", defaultValue: ‸",
        ["ACTIVE", "AWAY", "null"]
      ),
      ("query A($s: Status) { me { friends(status: ‸", ["ACTIVE", "AWAY", "$s", "null"]),
      ("query A($s: Status! = ‸", ["ACTIVE", "AWAY"]),
    ])
  func defaultValue(text: String, expected: [String]) {
    #expect(LanguageProject(["A.graphql": text]).completions == expected)
  }

  @Test(
    "an open string or comment has no completions, and what follows it has them",
    arguments: [
      ("\"‸", []), ("\"a ‸", []), ("\"\"\"‸", []), ("\"\"\"a\n  ‸", []), ("\"\\q ‸", []),
      ("# ‸", []), ("\"a\n‸", definitionKeywords), ("\"\\q\" ‸", definitionKeywords),
      ("\"a\n\ntype X { a: ‸ }", outputTypes + ["X"]), ("# \"\n‸", definitionKeywords),
    ])
  func strings(text: String, expected: [String]) {
    let project = LanguageProject([:], schema: LanguageProject.schema + "\n" + text)
    #expect(project.completions.sorted() == expected.sorted(), "\(project.completions)")
  }

  @Test("directives that the compiler refuses are not offered")
  func refusedDirectives() {
    var offered: Set<String> = []
    for text in [
      "query A @‸ { me { id } }", "query A { me @‸ { id } }", "query A { me { ...F @‸ } }",
      "fragment F on User @‸ { id }", "query A { me { ... @‸ { id } } }",
    ] {
      offered.formUnion(LanguageProject(["A.graphql": text]).completions)
    }
    #expect(offered.isDisjoint(with: ClientDirectives.unsupported))
    #expect(offered.isSuperset(of: ["required", "arguments", "refetchable", "include", "alias"]))
  }

  @Test(
    "arguments of Relay's directives have their values",
    arguments: [
      ("query A { me { name @required(‸", ["action"]),
      ("query A { me { name @required(action: ‸) } }", ["NONE", "LOG", "THROW"]),
      ("query A { me { name @required(action: L‸", ["NONE", "LOG", "THROW"]),
      ("query A { me { name @catch(‸", ["to"]),
      ("query A { me { name @catch(to: ‸", ["RESULT", "NULL"]),
    ])
  func directiveValues(text: String, expected: [String]) {
    let found = LanguageProject(["A.graphql": text]).completions
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }

  @Test("a fragment is not offered in itself")
  func ownSpread() {
    let project = LanguageProject([
      "A.graphql": "fragment F on User { id ...‸ } fragment G on User { id }"
    ])
    #expect(project.completions == ["G", "on"])
  }

  @Test(
    "the directives of an inline fragment are completed, with and without a type condition",
    arguments: [
      ("... @include(if: $‸", ["b"]), ("... @include(if: $‸b) { id } } }", ["b"]),
      ("... on User @skip(if: $‸", ["b"]), ("... @include(‸", ["if"]),
      ("... on User { id ... @skip(‸", ["if"]), ("...F @include(‸", ["if"]),
    ])
  func inlineFragment(text: String, expected: [String]) {
    let project = LanguageProject([
      "A.graphql": "query Q($b: Boolean!, $n: Int) { me { \(text)",
      "F.graphql": "fragment F on User { id }",
    ])
    #expect(project.completions == expected)
  }

  @Test(
    "a completion in a Swift literal is written at the cursor",
    arguments: [
      "graphql(\"\"\"\n  query A { me { ‸\n  \"\"\")",
      "graphql(\"\"\"\n  query A { me {\n    ‸\n  \"\"\")",
      "graphql(\"\"\"\n  query A { me {\n‸\n  } }\n  \"\"\")",
      "graphql(\"\"\"\r\n  query A { me { id ...‸\r\n  \"\"\")",
      "graphql(\"\"\"\n    query A { me {\n ‸   id } }\n    \"\"\")",
      "graphql(\"\"\"\n  ‸\n  \"\"\")",
      "graphql(\"\"\"\n‸\n  \"\"\")", "graphql(\"‸\")", "graphql(\"query A { ‸\")",
      "graphql(\"\"\"\n ‸ query A { me { id } }\n  \"\"\")",
    ])
  func literal(text: String) {
    let project = LanguageProject(["A.swift": "let a = " + text])
    let found = project.session.completions(at: project.position)
    let offset = project.position.offset
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.range.bytes == offset..<offset }, "\(found.map(\.range))")
  }
}
