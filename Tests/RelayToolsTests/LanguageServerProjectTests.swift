import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The language server's projects", .timeLimit(.minutes(1)))
struct LanguageServerProjectTests {
  private let wrong = "query Feed { me { nam } }"
  private let rule = "fields-on-correct-type"

  /// Starts an editor without a folder.
  private func withoutFolder() -> EditorSession {
    var editor = EditorSession()
    editor.request("initialize", ["rootUri": nil, "capabilities": [:]])
    editor.notify("initialized", [:])
    return editor
  }

  @Test("a file opened without a folder is checked by the nearest configuration above it")
  func noFolder() throws {
    let project = try TemporaryProject(["src/deep/Feed.graphql": wrong])
    let uri = project.uri("src/deep/Feed.graphql")
    var editor = withoutFolder()
    editor.open(uri, wrong)
    #expect(editor.diagnostics == [uri: ["0:18 \(rule)"]])
    editor.change(uri, version: 2, ["text": "query Feed { me { name } }"])
    #expect(editor.diagnostics == [uri: []])
    let hover = editor.request("textDocument/hover", project.place(uri, 0, 19))
    #expect(hover["result"]?["contents"]?["value"]?.text?.contains("User.name: String!") == true)
  }

  @Test("a folder in a package, and a file without a folder, stand for all of the package")
  func package() throws {
    let configuration = #"{"schema": "../../schema.graphql"}"#
    let right = "query A { me { name } }"
    let project = try TemporaryProject([
      "Package.swift": #"let package = Package(targets: [.target(name: "A"), .target(name: "B")])"#,
      "Sources/A/relay.config.json": configuration, "Sources/A/A.graphql": right,
      "Sources/B/relay.config.json": configuration, "Sources/B/B.graphql": wrong,
    ])
    try project.remove("relay.config.json")
    let uri = project.uri("Sources/B/B.graphql")
    var editor = EditorSession(project.folder.appendingPathComponent("Sources/A"))
    editor.rest()
    #expect(editor.diagnostics == [uri: ["0:18 \(rule)"]])
    editor.open(uri, wrong)
    editor.change(uri, version: 2, ["text": "query Feed { me { name } }"])
    #expect(editor.diagnostics == [uri: []])
    var other = withoutFolder()
    other.open(project.uri("Sources/A/A.graphql"), right)
    #expect(other.diagnostics[uri] == ["0:18 \(rule)"])
  }

  @Test("an editor is asked to watch the package around its folder, if it can")
  func watchedPackage() throws {
    let project = try TemporaryProject(["Package.swift": "", "src/A.swift": ""])
    for supports in [true, false, nil] {
      var watching: JSON = ["dynamicRegistration": true]
      if let supports {
        watching = ["dynamicRegistration": true, "relativePatternSupport": .boolean(supports)]
      }
      let editor = EditorSession(
        project.folder.appendingPathComponent("src"),
        capabilities: ["workspace": ["didChangeWatchedFiles": watching]])
      let request = editor.received.last { $0["method"] == "client/registerCapability" }
      let options = request?["params"]?["registrations"]?.items.first?["registerOptions"]
      let bases = options?["watchers"]?.items.compactMap { $0["globPattern"]?["baseUri"]?.text }
      let root = FileURI.uri(of: project.folder.standardizedFileURL.path)
      #expect(bases == (supports == true ? [root, root] : []))
    }
  }

