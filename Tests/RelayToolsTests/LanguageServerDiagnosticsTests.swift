import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The language server's diagnostics", .timeLimit(.minutes(1)))
struct LanguageServerDiagnosticsTests {
  private let wrong = "query Feed { me { nam } }"
  private let right = "query Feed { me { name } }"
  private let rule = "fields-on-correct-type"

  @Test(
    "files have diagnostics before they are opened, and a correction in the editor removes them")
  func opens() throws {
    let project = try TemporaryProject(["src/Feed.graphql": wrong])
    let uri = project.uri("src/Feed.graphql")
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics == [uri: ["0:18 \(rule)"]] && editor.versions[uri] == nil)
    editor.open(uri, "\n" + wrong, version: 7)
    #expect(editor.diagnostics == [uri: ["1:18 \(rule)"]] && editor.versions[uri] == 7)
    editor.change(uri, version: 8, ["text": .string(right)])
    #expect(editor.diagnostics == [uri: []] && editor.versions[uri] == 8)
    editor.close(uri)
    #expect(editor.diagnostics == [uri: ["0:18 \(rule)"]] && editor.versions[uri] == nil)
  }

  @Test("diagnostics are published when they change, and with each version of an open document")
  func publications() throws {
    let project = try TemporaryProject(["src/Feed.graphql": wrong, "src/B.graphql": right])
    var editor = EditorSession(project.folder)
    func count() -> Int {
      editor.received.count { $0["method"] == "textDocument/publishDiagnostics" }
    }
    editor.rest()
    let first = count()
    editor.touched(project.uri("src/Feed.graphql"))
    #expect(count() == first)
    editor.open(project.uri("src/Feed.graphql"), wrong)
    #expect(count() == first + 1)
    editor.change(project.uri("src/Feed.graphql"), version: 2, ["text": .string(wrong)])
    #expect(count() == first + 2)
  }

  @Test(
    "a diagnostic at the end of a text has an empty range there",
    arguments: ["let q = graphql(\"{ me { id } }\"", "let q = graphql(\"\"\"\n  {\n  \"\"\""])
  func endOfText(_ text: String) throws {
    let project = try TemporaryProject(["src/Feed.graphql": right, "src/A.swift": ""])
    var editor = EditorSession(project.folder)
    editor.open(project.uri("src/A.swift"), text)
    let lines = text.split(separator: "\n")
    let end = "\(lines.count - 1):\(lines.last?.utf16.count ?? 0) graphql-tag"
    #expect(editor.diagnostics[project.uri("src/A.swift")]?.contains(end) == true)
  }

  @Test("changes that come together are checked together")
  func coalescing() throws {
    let project = try TemporaryProject(["src/Feed.graphql": right])
    let uri = project.uri("src/Feed.graphql")
    var editor = EditorSession(project.folder)
    editor.open(uri, right)
    for version in 2...5 {
      editor.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": .int(version)],
          "contentChanges": [["text": .string(version == 5 ? right : wrong)]],
        ])
    }
    editor.rest()
    #expect(editor.diagnostics[uri] == [] && editor.versions[uri] == 5)
    let all = editor.received.compactMap { $0["params"]?["version"]?.integer }
    #expect(all == [1, 5])
  }

  @Test("a change reaches the files that use what it changes")
  func dependents() throws {
    let project = try TemporaryProject([
      "src/Feed.graphql": "query Feed { me { ...Name } }",
      "src/Name.graphql": "fragment Name on User { name }",
    ])
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics.isEmpty)
    editor.open(project.uri("src/Name.graphql"), "fragment Names on User { name }")
    #expect(editor.diagnostics[project.uri("src/Feed.graphql")] == ["0:21 known-fragment-names"])
  }

  @Test("created files join the project and deleted ones leave it")
  func createdAndDeleted() throws {
    let project = try TemporaryProject(["src/Feed.graphql": "query Feed { me { ...Name } }"])
    let (feed, name) = (project.uri("src/Feed.graphql"), project.uri("src/sub/Name.graphql"))
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics[feed] == ["0:21 known-fragment-names"])
    try project.write(["src/sub/Name.graphql": "fragment Name on User { nam }"])
    editor.touched(name)
    #expect(editor.diagnostics[feed] == [] && editor.diagnostics[name] == ["0:24 \(rule)"])
    try project.remove("src/sub/Name.graphql")
    editor.touched(name)
    #expect(editor.diagnostics[feed] == ["0:21 known-fragment-names"])
    #expect(editor.diagnostics[name] == [])
  }

  @Test("a new file joins when it is opened, also if the editor does not report new files")
  func openedNew() throws {
    let project = try TemporaryProject(["src/Feed.graphql": right])
    var editor = EditorSession(project.folder)
    editor.rest()
    try project.write(["src/New.graphql": "query New { me { nam } }"])
    editor.open(project.uri("src/New.graphql"), "query New { me { nam } }")
    #expect(editor.diagnostics[project.uri("src/New.graphql")] == ["0:17 \(rule)"])
  }

  @Test("a file outside of the sources has no diagnostics")
  func outside() throws {
    let project = try TemporaryProject(["src/Feed.graphql": right, "Other.graphql": wrong])
    var editor = EditorSession(project.folder)
    editor.open(project.uri("Other.graphql"), wrong)
    #expect(editor.diagnostics.isEmpty)
  }

  @Test(
    "a wrong configuration is reported at its file, and a corrected one brings the project back")
  func configuration() throws {
    let project = try TemporaryProject(["src/Feed.graphql": wrong])
    let (configuration, feed) = (project.uri("relay.config.json"), project.uri("src/Feed.graphql"))
    try project.write(["relay.config.json": "{\n  bad"])
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics == [configuration: ["1:2 configuration"]])
    try project.write(["relay.config.json": #"{"schema": "no.graphql", "src": "src"}"#])
    editor.touched(configuration)
    #expect(editor.diagnostics == [configuration: ["0:0 configuration"]])
    try project.write(["relay.config.json": #"{"schema": "schema.graphql", "src": "src"}"#])
    editor.touched(configuration)
    #expect(editor.diagnostics == [configuration: [], feed: ["0:18 \(rule)"]])
    try project.write(["relay.config.json": "{ \"schema\": [] }"])
    editor.notify("textDocument/didSave", ["textDocument": ["uri": .string(configuration)]])
    editor.rest()
    #expect(editor.diagnostics == [configuration: ["0:2 configuration"], feed: []])
    try project.remove("relay.config.json")
    editor.touched(configuration)
    #expect(editor.diagnostics == [configuration: [], feed: []])
  }

  @Test("the schema is that of the editor, and mistakes in it are reported there")
  func schema() throws {
    let project = try TemporaryProject(["src/Feed.graphql": wrong])
    let (schema, feed) = (project.uri("schema.graphql"), project.uri("src/Feed.graphql"))
    var editor = EditorSession(project.folder)
    editor.open(schema, "type Query { me: User } type User { nam: String }")
    #expect(editor.diagnostics == [schema: []])
    editor.change(schema, version: 2, ["text": "type Query { me: User } type User { nam: }"])
    #expect(editor.diagnostics[schema] == ["0:41 syntax"])
    editor.close(schema)
    #expect(editor.diagnostics == [schema: [], feed: ["0:18 \(rule)"]])
    try project.write(["schema.graphql": "type Query { me: User } type User { id: ID! nam: Int }"])
    editor.touched(schema)
    #expect(editor.diagnostics == [schema: [], feed: []])
  }

  @Test("each configuration below the folder is a project")
  func severalProjects() throws {
    let project = try TemporaryProject([
      "src/Feed.graphql": wrong, "other/schema.graphql": "type Query { a: Int }",
      "other/relay.config.json": #"{"schema": "schema.graphql", "src": "src"}"#,
      "other/src/A.graphql": "query A { b }", ".hidden/relay.config.json": "{",
      "node_modules/a/relay.config.json": "{",
    ])
    let (feed, other) = (project.uri("src/Feed.graphql"), project.uri("other/src/A.graphql"))
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics == [feed: ["0:18 \(rule)"], other: ["0:10 \(rule)"]])
    let removed: JSON = ["uri": .string(FileURI.uri(of: project.folder.path))]
    let added: JSON = ["uri": .string(project.uri("other"))]
    editor.notify(
      "workspace/didChangeWorkspaceFolders", ["event": ["added": [added], "removed": [removed]]])
    editor.rest()
    #expect(editor.diagnostics == [feed: [], other: ["0:10 \(rule)"]])
  }

  @Test("a file that is opened without a folder finds the configuration above it")
  func singleFile() throws {
    let project = try TemporaryProject(["src/Feed.graphql": right])
    var editor = EditorSession()
    editor.request("initialize", ["rootUri": nil, "capabilities": [:]])
    editor.notify("initialized", [:])
    editor.rest()
    editor.open(project.uri("src/Feed.graphql"), wrong)
    #expect(editor.diagnostics == [project.uri("src/Feed.graphql"): ["0:18 \(rule)"]])
  }

  @Test(
    "a folder with a symbolic link, spaces and non-ASCII letters is served by the editor's URIs")
  func links() throws {
    let project = try TemporaryProject(["real ü/src/Feed.graphql": right])
    try project.write([
      "real ü/relay.config.json": #"{"schema": "schema.graphql", "src": "src"}"#,
      "real ü/schema.graphql": "type Query { me: User } type User { name: String }",
    ])
    try project.remove("relay.config.json")
    let link = project.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: project.folder.appendingPathComponent("real ü"))
    var editor = EditorSession(link)
    // The editor opens the file by its real path, and escapes less than the server does.
    let uri = "file://\(project.folder.path)/real ü/src/Feed.graphql"
    editor.open(uri, wrong)
    #expect(editor.diagnostics == [uri: ["0:18 \(rule)"]])
    editor.close(uri)
    editor.open(project.uri("link/src/Feed.graphql"), wrong)
    #expect(editor.diagnostics[project.uri("link/src/Feed.graphql")] == ["0:18 \(rule)"])
  }

  @Test(
    "ranges are in the negotiated unit, after emoji and in literals of any kind",
    arguments: [("utf-8", "0:40"), ("utf-16", "0:38")])
  func encodings(encoding: String, place: String) throws {
    let text = "let 😀 = graphql(##\"query Feed { me { nam } }\"##)\r\n"
    let project = try TemporaryProject(["src/Feed.swift": ""])
    var editor = EditorSession(
      project.folder, capabilities: ["general": ["positionEncodings": [.string(encoding)]]])
    editor.open(project.uri("src/Feed.swift"), text)
    #expect(editor.diagnostics[project.uri("src/Feed.swift")] == ["\(place) \(rule)"])
  }

  @Test("the other places, the labels and the help of a diagnostic are part of it")
  func related() throws {
    let project = try TemporaryProject([
      "src/A.graphql": "query Feed { me { name } }", "src/B.graphql": "query Feed { me { id } }",
    ])
    var editor = EditorSession(
      project.folder,
      capabilities: ["textDocument": ["publishDiagnostics": ["relatedInformation": true]]])
    editor.rest()
    let items = editor.received.flatMap { $0["params"]?["diagnostics"]?.items ?? [] }
    let uris = items.flatMap { $0["relatedInformation"]?.items ?? [] }
      .compactMap { $0["location"]?["uri"]?.text }
    #expect(items.allSatisfy { $0["source"] == "relay-compiler" && $0["severity"] == 1 })
    #expect(uris == [project.uri("src/B.graphql")])
  }
}
