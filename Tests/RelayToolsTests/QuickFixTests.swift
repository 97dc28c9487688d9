import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler lsp: quick fixes", .timeLimit(.minutes(1)))
struct QuickFixTests {
  /// A file in an editor.
  private struct OpenFile {
    let project: TemporaryProject
    let uri: String
    var editor: EditorSession
    var version = 1

    init(_ text: String, _ name: String, schema: [String] = QuickFixCases.shared.schema) throws {
      project = try TemporaryProject(["schema.graphql": schema.joined(separator: "\n"), name: text])
      uri = project.uri(name)
      editor = EditorSession(
        project.folder,
        capabilities: ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]])
      editor.open(uri, text)
    }

    var text: String { editor.text(uri) ?? "" }

    /// The rules of the diagnostics.
    var rules: [String] {
      (editor.diagnostics[uri] ?? []).map { String($0.split(separator: " ")[1]) }
    }

    /// Returns the fixes where the first diagnostic with a rule starts.
    mutating func fixes(of rule: String) throws -> [JSON] {
      let published = editor.received.last { $0["params"]?["uri"]?.text == uri }
      let found = published?["params"]?["diagnostics"]?.items ?? []
      let diagnostic = try #require(found.first { $0["code"]?.text == rule }, "found \(found)")
      let start = try #require(diagnostic["range"]?["start"])
      let response = editor.request(
        "textDocument/codeAction",
        [
          "textDocument": ["uri": .string(uri)], "range": ["start": start, "end": start],
          "context": ["diagnostics": [diagnostic], "only": ["quickfix"]],
        ])
      let all = response["result"]?.items ?? []
      #expect(all.allSatisfy { $0["kind"] == "quickfix" })
      return all.filter { $0["diagnostics"]?.items == [diagnostic] }
    }

    /// Applies an action's changes of the file.
    mutating func apply(_ action: JSON) {
      let edits = action["edit"]?["changes"]?[uri]?.items ?? []
      var bytes = ContiguousArray(text.utf8)
      let index = LineIndex(bytes)
      func offset(_ position: JSON?) -> Int {
        index.offset(
          of: LinePosition(
            line: position?["line"]?.integer ?? 0, character: position?["character"]?.integer ?? 0),
          in: .utf16)
      }
      let replacements = edits.map { edit in
        let range = edit["range"]
        return (offset(range?["start"])..<offset(range?["end"]), edit["newText"]?.text ?? "")
      }
      for (range, text) in replacements.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
        bytes.replaceSubrange(range, with: text.utf8)
      }
      version += 1
      editor.change(
        uri, version: version, ["text": .string(String(decoding: bytes, as: UTF8.self))])
    }
  }

  @Test(
    "a fix removes its diagnostic, and a formatted file stays formatted",
    arguments: QuickFixCases.shared.mistakes, [true, false])
  func fixes(mistake: QuickFixCase, isSwift: Bool) throws {
    let name = isSwift ? "src/Card.swift" : "src/Card.graphql"
    let before = QuickFixCase.file(mistake.before, isSwift: isSwift)
    var file = try OpenFile(before, name)
    let fixes = try file.fixes(of: mistake.rule)
    let titles = fixes.compactMap { $0["title"]?.text }
    #expect(titles.sorted() == ([mistake.fix] + (mistake.others ?? [])).sorted())
    let fix = try #require(fixes.first { $0["title"]?.text == mistake.fix })
    #expect((fix["isPreferred"] == true) == (mistake.others == nil))
    file.apply(fix)
    #expect(file.text == QuickFixCase.file(mistake.after, isSwift: isSwift))
    #expect(file.rules == [])
    let formatted = FormattedFile(
      path: name, bytes: ContiguousArray(file.text.utf8), in: Workspace())
    #expect(!formatted.isChanged)
  }

  @Test("an assistant is offered the same fixes", arguments: QuickFixCases.shared.mistakes)
  func assistant(mistake: QuickFixCase) throws {
    let project = try TemporaryProject([
      "schema.graphql": QuickFixCases.shared.schema.joined(separator: "\n"),
      "src/Card.swift": QuickFixCase.file(mistake.before, isSwift: true),
    ])
    var client = ContextClient(project)
    let problems = client.text("validate")
    let fix = problems.matches(of: #/\n  (fix\d+): ([^\n]+)/#).first { $0.2 == mistake.fix }
    let id = String(try #require(fix, "\(problems)").1)
    let result = client.text("apply_fix", ["fix": .string(id)])
    #expect(result.hasSuffix("\nNo errors or warnings."), "\(result)")
    #expect(project.read("src/Card.swift") == QuickFixCase.file(mistake.after, isSwift: true))
  }

  @Test("there are cases for 17 mistakes, with two for the key of a connection")
  func count() { #expect(QuickFixCases.shared.mistakes.count == 18) }

  @Test("the alternatives remove the diagnostic too")
  func alternatives() throws {
    for mistake in QuickFixCases.shared.mistakes {
      for title in mistake.others ?? [] {
        var file = try OpenFile(
          QuickFixCase.file(mistake.before, isSwift: true), "src/Card.swift")
        let fix = try file.fixes(of: mistake.rule).first { $0["title"]?.text == title }
        file.apply(try #require(fix))
        #expect(file.rules == [], "\(mistake.mistake): \(title)")
      }
    }
  }

  /// Returns a file after the only fix of a rule.
  private func fixed(_ text: String, _ rule: String, _ name: String = "src/Card.graphql") throws
    -> String
  {
    var file = try OpenFile(text, name)
    let fixes = try file.fixes(of: rule)
    #expect(fixes.count == 1)
    file.apply(try #require(fixes.first))
    #expect(!file.rules.contains(rule))
    return file.text
  }

  @Test(
    "a file that is not formatted is changed only where the mistake is",
    arguments: [
      (
        "query CardQuery($a: Int, $b: Int,  $c: Status) { me { friends(first: $b, status: $c) { id } } }",
        "no-unused-variables",
        "query CardQuery($b: Int,  $c: Status) { me { friends(first: $b, status: $c) { id } } }"
      ),
      (
        "query CardQuery($first: Int # many\n $b: Int) { me { friends(first: $first) { id } } }",
        "no-unused-variables",
        "query CardQuery($first: Int # many\n ) { me { friends(first: $first) { id } } }"
      ),
      (
        "query CardQuery($first: Int) { me { friends(first: $first, status: $status) { id } } }",
        "no-undefined-variables",
        "query CardQuery($first: Int, $status: Status) { me { friends(first: $first, status: $status) { id } } }"
      ),
      (
        "{ me { id } }  # anonymous", "named-operations",
        "query CardQuery { me { id } }  # anonymous"
      ),
      (
        "\"Of one.\" query @include(if: true) { me { id } } query CardQuery { me { id } }",
        "named-operations",
        "\"Of one.\" query Card2Query @include(if: true) { me { id } } query CardQuery { me { id } }"
      ),
      (
        "query CardQuery(\n# one (1\n$id: ID # two :)\n) { me { id } }", "no-unused-variables",
        "query CardQuery { me { id } }"
      ),
      (
        "query Query { me { id } } query Query { me { name } }", "unique-operation-names",
        "query Query { me { id } } query Query2 { me { name } }"
      ),
      (
        "\"Of one.\" # (1)\nquery { me { id } }", "named-operations",
        "\"Of one.\" # (1)\nquery CardQuery { me { id } }"
      ),
      (
        "query CardQuery { me { id } } query CardQuery { me { name } }", "unique-operation-names",
        "query CardQuery { me { id } } query Card2Query { me { name } }"
      ),
      (
        "query CardQuery($id: String!) { node { id } me { id @include(if: $id) } }",
        "provided-required-arguments",
        "query CardQuery($id: String!, $id2: ID!) { node(id: $id2) { id } me { id @include(if: $id) } }"
      ),
      (
        "query CardQuery($id: ID!) { a: node(id: $id) { id } b: node { id } }",
        "provided-required-arguments",
        "query CardQuery($id: ID!) { a: node(id: $id) { id } b: node(id: $id) { id } }"
      ),
      (
        "fragment Card on Query { node { id } }", "provided-required-arguments",
        "fragment Card on Query { node(id: \"\") { id } }"
      ),
      (
        "fragment Card on User { name # of one\n { x } }", "scalar-leafs",
        "fragment Card on User { name # of one\n  }"
      ),
      (
        "fragment Card on User { feed(first: 1) }", "scalar-leafs",
        "fragment Card on User { feed(first: 1) { edges { node { id } } } }"
      ),
      (
        "fragment Card on User { name @include }", "provided-required-arguments",
        "fragment Card on User { name @include(if: false) }"
      ),
    ])
  func unformatted(text: String, rule: String, expected: String) throws {
    #expect(try fixed(text, rule) == expected)
  }

  @Test("a document in a one-line literal stays on its line")
  func oneLine() throws {
    #expect(
      try fixed(
        #"let card = graphql("query CardQuery { me { ...Row } }")"#, "known-fragment-names",
        "src/Card.swift")
        == #"let card = graphql("query CardQuery { me { ...Row } } fragment Row on User { id }")"#)
    #expect(
      try fixed(
        #"let card = graphql("fragment C on User { feed(first: 1) @connection { edges { cursor } } }")"#,
        "provided-required-arguments", "src/Card.swift")
        == #"let card = graphql("fragment C on User { feed(first: 1) @connection(key: \"C_feed\") { edges { cursor } } }")"#
    )
  }

  @Test("a variable of a fragment is declared by the operation, which may be in another document")
  func otherDocument() throws {
    let fragment = #"let a = graphql("fragment A on User { friends(first: $n) { id } }")"#
    let query = #"let q = graphql("query CardQuery { me { ...A } }")"#
    #expect(
      try fixed(fragment + "\n" + query + "\n", "no-undefined-variables", "src/Card.swift")
        == fragment + "\n" + #"let q = graphql("query CardQuery($n: Int) { me { ...A } }")"# + "\n")
  }
}