  @Test("a request is answered before the first diagnostics of a file without a folder")
  func firstRequest() throws {
    let project = try TemporaryProject(["src/Feed.graphql": wrong])
    let uri = project.uri("src/Feed.graphql")
    var editor = withoutFolder()
    editor.notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "version": 1, "text": .string(wrong)]])
    let hover = editor.request("textDocument/hover", project.place(uri, 0, 14))
    #expect(hover["result"]?["contents"]?["value"]?.text?.contains("Query.me: User") == true)
  }

  @Test("a file opened without a folder is checked when a configuration is created above it")
  func laterConfiguration() throws {
    let project = try TemporaryProject(["src/Feed.graphql": wrong])
    let text = try #require(project.read("relay.config.json"))
    try project.remove("relay.config.json")
    let uri = project.uri("src/Feed.graphql")
    var editor = withoutFolder()
    editor.open(uri, wrong)
    #expect(editor.diagnostics.isEmpty)
    let log = editor.received.last { $0["method"] == "window/logMessage" }
    #expect(log?["params"]?["message"]?.text?.contains("relay.config.json") == true)
    try project.write(["relay.config.json": text])
    editor.notify("textDocument/didSave", ["textDocument": ["uri": .string(uri)]])
    editor.rest()
    #expect(editor.diagnostics == [uri: ["0:18 \(rule)"]])
  }

  @Test("an open text that is not on the disk is a source until it is closed")
  func unsaved() throws {
    let project = try TemporaryProject(["src/Feed.graphql": "query Feed { me { ...Brand } }"])
    let (feed, brand) = (project.uri("src/Feed.graphql"), project.uri("src/new/Brand.swift"))
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics == [feed: ["0:21 known-fragment-names"]])
    editor.open(brand, "let b = graphql(\"fragment Brand on User { nam }\")")
    #expect(editor.diagnostics == [feed: [], brand: ["0:42 \(rule)"]])
    let items = editor.request("textDocument/completion", project.place(brand, 0, 45))
    #expect(items["result"]?["items"]?.items.contains { $0["label"] == "name" } == true)
    editor.change(brand, version: 2, ["text": "let b = graphql(\"fragment Brand on User { id }\")"])
    #expect(editor.diagnostics == [feed: [], brand: []])
    editor.change(
      brand, version: 3, ["text": "let b = graphql(\"fragment Brand on User { nam }\")"])
    editor.close(brand)
    #expect(editor.diagnostics == [feed: ["0:21 known-fragment-names"], brand: []])
  }

  @Test("an open text in a folder that does not exist yet is a source below a link, too")
  func unsavedBelowLink() throws {
    let project = try TemporaryProject(["src/Feed.graphql": "query Feed { me { ...Brand } }"])
    let link = project.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: project.folder.path + "/src")
    var editor = EditorSession(project.folder)
    editor.rest()
    editor.open(project.uri("link/new/Brand.graphql"), "fragment Brand on User { id }")
    #expect(editor.diagnostics[project.uri("src/Feed.graphql")] == [])
  }

  @Test("an open text that is deleted from the disk stays a source, and one that is saved too")
  func deletedAndSaved() throws {
    let project = try TemporaryProject(["src/Feed.graphql": wrong])
    let feed = project.uri("src/Feed.graphql")
    var editor = EditorSession(project.folder)
    editor.open(feed, wrong)
    try project.remove("src/Feed.graphql")
    editor.touched(feed)
    #expect(editor.diagnostics == [feed: ["0:18 \(rule)"]])
    try project.write(["src/Feed.graphql": wrong])
    editor.notify("textDocument/didSave", ["textDocument": ["uri": .string(feed)]])
    editor.rest()
    #expect(editor.diagnostics == [feed: ["0:18 \(rule)"]])
    editor.close(feed)
    #expect(editor.diagnostics == [feed: ["0:18 \(rule)"]])
  }

  @Test(
    "an open text that is not on the disk is no source where a file would be none",
    arguments: [
      "New.graphql", "src/__generated__/New.graphql", "src/.hidden/New.graphql", "src/.New.graphql",
      "src/New.txt", "src/New.graphql.swift", "src/out/New.graphql", "src/schema.graphql",
    ])
  func notASource(path: String) throws {
    let project = try TemporaryProject([
      "src/Feed.graphql": "query Feed { me { name } }",
      "relay.config.json":
        #"{"schema": "schema.graphql", "schemaExtensions": ["src/schema.graphql"], "src": "src", "artifactDirectory": "src/out"}"#,
      "src/schema.graphql": "extend type User { age: Int }",
    ])
    if path == "src/schema.graphql" { try project.remove(path) }
    var editor = EditorSession(project.folder)
    editor.open(
      project.uri(path), path == "src/schema.graphql" ? "extend type User { age: Int }" : wrong)
    #expect(!editor.diagnostics.values.contains { !$0.isEmpty })
  }

  @Test("an open text that is not on the disk is a source of a module, and no other module's")
  func unsavedInModule() throws {
    let project = try TemporaryProject([
      "src/Feed.graphql": "query Feed { me { ...Brand } }",
      "base/None.graphql": "fragment None on User { id }",
      "relay.config.json":
        #"{"schema": "schema.graphql", "src": "src", "modules": {"Base": "base"}}"#,
    ])
    let (feed, brand) = (project.uri("src/Feed.graphql"), project.uri("base/Brand.graphql"))
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics == [feed: ["0:21 known-fragment-names"]])
    editor.open(brand, "fragment Brand on User { name }")
    #expect(editor.diagnostics == [feed: [], brand: []])
  }
}

extension TemporaryProject {
  /// The parameters of a request about a position.
  func place(_ uri: String, _ line: Int, _ character: Int) -> JSON {
    [
      "textDocument": ["uri": .string(uri)],
      "position": ["line": .int(line), "character": .int(character)],
    ]
  }
}
