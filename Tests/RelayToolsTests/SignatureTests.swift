import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Signatures", .timeLimit(.minutes(1)))
struct SignatureTests {
  private static let friends =
    "friends(first: Int, filter: Filter, status: Status = ACTIVE): [User]"

  /// Returns the label, with the active parameter in brackets.
  private func signature(_ text: String, path: String = "A.graphql") -> String? {
    let project = LanguageProject([
      path: text,
      "F.graphql":
        "fragment F on User @argumentDefinitions(size: {type: \"Int!\"}, s: {type: \"String\", defaultValue: \"x\"}) { id }",
    ])
    guard let found = project.session.signature(at: project.position) else { return nil }
    let units = Array(found.label.utf16)
    let active = found.parameters[found.active]
    func part(_ range: Range<Int>) -> String { String(decoding: units[range], as: UTF16.self) }
    #expect(part(active.range) == active.declaration)
    return part(0..<active.range.lowerBound) + "[" + active.declaration + "]"
      + part(active.range.upperBound..<units.count)
  }

  private func active(_ argument: String) -> String {
    Self.friends.replacing(argument, with: "[\(argument)]")
  }

  @Test(
    "the argument at the cursor is active",
    arguments: [
      ("{ me { friends(‸", "first: Int"), ("{ me { friends( ‸ ) { id } } }", "first: Int"),
      ("{ me { friends(first: ‸", "first: Int"), ("{ me { friends(first:‸", "first: Int"),
      ("{ me { friends(first: 1‸) { id } } }", "first: Int"),
      ("{ me { friends(first: 1, ‸", "filter: Filter"),
      ("{ me { friends(first: 1 ‸) { id } } }", "filter: Filter"),
      ("{ me { friends(first: 1, st‸", "status: Status = ACTIVE"),
      ("{ me { friends(first: 1, st‸atus: AWAY) { id } } }", "status: Status = ACTIVE"),
      ("{ me { friends(filter: {name: \"a‸", "filter: Filter"),
      ("{ me { friends(filter: {friends: {name: \"a\"‸", "filter: Filter"),
      ("{ me { friends(filter: {name: \"a\"} ‸", "first: Int"),
      ("query Q($x: Int) { me { friends(status: $‸", "status: Status = ACTIVE"),
      ("query Q($x: Int) { me { friends(status: $x‸", "status: Status = ACTIVE"),
      ("{ me { friends(status: ACT‸", "status: Status = ACTIVE"),
      ("{ me { friends(unknown: ‸", "first: Int"),
      ("{ me { friends(first: 1, filter: $f, status: ON ‸", "status: Status = ACTIVE"),
      ("{ me { friends(\n  # note\n  first: ‸", "first: Int"),
    ])
  func field(text: String, argument: String) {
    #expect(signature(text) == active(argument))
  }

  @Test(
    "directives and spreads have signatures",
    arguments: [
      ("{ me @include(‸", "@include([if: Boolean!])"),
      ("{ me { name @required(action: ‸", "@required([action: NONE | LOG | THROW])"),
      ("{ me { ...F @arguments(‸", "F([size: Int!], s: String = \"x\")"),
      ("{ me { ...F @arguments(size: 1, ‸", "F(size: Int!, [s: String = \"x\"])"),
      ("{ me { ...F @arguments(s: ‸", "F(size: Int!, [s: String = \"x\"])"),
    ])
  func directive(text: String, expected: String) {
    #expect(signature(text) == expected)
  }

  @Test(
    "nothing else has a signature",
    arguments: [
      "{ me { name(‸", "{ me { friends(first: 1)‸ { id } } }", "{ me { ‸ } }", "{ none(‸",
      "query Q(‸", "query Q($a: Int = ‸", "{ me(‸", "fragment F on User @argumentDefinitions(‸",
      "{ me { friends(first: 1\n\nquery R { me { ‸", "‸", "(‸", "{ me { ...None @arguments(‸",
    ])
  func none(text: String) {
    #expect(signature(text) == nil)
  }

  @Test("a signature is found in a Swift literal, and not outside it")
  func literal() {
    #expect(
      signature(
        "let a = graphql(\"\"\"\n  { me {\n    friends(first: ‸\n  \"\"\")", path: "A.swift")
        == active("first: Int"))
    #expect(signature("let a = graphql(‸\"{ me { id } }\")", path: "A.swift") == nil)
  }

  @Test("parameters are ranges of the label if the editor supports it, and documented")
  func request() throws {
    let text = "{ me { friends(status: ACTIVE) { id } } }"
    let project = try TemporaryProject([
      "schema.graphql": LanguageProject.schema, "src/A.graphql": text,
    ])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(project.folder)
    editor.open(uri, text)
    let plain = editor.request("textDocument/signatureHelp", project.place(uri, 0, 20))["result"]
    let parameters = plain?["signatures"]?.items.first?["parameters"]?.items
    #expect(plain?["activeParameter"] == 2 && parameters?.count == 3)
    #expect(parameters?.last?["label"] == "status: Status = ACTIVE")
    #expect(
      parameters?.last?["documentation"] == ["kind": "plaintext", "value": "In what state."])
    let support: JSON = [
      "documentationFormat": ["markdown"], "parameterInformation": ["labelOffsetSupport": true],
    ]
    var other = EditorSession(
      project.folder,
      capabilities: ["textDocument": ["signatureHelp": ["signatureInformation": support]]])
    other.open(uri, text)
    let found = other.request("textDocument/signatureHelp", project.place(uri, 0, 20))["result"]
    let last = found?["signatures"]?.items.first?["parameters"]?.items.last
    #expect(last?["label"] == [36, 59] && last?["documentation"]?["kind"] == "markdown")
    let outside = other.request("textDocument/signatureHelp", project.place(uri, 7, 99))
    #expect(outside["result"] == .null)
  }
}
