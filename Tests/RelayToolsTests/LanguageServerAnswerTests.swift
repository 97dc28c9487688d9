import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The language server's ranges and texts", .timeLimit(.minutes(1)))
struct LanguageServerAnswerTests {
  private static let schema = """
    type Query { me(old: Int @deprecated): User search(text: String): [User] }
    type User {
      id: ID! name: String! login: String @deprecated(reason: "Use name.")
      state: State friends(state: State): [User]
    }
    enum State { ON OFF @deprecated }
    """

  private func document(_ uri: String) -> JSON { ["textDocument": ["uri": .string(uri)]] }

  private func text(_ range: JSON?) -> String {
    let (start, end) = (range?["start"], range?["end"])
    func place(_ json: JSON?) -> String {
      "\(json?["line"]?.integer ?? -1):\(json?["character"]?.integer ?? -1)"
    }
    return place(start) + "-" + place(end)
  }

  // MARK: Folding

  @Test("a document in a Swift literal is folded to the line of its last brace")
  func folding() throws {
    let text = """
      let a = graphql(#\"""
        fragment One on User { id friends { id } }
        \"""#); let b = graphql(\"""
        fragment Two on User {
          friends {
            id
          }
        }
        \""")
      """
    for ending in ["\n", "\r\n"] {
      let text = text.replacing("\n", with: ending)
      let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.swift": text])
      let uri = project.uri("src/A.swift")
      var editor = EditorSession(project.folder)
      editor.open(uri, text)
      let found = editor.request("textDocument/foldingRange", document(uri))["result"]?.items ?? []
      #expect(found.map { $0["startLine"] } == [3, 4] && found.map { $0["endLine"] } == [7, 6])
      #expect(found.map { $0["endCharacter"] } == [3, 5])
      var other = EditorSession(
        project.folder, capabilities: ["textDocument": ["foldingRange": ["lineFoldingOnly": true]]])
      other.open(uri, text)
      let lines = other.request("textDocument/foldingRange", document(uri))["result"]?.items ?? []
      #expect(lines.map { $0["startLine"] } == [3, 4] && lines.map { $0["endLine"] } == [6, 5])
    }
  }

  // MARK: Diagnostics

