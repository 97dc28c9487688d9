import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The language server's answers", .timeLimit(.minutes(1)))
struct LanguageServerQueryTests {
  /// Tags after characters with several UTF-16 units, in CRLF lines.
  private static let feed =
    "let 🙂 = 1\r\nlet q = graphql(\"\"\"\r\n  query Feed { me { name ...Card } } # 👩‍👩‍👧\r\n  fragment Card on User { id }\r\n  \"\"\")\r\n"

  private func params(_ uri: String, _ line: Int, _ character: Int) -> JSON {
    [
      "textDocument": ["uri": .string(uri)],
      "position": ["line": .int(line), "character": .int(character)],
    ]
  }

  /// Returns locations as `file:line:character-character`.
  private func places(_ locations: JSON) -> [String] {
    locations.items.map { location in
      let (start, end) = (location["range"]?["start"], location["range"]?["end"])
      let file = location["uri"]?.text?.split(separator: "/").last ?? ""
      return "\(file):\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1)-"
        + "\(end?["character"]?.integer ?? -1)"
    }
  }

  @Test("positions are in UTF-16 units of the Swift file")
  func positions() throws {
    let project = try TemporaryProject(["src/Feed.swift": Self.feed])
    let uri = project.uri("src/Feed.swift")
    var editor = EditorSession(project.folder)
    editor.open(uri, Self.feed)
    let hover = editor.request("textDocument/hover", params(uri, 2, 21))
    #expect(hover["result"]?["contents"]?["value"]?.text?.contains("User.name: String!") == true)
    #expect(hover["result"]?["range"]?["start"]?["character"] == 20)
    let definition = editor.request("textDocument/definition", params(uri, 2, 29))
    #expect(places(definition["result"] ?? nil) == ["Feed.swift:3:11-15"])
    let references = editor.request("textDocument/references", params(uri, 3, 12))
    #expect(places(references["result"] ?? nil) == ["Feed.swift:2:28-32", "Feed.swift:3:11-15"])
    let completion = editor.request("textDocument/completion", params(uri, 2, 22))
    let name = completion["result"]?["items"]?.items.first { $0["label"] == "name" }
    #expect(name?["textEdit"]?["range"]?["start"]?["character"] == 20)
    // Without it, an editor may treat all items as matches for the typed prefix.
    let items = completion["result"]?["items"]?.items ?? []
    #expect(items.count > 1)
    for item in items { #expect(item["filterText"] == item["textEdit"]?["newText"]) }
  }

  @Test("a renamed fragment is renamed in all files, in the literal's own positions")
  func rename() throws {
    let project = try TemporaryProject([
      "src/Feed.swift": Self.feed, "src/Other.graphql": "query Other { me { ...Card } }",
    ])
    let uri = project.uri("src/Feed.swift")
    var editor = EditorSession(project.folder)
    editor.open(uri, Self.feed)
    guard case .object(let members) = params(uri, 2, 29) else { return }
    let answer = editor.request(
      "textDocument/rename", .object(members + [.init("newName", "Row")]))
    let changes = answer["result"]?["changes"]
    #expect(changes?[uri]?.items.count == 2)
    #expect(changes?[project.uri("src/Other.graphql")]?.items.map { $0["newText"] } == ["Row"])
  }

  @Test("a correction is offered for the diagnostic in the range")
  func codeAction() throws {
    let text = "query Feed { me { id nam } }"
    let project = try TemporaryProject(["src/Feed.graphql": text])
    let uri = project.uri("src/Feed.graphql")
    var editor = EditorSession(
      project.folder,
      capabilities: ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]])
    editor.open(uri, text)
    let position: JSON = ["line": 0, "character": 22]
    let answer = editor.request(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(uri)], "range": ["start": position, "end": position],
        "context": ["diagnostics": []],
      ])
    let action = answer["result"]?.items.first { $0["title"] == "Change to \"name\"" }
    #expect(action?["edit"]?["changes"]?[uri]?.items.map { $0["newText"] } == ["name"])
  }

  @Test(
    "the name of a definition leads to its generated struct, and that to the definition",
    arguments: ["out", ".build/plugins/outputs/app/App/destination/RelayCompilerPlugin"])
  func generated(folder: String) throws {
    let project = try TemporaryProject(["src/Feed.swift": Self.feed])
    #expect(project.compile("--output", project.folder.path + "/" + folder).exitCode == .success)
    if folder != "out" {
      try project.write(["relay.config.json": #"{"schema": "schema.graphql", "src": "src"}"#])
    }
    let uri = project.uri("src/Feed.swift")
    var editor = EditorSession(project.folder)
    editor.open(uri, Self.feed)
    let found = editor.request("textDocument/definition", params(uri, 3, 12))["result"] ?? nil
    let text = try #require(project.read(folder + "/Feed.graphql.swift"))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("struct Card:") })
    let column = try #require(lines[line].firstRange(of: "Card:")).lowerBound.utf16Offset(
      in: lines[line])
    #expect(
      places(found) == ["Feed.swift:3:11-15", "Feed.graphql.swift:\(line):\(column)-\(column + 4)"])
    let back = editor.request(
      "textDocument/definition",
      params(project.uri(folder + "/Feed.graphql.swift"), line, column + 1))
    #expect(places(back["result"] ?? nil) == ["Feed.swift:3:11-15"])
    // A name without a definition, and a Swift file that was not generated.
    let other = editor.request(
      "textDocument/definition", params(project.uri(folder + "/Feed.graphql.swift"), line, 2))
    #expect(places(other["result"] ?? nil) == [])
  }
  @Test("the name of a generated type in Swift code leads to the definition")
  func swiftCode() throws {
    let view =
      "import RelayStore\nstruct Row { var 🙂 = 1; let card: Card; let data: FeedQuery.Data? }\n"
      + "let t = graphql(\"query Feed { me { id ...Card } }\") // Card\n"
    let project = try TemporaryProject([
      "src/Row.swift": view, "src/Card.graphql": "fragment Card on User { id }",
      "Other.swift": "let card: Card? = nil",
    ])
    let uri = project.uri("src/Row.swift")
    var editor = EditorSession(project.folder)
    editor.open(uri, view)
    func found(_ uri: String, _ line: Int, _ character: Int) -> [String] {
      places(
        editor.request("textDocument/definition", params(uri, line, character))["result"] ?? nil)
    }
    let card = ["Card.graphql:0:9-13"]
    // At the start and the end of the name, and in the middle.
    for character in [35, 37, 39] { #expect(found(uri, 1, character) == card) }
    #expect(found(uri, 1, 53) == ["Row.swift:2:23-27"])
    // Another name, a position after the file, and a Swift file outside the sources.
    #expect(found(uri, 1, 30) == [] && found(uri, 90, 3) == [])
    #expect(found(project.uri("Other.swift"), 0, 12) == card)
    // A tag has its own names: a field has the schema's definition.
    #expect(found(uri, 2, 42) == card && found(uri, 2, 36) == ["schema.graphql:0:36-38"])
    #expect(found("file:///none.swift", 0, 0) == [])
  }
}
