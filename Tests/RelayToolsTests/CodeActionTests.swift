import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// The properties compile hundreds of projects, so the suite has 10 minutes.
@Suite("Code actions", .timeLimit(.minutes(10)))
struct CodeActionTests {
  /// Returns the file's contents after the action with a title, at the mark or at the range between
  /// two marks.
  private func text(_ title: String, in text: String, path: String = "A.graphql") throws -> String {
    let parts = text.components(separatedBy: "‸")
    let project = LanguageProject([path: parts.joined()])
    let start = parts[0].utf8.count
    let end = parts.count > 2 ? start + parts[1].utf8.count : start
    let actions = project.codeActions(in: FileRange(path: path, bytes: start..<end))
    let action = try #require(
      actions.first { $0.title == title }, "found \(actions.map(\.title))")
    return project.text(of: path, after: action.edits)
  }

  private func titles(_ text: String) -> [String] {
    let parts = text.components(separatedBy: "‸")
    let project = LanguageProject(["A.graphql": parts.joined()])
    let start = parts[0].utf8.count
    let end = parts.count > 2 ? start + parts[1].utf8.count : start
    return project.codeActions(in: FileRange(path: "A.graphql", bytes: start..<end)).map(\.title)
  }

  @Test(
    "a suggestion replaces the misspelled name",
    arguments: [
      ("query Q { me { id na‸m } }", "name", "query Q { me { id name } }"),
      ("query Q { me { id x: na‸m } }", "name", "query Q { me { id x: name } }"),
      (
        "query Q { me { id ...Fo‸ } } fragment Foo on User { id }", "Foo",
        "query Q { me { id ...Foo } } fragment Foo on User { id }"
      ),
      ("query Q { me { ... on Usr‸ { id } } }", "User", "query Q { me { ... on User { id } } }"),
      (
        "query Q { me { id friends(frst‸: 1) { id } } }", "first",
        "query Q { me { id friends(first: 1) { id } } }"
      ),
      (
        "query Q { me { id friends(status: ACTIV‸) { id } } }", "ACTIVE",
        "query Q { me { id friends(status: ACTIVE) { id } } }"
      ),
      (
        "query Q { me { id name @inclde‸(if: true) } }", "include",
        "query Q { me { id name @include(if: true) } }"
      ),
      (
        "query Q($first: Int) { me { id friends(first: $frst‸) { id } } }", "$first",
        "query Q($first: Int) { me { id friends(first: $first) { id } } }"
      ),
    ])
  func corrections(text: String, name: String, expected: String) throws {
    #expect(try self.text("Change to \"\(name)\"", in: text) == expected)
  }

  @Test("id is added as the first selection, with its indentation, where the type has it")
  func addID() throws {
    #expect(
      try text("Add \"id\"", in: "query Q { me { na‸me } }") == "query Q { me { id name } }")
    #expect(
      try text("Add \"id\"", in: "query Q {\n  me {\n    na‸me\n  }\n}")
        == "query Q {\n  me {\n    id\n    name\n  }\n}")
    #expect(
      try text(
        "Add \"id\"",
        in:
          "let q = graphql(\"\"\"\r\n    query Q {\r\n      me {\r\n        na‸me\r\n      }\r\n    }\r\n    \"\"\")",
        path: "A.swift")
        == "let q = graphql(\"\"\"\r\n    query Q {\r\n      me {\r\n        id\r\n        name\r\n      }\r\n    }\r\n    \"\"\")"
    )
    #expect(!titles("query Q { me { id na‸me } }").contains("Add \"id\""))
    #expect(!titles("query Q { m‸e { id } }").contains("Add \"id\""))
  }

  @Test("selections become a fragment of the file")
  func extractFragment() throws {
    #expect(
      try text(
        "Extract fragment \"A_user\"",
        in:
          "query Q($n: Int) {\n  me {\n    id\n    ‸name\n    friends(first: $n) {\n      id\n    }‸\n  }\n}\n"
      )
        == """
        query Q($n: Int) {
          me {
            id
            ...A_user
          }
        }

        fragment A_user on User {
          name
          friends(first: $n) {
            id
          }
        }

        """)
    #expect(
      try text(
        "Extract fragment \"A_user2\"",
        in:
          "let q = graphql(#\"\"\"\n  query Q { me { id ‸name‸ } }\n  fragment A_user on User { id }\n  \"\"\"#)",
        path: "A.swift")
        == "let q = graphql(#\"\"\"\n  query Q { me { id ...A_user2 } }\n\n  fragment A_user2 on User {\n    name\n  }\n  fragment A_user on User { id }\n  \"\"\"#)"
    )
    // The file keeps its line ends, also if it is not formatted.
    #expect(
      try text("Extract fragment \"A_user\"", in: "query Q { me {\r\n   ‸id\r\n name‸ } }\r\n")
        == "query Q { me {\r\n   ...A_user } }\r\n\r\nfragment A_user on User {\r\n  id\r\n   name\r\n}\r\n"
    )
    let own =
      "fragment F on User @argumentDefinitions(n: {type: \"Int\"}) { id ‸friends(first: $n) { id }‸ }"
    #expect(!titles(own).contains { $0.hasPrefix("Extract") })
  }

  @Test(
    "a literal becomes a variable with the literal as its default value",
    arguments: [
      (
        "query Q { me { friends(first: 1‸0) { id } } }", "first",
        "query Q($first: Int = 10) { me { friends(first: $first) { id } } }"
      ),
      (
        "query Q($first: Int) { me { friends(first: $first, status: ACT‸IVE) { best { id } } } }",
        "status",
        "query Q($first: Int, $status: Status = ACTIVE) { me { friends(first: $first, status: $status) { best { id } } } }"
      ),
      (
        "query Q($name: Int) { users(first: $name, filter: {name: \"‸x\"}) { id } }", "name2",
        "query Q($name: Int, $name2: String = \"x\") { users(first: $name, filter: {name: $name2}) { id } }"
      ),
      (
        "fragment F on User { friends(first: ‸1) { id } }", "first",
        "fragment F on User @argumentDefinitions(first: {type: \"Int\", defaultValue: 1}) { friends(first: $first) { id } }"
      ),
      (
        "query Q { me @include(if: tr‸ue) { id } }", "if",
        "query Q($if: Boolean! = true) { me @include(if: $if) { id } }"
      ),
    ])
  func makeVariable(text: String, name: String, expected: String) throws {
    let found = try self.text("Make a variable \"$\(name)\"", in: text)
    #expect(found == expected)
    let project = LanguageProject(["A.graphql": found])
    #expect(project.session.diagnostics.isEmpty)
  }

  @Test("quotes are written as the literal needs them")
  func escapes() throws {
    #expect(
      try text(
        "Make a variable \"$name\"",
        in: "let q = graphql(\"query Q { users(filter: {name: \\\"a‸b\\\"}) { id } }\")",
        path: "A.swift")
        == "let q = graphql(\"query Q($name: String = \\\"ab\\\") { users(filter: {name: $name}) { id } }\")"
    )
  }

  @Test("nothing is offered for variables, strings of the compiler's directives, and the schema")
  func nothing() {
    #expect(titles("query Q($n: Int) { me { id friends(first: $‸n) { id } } }").isEmpty)
    #expect(titles("fragment F on User @argumentDefinitions(n: {type: \"In‸t\"}) { id }").isEmpty)
    let project = LanguageProject(["A.graphql": "query Q { me { id } }"])
    #expect(project.codeActions(in: FileRange(path: "schema.graphql", bytes: 20..<20)).isEmpty)
  }

  @Test("the edges of a connection are not extracted")
  func edges() {
    func extractions(_ directive: String, _ selections: String) -> Int {
      titles("query Q { me { friends(first: 1) \(directive) { \(selections) } } }")
        .count { $0.hasPrefix("Extract") }
    }
    let directive = "@connection(key: \"Q_friends\")"
    #expect(extractions(directive, "‸edges { node { id } }‸ pageInfo { endCursor }") == 0)
    #expect(extractions(directive, "... on User { id ‸edges { node { id } }‸ }") == 0)
    #expect(extractions(directive, "edges { node { id } } ‸pageInfo { endCursor }‸") == 1)
    #expect(extractions(directive, "best { ‸edges { node { id } }‸ }") == 1)
    #expect(extractions("", "‸edges { node { id } }‸") == 1)
  }

  @Test("no fragment is extracted where the definition itself must select")
  func updatable() throws {
    func extractions(_ definition: String) -> Int {
      titles(definition).count { $0.hasPrefix("Extract") }
    }
    #expect(extractions("fragment F on User @updatable { ‸name‸ best { id } }") == 0)
    #expect(extractions("query Q @updatable { me { ‸name‸ } }") == 0)
    #expect(extractions("fragment F on User @assignable { ‸__typename‸ }") == 0)
    #expect(
      try text(
        "Create fragment \"New\"", in: "fragment F on User @updatable { best { ...N‸ew } }")
        == "fragment F on User @updatable { best { ...New } }\n\n"
        + "fragment New on User @assignable {\n  __typename\n}")
  }

  @Test("a directive is corrected to one that is allowed at its place")
  func directives() {
    #expect(titles("query Q { me @incline‸(if: true) { id } }") == ["Change to \"include\""])
    #expect(titles("fragment F on User @inlin‸ { id }").first == "Change to \"inline\"")
    #expect(titles("query Q @incline‸ { me { id } }").isEmpty)
  }
}