  @Test(
    "a diagnostic is at the name, or ends with the first line",
    arguments: [
      ("query Q {\n  serch(text: \"a\") {\n    id\n  }\n}", "1:2-1:7"),
      ("query Q {\n  a: serch(text: \"a\") {\n    id\n  }\n}", "1:2-1:10"),
      ("query Q {\n  me {\n    friends\n  }\n}", "2:4-2:11"),
      ("query Q {\n  me {\n    name {\n      id\n    }\n  }\n}", "2:9-2:10"),
      (
        "query Q {\n  me {\n    id\n    ... on Query {\n      __typename\n    }\n  }\n}", "3:4-3:18"
      ),
    ])
  func range(text: String, expected: String) throws {
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    var editor = EditorSession(project.folder)
    editor.open(project.uri("src/A.graphql"), text)
    let last = editor.received.last { $0["method"] == "textDocument/publishDiagnostics" }
    #expect(
      last?["params"]?["diagnostics"]?.items.map { self.text($0["range"]) } == [expected])
  }

  @Test("a correction is offered at the name that it corrects, and not beside it")
  func correction() throws {
    let text = "query Q { serch(text: \"a\") { id } }"
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(
      project.folder,
      capabilities: ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]])
    editor.open(uri, text)
    func titles(at character: Int) -> [String] {
      let place: JSON = ["line": 0, "character": .int(character)]
      let answer = editor.request(
        "textDocument/codeAction",
        [
          "textDocument": ["uri": .string(uri)], "range": ["start": place, "end": place],
          "context": ["diagnostics": []],
        ])
      return (answer["result"]?.items ?? []).compactMap { $0["title"]?.text }
        .filter { $0.hasPrefix("Change") }
    }
    #expect(titles(at: 10) == ["Change to \"search\""] && titles(at: 15) == titles(at: 10))
    #expect(titles(at: 18) == [] && titles(at: 29) == [])
  }

  @Test("uses of what is deprecated are marked in open files, for an editor that can show it")
  func deprecated() throws {
    let text = "query Q { me(old: 1) { login friends(state: OFF) { name @skip(if: true) } } }"
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(
      project.folder,
      capabilities: [
        "textDocument": ["publishDiagnostics": ["tagSupport": ["valueSet": [1, 2]]]]
      ])
    editor.rest()
    #expect(editor.diagnostics.isEmpty)
    editor.open(uri, text)
    #expect(
      editor.diagnostics[uri] == ["0:13 deprecated", "0:23 deprecated", "0:44 deprecated"])
    let last = editor.received.last { $0["method"] == "textDocument/publishDiagnostics" }
    let hint = last?["params"]?["diagnostics"]?.items.dropFirst().first
    #expect(
      hint?["severity"] == 4 && hint?["tags"] == [2] && self.text(hint?["range"]) == "0:23-0:28")
    #expect(hint?["message"] == "\"login\" is deprecated: Use name.")
    // The marks from an older input may no longer match their code.
    let configuration = project.uri("relay.config.json")
    editor.open(configuration, "{")
    #expect(editor.diagnostics[uri] == [] && editor.diagnostics[configuration]?.count == 1)
    editor.close(configuration)
    #expect(editor.diagnostics[uri]?.count == 3)
    editor.close(uri)
    #expect(editor.diagnostics[uri] == [])
    var other = EditorSession(project.folder)
    other.open(uri, text)
    #expect(other.diagnostics[uri] == [])
  }

  // MARK: Hover

  @Test(
    "a hover is in the first format that the editor accepts",
    arguments: [
      (["plaintext"], "plaintext", "User.login: String\n\nDeprecated: Use name."),
      (
        ["markdown", "plaintext"], "markdown",
        "```graphql\nUser.login: String\n```\n\n**Deprecated:** Use name."
      ),
      ([], "markdown", "```graphql\nUser.login: String\n```\n\n**Deprecated:** Use name."),
    ])
  func hoverFormat(formats: [String], kind: String, value: String) throws {
    let text = "query Q { me { login } }"
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    let accepted: JSON = .list(formats.map(JSON.string))
    var editor = EditorSession(
      project.folder,
      capabilities: formats.isEmpty
        ? [:] : ["textDocument": ["hover": ["contentFormat": accepted]]])
    editor.open(uri, text)
    let hover = editor.request("textDocument/hover", project.place(uri, 0, 16))["result"]
    #expect(hover?["contents"]?["kind"]?.text == kind)
    #expect(hover?["contents"]?["value"]?.text == value)
  }

  @Test("the hover of a variable has its default value")
  func variableDefault() throws {
    let project = LanguageProject([
      "A.graphql": "query Q($f‸: Int = 10) { users(first: $f) { id } }"
    ])
    #expect(project.hover()?.markdown == "```graphql\n$f: Int = 10\n```")
    let use = LanguageProject(["A.graphql": "query Q($f: Int = 10) { users(first: $‸f) { id } }"])
    #expect(use.hover()?.markdown == "```graphql\n$f: Int = 10\n```")
  }

  // MARK: Formatting

  private func formatted(
    _ path: String, _ text: String, files: [String: String] = [:]
  ) throws -> [(range: String, text: String)]? {
    let project = try TemporaryProject(
      files.merging(["schema.graphql": Self.schema, "src/None.graphql": ""]) { $1 })
    var editor = EditorSession(project.folder)
    editor.open(project.uri(path), text)
    let answer = editor.request(
      "textDocument/formatting",
      [
        "textDocument": ["uri": .string(project.uri(path))],
        "options": ["tabSize": 4, "insertSpaces": true],
      ])
    if answer["error"] != nil { return nil }
    return (answer["result"]?.items ?? []).map {
      (self.text($0["range"]), $0["newText"]?.text ?? "")
    }
  }

  @Test("formatting is that of the command, and replaces no more than what differs")
  func formatting() throws {
    let found = try #require(try formatted("src/A.graphql", "query Q {\n  me {   id }\n}\n"))
    #expect(found.map(\.range) == ["1:6-1:11"] && found.map(\.text) == ["\n    id\n "])
    let tags = "let a = 1  \nlet q = graphql(\"query Q{me{id}}\")\nlet  b = 2\n"
    let swift = try #require(try formatted("src/A.swift", tags))
    #expect(swift.map(\.range) == ["1:24-1:31"] && swift.map(\.text) == [" { me { id } "])
    #expect(try formatted("src/A.graphql", "query Q {\n  me {\n    id\n  }\n}\n")?.isEmpty == true)
    #expect(try formatted("src/A.graphql", "query Q {")?.isEmpty == true)
    // The schema's files, and a file outside all projects.
    #expect(try formatted("schema.graphql", "type Query{a:Int}")?.count == 1)
    let configured = try formatted(
      "s.graphqls", "type Query{a:Int}",
      files: [
        "s.graphqls": Self.schema, "relay.config.json": #"{"schema": "s.graphqls", "src": "src"}"#,
      ])
    #expect(configured?.count == 1)
    #expect(try formatted("Other.graphql", "query Q{me{id}}")?.isEmpty == true)
  }

  @Test("answers are those of the open texts while the configuration cannot be read")
  func brokenConfiguration() throws {
    let project = try TemporaryProject([
      "schema.graphql": "type Query { a: Int }", "src/A.graphql": "query A { a }",
    ])
    var editor = EditorSession(project.folder)
    editor.open(project.uri("schema.graphql"), "type Query { a: Int }")
    editor.open(project.uri("relay.config.json"), "{")
    editor.change(
      project.uri("schema.graphql"), version: 2, ["text": "type Query { longer: Int, a: Int }"])
    editor.open(project.uri("src/A.graphql"), "query Longer { longer a }")
    let formatted = editor.request(
      "textDocument/formatting", ["textDocument": ["uri": .string(project.uri("schema.graphql"))]])
    let text = formatted["result"]?.items.first?["newText"]?.text
    #expect(text?.contains("longer: Int\n  a: Int") == true, "\(formatted)")
    let hover = editor.request(
      "textDocument/hover",
      [
        "textDocument": ["uri": .string(project.uri("src/A.graphql"))],
        "position": ["line": 0, "character": 17],
      ])
    #expect("\(hover)".contains("longer: Int"), "\(hover)")
  }

  // MARK: Symbols

  @Test("the definitions of all projects are found by a part of their names")
  func workspaceSymbols() throws {
    let project = try TemporaryProject([
      "schema.graphql": Self.schema,
      "src/A.graphql": "query FeedQuery { me { ...Feed_user } }",
      "src/B.swift": "let f = graphql(\"fragment Feed_user on User { id }\")",
      "src/C.graphql": "mutation Other { a }",
      "two/relay.config.json": #"{"schema": "../schema.graphql", "src": "../src"}"#,
    ])
    var editor = EditorSession(project.folder)
    func names(_ query: String) -> [String] {
      let answer = editor.request("workspace/symbol", ["query": .string(query)])
      return (answer["result"]?.items ?? []).map {
        "\($0["name"]?.text ?? "") \($0["kind"]?.integer ?? 0) \(text($0["location"]?["range"]))"
      }
    }
    #expect(names("feed") == ["FeedQuery 12 0:6-0:15", "Feed_user 23 0:26-0:35"])
    #expect(names("").count == 3 && names("zzz").isEmpty)
  }
}
