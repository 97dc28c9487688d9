import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Semantic tokens", .timeLimit(.minutes(1)))
struct SemanticTokenTests {
  /// Returns the tokens of a file as `text:kind`, with a `!` after declarations.
  private func tokens(_ text: String, path: String = "A.graphql") -> [String] {
    let project =
      path == "schema.graphql"
      ? LanguageProject([:], schema: text) : LanguageProject([path: text])
    return project.session.semanticTokens(in: path).map {
      "\(project.text($0.range)):\($0.kind.rawValue)\($0.isDeclaration ? "!" : "")"
    }
  }

  @Test(
    "names in executable documents are classified by their position",
    arguments: [
      (
        "query Q($id: [ID!] = null) { node(id: $id) { id } }",
        [
          "query:keyword", "Q:function!", "$id:variable!", "ID:type", "!:operator", "=:operator",
          "null:keyword", "node:property", "id:parameter", "$id:variable", "id:property",
        ]
      ),
      (
        "query ($a: S = ON, $b: T) @d { a }",
        [
          "query:keyword", "$a:variable!", "S:type", "=:operator", "ON:enumMember",
          "$b:variable!", "T:type", "@d:decorator", "a:property",
        ]
      ),
      (
        "{ new: me(f: {s: [ON], n: \"x\", i: -1.5, b: true}) { ...F @include(if: $b) ... on User { x } ... @skip(if: false) { on } } }",
        [
          "new:property!", "me:property", "f:parameter", "s:property", "ON:enumMember",
          "n:property", "\"x\":string", "i:property", "-1.5:number", "b:property", "true:keyword",
          "...:operator", "F:struct", "@include:decorator", "if:parameter", "$b:variable",
          "...:operator", "on:keyword", "User:type", "x:property", "...:operator",
          "@skip:decorator", "if:parameter", "false:keyword", "on:property",
        ]
      ),
      (
        "fragment F on User @argumentDefinitions(n: {type: \"Int\", defaultValue: 1}) { id } # end\nmutation M { a }",
        [
          "fragment:keyword", "F:struct!", "on:keyword", "User:type",
          "@argumentDefinitions:decorator", "n:parameter!", "type:property", "\"Int\":string",
          "defaultValue:property", "1:number", "id:property", "# end:comment",
          "mutation:keyword", "M:function!", "a:property",
        ]
      ),
      (
        "query query { fragment type } fragment on on User { id }",
        [
          "query:keyword", "query:function!", "fragment:property", "type:property",
          "fragment:keyword", "on:keyword", "on:keyword", "User:type", "id:property",
        ]
      ),
    ])
  func executable(text: String, expected: [String]) {
    #expect(tokens(text) == expected)
  }

  @Test(
    "names in the schema are classified by their position",
    arguments: [
      (
        "\"A user.\" type User implements Node & Actor @key { id(n: Int = 1, s: [S!] = [ON] @a(b: C)): ID! @d(r: \"x\") }",
        [
          "\"A user.\":string", "type:keyword", "User:type!", "implements:keyword", "Node:type",
          "&:operator", "Actor:type", "@key:decorator", "id:property!", "n:parameter!", "Int:type",
          "=:operator", "1:number", "s:parameter!", "S:type", "!:operator", "=:operator",
          "ON:enumMember", "@a:decorator", "b:parameter", "C:enumMember", "ID:type", "!:operator",
          "@d:decorator", "r:parameter", "\"x\":string",
        ]
      ),
      (
        "enum S { ON OFF @deprecated } union U = A | type\nextend input I { a: S = {b: ON} c: I }",
        [
          "enum:keyword", "S:type!", "ON:enumMember!", "OFF:enumMember!", "@deprecated:decorator",
          "union:keyword", "U:type!", "=:operator", "A:type", "|:operator", "type:type",
          "extend:keyword", "input:keyword", "I:type!", "a:property!", "S:type", "=:operator",
          "b:property", "ON:enumMember", "c:property!", "I:type",
        ]
      ),
      (
        "directive @d(a: Int = 1) repeatable on FIELD | QUERY\nschema @d(a: 1) { query: Q }\nscalar T",
        [
          "directive:keyword", "@d:decorator!", "a:parameter!", "Int:type", "=:operator",
          "1:number", "repeatable:keyword", "on:keyword", "FIELD:enumMember", "|:operator",
          "QUERY:enumMember", "schema:keyword", "@d:decorator", "a:parameter", "1:number",
          "query:property!", "Q:type", "scalar:keyword", "T:type!",
        ]
      ),
    ])
  func schema(text: String, expected: [String]) {
    #expect(tokens(text, path: "schema.graphql") == expected)
  }

