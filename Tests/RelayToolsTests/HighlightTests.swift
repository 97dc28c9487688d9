import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Highlights and selection ranges", .timeLimit(.minutes(1)))
struct HighlightTests {
  @Test(
    "the element at the cursor is highlighted in the file, definitions as written",
    arguments: [
      (
        "query Q($n‸: Int) { me { friends(first: $n) { id } } } query R($n: Int) { me { friends(first: $n) { id } } }",
        ["n 9 write", "n 40 read"]
      ),
      (
        "query Q($n: Int) { me { ...F } } fragment F on User { friends(first: $‸n) { id } }",
        ["n 9 write", "n 70 read"]
      ),
      (
        "fragment F on User { id } fragment G on User { ...‸F best { ...F } }",
        ["F 9 write", "F 50 read", "F 62 read"]
      ),
      ("{ me { na‸me best { name } } }", ["name 7 read", "name 19 read"]),
      ("{ me { al‸ias: name name } }", ["alias 7 write"]),
      (
        "fragment F on User @argumentDefinitions(n: {type: \"Int\"}) { friends(first: $n‸) { id } }",
        ["n 40 write", "n 76 read"]
      ),
      ("{ me { id } } ‸ ", []), ("{ me { nam‸", []),
    ])
  func highlights(text: String, expected: [String]) {
    let project = LanguageProject([
      "A.graphql": text, "B.graphql": "query B($n: Int) { me { ...F name } }",
    ])
    let found = project.session.highlights(at: project.position).map {
      "\(project.text($0.range)) \($0.range.bytes.lowerBound) \($0.isWrite ? "write" : "read")"
    }
    #expect(found == expected)
  }

  @Test("the schema's definition of a field is highlighted in the schema")
  func schemaHighlights() {
    let project = LanguageProject(
      ["A.graphql": "{ a }"],
      schema: "type Query { ‸a: S } enum S { ON } input I { s: S = ON }")
    let found = project.session.highlights(at: project.position)
    #expect(found.map(\.isWrite) == [true] && project.text(found[0].range) == "a")
  }

  @Test(
    "a selection grows from a name to its document",
    arguments: [
      (
        "query Q { me { friends(first: ‸10) { id } } }",
        [
          "10", "first: 10", "(first: 10)", "friends(first: 10) { id }",
          " friends(first: 10) { id } ", "{ friends(first: 10) { id } }",
          "me { friends(first: 10) { id } }", " me { friends(first: 10) { id } } ",
          "{ me { friends(first: 10) { id } } }", "query Q { me { friends(first: 10) { id } } }",
        ]
      ),
      (
        "query Q($a: ‸Int) { a @include(if: $a) }",
        [
          "Int", "$a: Int", "($a: Int)", "query Q($a: Int) { a @include(if: $a) }",
        ]
      ),
      (
        "{ a @include(if: $‸x) }",
        [
          "x", "$x", "if: $x", "(if: $x)", "@include(if: $x)", "a @include(if: $x)",
          " a @include(if: $x) ", "{ a @include(if: $x) }",
        ]
      ),
      // A name and a parenthesis that touch at the cursor.
      ("{ a‸(b: 1) }", ["a", "a(b: 1)", " a(b: 1) ", "{ a(b: 1) }"]),
      // Without a syntax tree: the tokens, and the brackets that are closed.
      ("{ a(x: {y: ‸1}) ", ["1", "y: 1", "{y: 1}", "x: {y: 1}", "(x: {y: 1})", "{ a(x: {y: 1}) "]),
      (" ‸", [" "]), ("‸", []),
    ])
  func selectionRanges(text: String, expected: [String]) {
    let project = LanguageProject(["A.graphql": text])
    let ranges = project.session.selectionRanges(at: project.position)
    #expect(ranges.map(project.text) == expected)
  }

  @Test("a selection in a deeply nested document has few steps, and ends with the document")
  func deepSelection() {
    let (open, close) = ("{ me ", " }")
    let text =
      String(repeating: open, count: 5_000) + "{ ‸id }" + String(repeating: close, count: 5_000)
    let project = LanguageProject(["A.graphql": text])
    let ranges = project.session.selectionRanges(at: project.position)
    #expect(ranges.count == 200 && ranges.first.map(project.text) == "id")
    #expect(ranges.last?.bytes == 0..<text.utf8.count - "‸".utf8.count)
  }

  @Test("a selection in a Swift file ends with the content of the literal")
  func selectionInSwift() {
    let project = LanguageProject([
      "A.swift": "let a = graphql(\"\"\"\n  { me {\n    i‸d\n  } }\n  \"\"\")"
    ])
    let ranges = project.session.selectionRanges(at: project.position)
    #expect(ranges.map(project.text).first == "id")
    #expect(ranges.map(project.text).last == "\n  { me {\n    id\n  } }\n  ")
    let outside = LanguageProject(["A.swift": "let ‸a = graphql(\"{ me { id } }\")"])
    #expect(outside.session.selectionRanges(at: outside.position) == [])
  }

  @Test("each requested position has a selection range, also outside documents")
  func selectionRequest() throws {
    let text = "let 🙂 = graphql(\"{ me { id } }\")\n"
    let project = try TemporaryProject(["src/A.swift": text])
    let uri = project.uri("src/A.swift")
    var editor = EditorSession(project.folder)
    editor.open(uri, text)
    let positions: JSON = [
      ["line": 0, "character": 26], ["line": 0, "character": 2], ["line": 90, "character": 1],
    ]
    let answer = editor.request(
      "textDocument/selectionRange",
      ["textDocument": ["uri": .string(uri)], "positions": positions])
    let found = try #require(answer["result"]?.items)
    try #require(found.count == 3)
    #expect(found[0]["range"]?["start"]?["character"] == 25)
    #expect(found[0]["range"]?["end"]?["character"] == 27)
    #expect(found[0]["parent"]?["range"]?["start"]?["character"] == 24)
    #expect(found[1]["parent"] == nil && found[1]["range"]?["start"] == positions.items[1])
    #expect(found[2]["parent"] == nil)
    let other = editor.request(
      "textDocument/selectionRange",
      ["textDocument": ["uri": "file:///other.txt"], "positions": positions])
    #expect(other["result"]?.items.count == 3)
    let wrong = editor.request(
      "textDocument/selectionRange",
      ["textDocument": ["uri": .string(uri)], "positions": [["line": 0]]])
    #expect(wrong["error"]?["code"] == -32602)
  }

  @Test("highlights have the protocol's kinds")
  func highlightRequest() throws {
    let text = "query Q($n: Int) { users(first: $n) { id } }"
    let project = try TemporaryProject([
      "schema.graphql": LanguageProject.schema, "src/A.graphql": text,
    ])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(project.folder)
    editor.open(uri, text)
    let answer = editor.request("textDocument/documentHighlight", project.place(uri, 0, 33))
    #expect(answer["result"]?.items.map { $0["kind"] } == [3, 2])
    #expect(
      answer["result"]?.items.map { $0["range"]?["start"]?["character"] } == [9, 33])
    let outside = editor.request("textDocument/documentHighlight", project.place(uri, 99, 99))
    #expect(outside["result"] == [])
  }
}