  @Test("a document with syntax errors has the tokens that lex")
  func syntaxErrors() {
    #expect(
      tokens("query Q { me { name( ^ \"open\n# note\nfragment F on User { id }") == [
        "query:keyword", "Q:function!", "me:property", "name:property", "# note:comment",
        "fragment:keyword", "F:struct!", "on:keyword", "User:type", "id:property",
      ])
    #expect(tokens("") == [] && tokens("}) ] \u{FFFF} $ @ ...") == ["...:operator"])
  }

  @Test("tags in Swift have the tokens of their documents, each within one line of the file")
  func literals() {
    let text = #"""
      let a = graphql("""
        query Q {
          search(text: \"""
            one
              two
            \""") { id }
        }
        """)
      let b = graphql("query R { search(text: \"a\") { id } }")
      """#
    let project = LanguageProject(["A.swift": text])
    let strings = project.session.semanticTokens(in: "A.swift").filter { $0.kind == .string }
    #expect(
      strings.map { project.text($0.range) } == [
        #"\""""#, "one", "two", #"\""""#, #"\"a\""#,
      ])
    #expect(tokens("let a = 1", path: "A.swift") == [])
  }

  @Test("an introspection result has no tokens")
  func introspection() {
    let json =
      #"{"__schema": {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "fields": [{"name": "a", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]}]}}"#
    #expect(tokens(json, path: "schema.graphql") == [])
  }

  // MARK: The protocol

  private static let text =
    "let 🙂 = 1\r\nlet q = graphql(\"query Q { me { id } } # 👩‍👩‍👧 é\"); let r = graphql(\"{ me { id } }\")\r\n"

  private func file(_ uri: String) -> JSON { ["textDocument": ["uri": .string(uri)]] }

  private func numbers(_ json: JSON?) -> [Int] { json?["data"]?.items.compactMap(\.integer) ?? [] }

  @Test(
    "tokens are relative to one another, in the units of the editor",
    arguments: [("utf-16", 10), ("utf-8", 21)])
  func encoding(name: String, comment: Int) throws {
    let project = try TemporaryProject(["src/A.swift": Self.text])
    let uri = project.uri("src/A.swift")
    var editor = EditorSession(
      project.folder,
      capabilities: ["general": ["positionEncodings": [.string(name)]]])
    editor.open(uri, Self.text)
    let answer = editor.request("textDocument/semanticTokens/full", file(uri))["result"]
    let data = numbers(answer)
    let legend = SemanticToken.Kind.allCases.map(\.rawValue)
    #expect(Array(data.prefix(10)) == [1, 17, 5, 0, 0, 0, 6, 1, 2, 1])
    let comments = stride(from: 0, to: data.count, by: 5).filter {
      legend[data[$0 + 3]] == "comment"
    }
    #expect(comments.map { data[$0 + 2] } == [comment + 2])
    #expect(data.count % 5 == 0 && data.count / 5 == 7)
    let position: JSON = ["line": 1, "character": 25]
    let part = editor.request(
      "textDocument/semanticTokens/range",
      ["textDocument": ["uri": .string(uri)], "range": ["start": position, "end": position]])
    #expect(numbers(part["result"]) == [])
    let range: JSON = [
      "start": ["line": 1, "character": 23], "end": ["line": 1, "character": 30],
    ]
    let name = editor.request(
      "textDocument/semanticTokens/range",
      ["textDocument": ["uri": .string(uri)], "range": range])
    #expect(numbers(name["result"]) == [1, 23, 1, 2, 1, 0, 4, 2, 4, 0])
  }

  @Test("a token on another line counts from the start of its line")
  func lines() throws {
    let text = "query Q {\r\n  me {\n    id\r\r  }\n}"
    let project = try TemporaryProject(["src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(project.folder)
    editor.open(uri, text + "# end")
    let answer = editor.request("textDocument/semanticTokens/full", file(uri))["result"]
    #expect(
      numbers(answer) == [
        0, 0, 5, 0, 0, 0, 6, 1, 2, 1, 1, 2, 2, 4, 0, 1, 4, 2, 4, 0, 3, 1, 5, 11, 0,
      ])
  }

  @Test("a delta turns the last data into the current data")
  func delta() throws {
    let project = try TemporaryProject(["src/A.graphql": "query Q { me { id } }"])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(project.folder)
    editor.open(uri, "query Q { me { id } }")
    var answer = editor.request("textDocument/semanticTokens/full", file(uri))["result"]
    var data = numbers(answer)
    for (version, text) in [
      "query Q { me { id name } }", "query Q { me { id name } }", "", "query Long { me { id } }",
      "# one\nquery Long { me { id } }", "query Long { me { id } }\n\n# two",
    ].enumerated() {
      editor.change(uri, version: version + 2, ["text": .string(text)])
      let id = try #require(answer?["resultId"])
      answer =
        editor.request(
          "textDocument/semanticTokens/full/delta",
          ["textDocument": ["uri": .string(uri)], "previousResultId": id])["result"]
      let edits = try #require(answer?["edits"]?.items)
      for edit in edits {
        let start = try #require(edit["start"]?.integer)
        let count = try #require(edit["deleteCount"]?.integer)
        data.replaceSubrange(start..<start + count, with: numbers(edit))
      }
      #expect(edits.isEmpty == (version == 1))
      var other = EditorSession(project.folder)
      other.open(uri, text)
      let full = other.request("textDocument/semanticTokens/full", file(uri))["result"]
      #expect(data == numbers(full), "\(text)")
    }
    // Without the last result, all tokens are sent.
    let all = editor.request(
      "textDocument/semanticTokens/full/delta",
      ["textDocument": ["uri": .string(uri)], "previousResultId": "x"])["result"]
    #expect(numbers(all) == data && all?["resultId"] != nil)
    editor.close(uri)
    #expect(editor.server.sentTokens.isEmpty)
    let closed = editor.request("textDocument/semanticTokens/full", file(uri))["result"]
    #expect(numbers(closed).count == 20 && closed?["resultId"] == nil)
  }

  @Test("a file outside the projects, or of another kind, has no tokens")
  func otherFiles() throws {
    let project = try TemporaryProject(["src/A.graphql": "query Q { me { id } }", "README.md": "a"])
    var editor = EditorSession(project.folder)
    for name in ["README.md", "src/Missing.swift", "relay.config.json"] {
      let answer = editor.request("textDocument/semanticTokens/full", file(project.uri(name)))
      #expect(answer["error"] == nil && numbers(answer["result"]) == [])
    }
    #expect(editor.request("textDocument/semanticTokens/full", [:])["result"] == .null)
  }

  @Test("tokens of a file with 50 tags are answered without a compilation")
  func withoutCompilation() throws {
    let tags = (0..<50).map { "let q\($0) = graphql(\"query A\($0)Query { me { id name } }\")" }
    let text = tags.joined(separator: "\n")
    let project = try TemporaryProject(["src/A.swift": text])
    let uri = project.uri("src/A.swift")
    var editor = EditorSession(project.folder)
    editor.open(uri, text)
    let before = editor.server.projects.first?.session?.workspace
    let sources = before?.count
    let answer = editor.request("textDocument/semanticTokens/full", file(uri))["result"]
    #expect(numbers(answer).count == 50 * 5 * 5)
    let after = editor.server.projects.first?.session?.workspace
    #expect(after === before && after?.count == sources)
    #expect(!editor.server.hasNews)
  }
}
