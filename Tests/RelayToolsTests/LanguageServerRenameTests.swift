import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Renaming in the language server", .timeLimit(.minutes(1)))
struct LanguageServerRenameTests {
  private static let schema = """
    type Query { me: User users(first: Int): [User!]! }
    type User { id: ID! name: String! avatar(size: Int): String friends(first: Int): [User] state: State }
    enum State { ON OFF }
    """

  /// An app that uses a module, both with a configuration.
  private static let modules = [
    "schema.graphql": schema,
    "relay.config.json":
      #"{"schema": "schema.graphql", "src": "App", "modules": {"Base": "Base"}}"#,
    "Base/relay.config.json": #"{"schema": "../schema.graphql"}"#,
    "Base/Avatar.graphql": "fragment Avatar_user on User { name }",
    "App/Row.swift": "let row = graphql(\"query Row { me { ...Avatar_user } }\")",
  ]

  /// Returns the edits as `path:line:character text`, or the message of the rejection.
  private func rename(
    _ editor: inout EditorSession, _ project: TemporaryProject, _ path: String, _ character: Int,
    to name: String
  ) -> [String] {
    guard case .object(let members) = project.place(project.uri(path), 0, character) else {
      return []
    }
    let answer = editor.request(
      "textDocument/rename", .object(members + [.init("newName", .string(name))]))
    if let message = answer["error"]?["message"]?.text { return [message] }
    guard case .object(let changes)? = answer["result"]?["changes"] else { return [] }
    return changes.flatMap { change in
      change.value.items.map { edit in
        let start = edit["range"]?["start"]
        let path = change.name.dropFirst(FileURI.uri(of: project.folder.path).count + 1)
        return "\(path):\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1) "
          + (edit["newText"]?.text ?? "")
      }
    }.sorted()
  }

  private func prepared(
    _ editor: inout EditorSession, _ project: TemporaryProject, _ path: String, _ character: Int
  ) -> String? {
    let answer = editor.request(
      "textDocument/prepareRename", project.place(project.uri(path), 0, character))
    return answer["error"]?["message"]?.text ?? answer["result"]?["placeholder"]?.text
  }

  // MARK: Modules

  @Test("files that changed on the disk, of which the editor did not tell, are read again")
  func changedOnDisk() throws {
    let project = try TemporaryProject(Self.modules)
    var editor = EditorSession(project.folder)
    editor.open(project.uri("Base/Avatar.graphql"), "fragment Avatar_user on User { name }")
    try project.write(["App/Row.swift": "// é\nlet row = graphql(\"{ me { ...Avatar_user } }\")"])
    #expect(
      rename(&editor, project, "Base/Avatar.graphql", 12, to: "Pic_user") == [
        "App/Row.swift:1:29 Pic_user", "Base/Avatar.graphql:0:9 Pic_user",
      ])
  }

  @Test(
    "a fragment of a module is renamed in all projects that use it",
    arguments: [("Base/Avatar.graphql", 12), ("App/Row.swift", 42)])
  func module(path: String, character: Int) throws {
    let project = try TemporaryProject(Self.modules)
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics.isEmpty)
    #expect(prepared(&editor, project, path, character) == "Avatar_user")
    #expect(
      rename(&editor, project, path, character, to: "Pic_user") == [
        "App/Row.swift:0:39 Pic_user", "Base/Avatar.graphql:0:9 Pic_user",
      ])
  }

  @Test(
    "a fragment of a module is renamed in the projects outside of the editor's folder",
    arguments: [true, false])
  func moduleFolder(isAbove: Bool) throws {
    var files = Self.modules
    if !isAbove {
      // Siblings in a package.
      files["Package.swift"] = ""
      files["App/relay.config.json"] =
        #"{"schema": "../schema.graphql", "modules": {"Base": "../Base"}}"#
      files["relay.config.json"] = nil
    }
    let project = try TemporaryProject(files)
    if !isAbove { try project.remove("relay.config.json") }
    var editor = EditorSession(project.folder.appendingPathComponent("Base"))
    editor.rest()
    #expect(
      rename(&editor, project, "Base/Avatar.graphql", 12, to: "Pic_user") == [
        "App/Row.swift:0:39 Pic_user", "Base/Avatar.graphql:0:9 Pic_user",
      ])
    // The server has all projects of a package. The other project was read only for the rename.
    editor.rest()
    #expect(editor.diagnostics.isEmpty && editor.server.projects.count == (isAbove ? 1 : 2))
  }

  @Test("a variable that projects share by a module is renamed in all of them")
  func sharedVariable() throws {
    let config = #"{"schema": "../schema.graphql", "modules": {"Base": "../Base"}}"#
    let project = try TemporaryProject([
      "schema.graphql": Self.schema, "Base/relay.config.json": #"{"schema": "../schema.graphql"}"#,
      "Base/F.graphql": "fragment F on User { friends(first: $n) { id } }",
      "A/relay.config.json": config, "A/A.graphql": "query A($n: Int) { me { ...F } }",
      "B/relay.config.json": config, "B/B.graphql": "query B($n: Int) { me { ...F } }",
    ])
    try project.remove("relay.config.json")
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(
      rename(&editor, project, "A/A.graphql", 9, to: "size") == [
        "A/A.graphql:0:9 size", "B/B.graphql:0:9 size", "Base/F.graphql:0:37 size",
      ])
  }

  @Test("a name that another project has already is refused")
  func takenElsewhere() throws {
    var files = Self.modules
    files["App/Other.graphql"] = "fragment Pic_user on User { id }"
    let project = try TemporaryProject(files)
    var editor = EditorSession(project.folder)
    #expect(
      rename(&editor, project, "Base/Avatar.graphql", 12, to: "Pic_user") == [
        "A fragment \"Pic_user\" already exists."
      ])
  }

  @Test("a renaming that a project which cannot be read may need is refused")
  func unreadable() throws {
    var files = Self.modules
    files["relay.config.json"] =
      #"{"schema": "missing.graphql", "src": "App", "modules": {"Base": "Base"}}"#
    files["Unrelated/relay.config.json"] = "{"
    let project = try TemporaryProject(files)
    var editor = EditorSession(project.folder)
    let found = rename(&editor, project, "Base/Avatar.graphql", 12, to: "Pic_user")
    #expect(
      found.count == 1 && found[0].hasPrefix("\"Avatar_user\" cannot be renamed, because ")
        && found[0].contains("/relay.config.json cannot be read: "))
    #expect(prepared(&editor, project, "Base/Avatar.graphql", 12) == found[0])
    try project.write(["relay.config.json": Self.modules["relay.config.json"] ?? ""])
    editor.touched(project.uri("relay.config.json"))
    #expect(rename(&editor, project, "Base/Avatar.graphql", 12, to: "Pic_user").count == 2)
  }

  @Test("a fragment of a package that was checked out is not renamed")
  func checkout() throws {
    var files = Self.modules
    files["Base/Avatar.graphql"] = nil
    files["Base/relay.config.json"] = nil
    files["relay.config.json"] =
      #"{"schema": "schema.graphql", "src": "App", "modules": {"Base": ".build/checkouts/Base/Base"}}"#
    let path = ".build/checkouts/Base/Base/Avatar.graphql"
    files[path] = "fragment Avatar_user on User { name }"
    let project = try TemporaryProject(files)
    var editor = EditorSession(project.folder)
    let found = rename(&editor, project, "App/Row.swift", 42, to: "Pic_user")
    #expect(
      found == [
        "\"Avatar_user\" cannot be renamed, because it is also in a package that was checked out: "
          + project.folder.path + "/" + path
      ])
    #expect(prepared(&editor, project, "App/Row.swift", 42) == found[0])
  }

  // MARK: Checks

  @Test(
    "a renaming that would make an error is refused with it",
    arguments: [
      (
        "query Q { me { nick: name avatar(size: 1) } }", 15, "avatar",
        "Fields \"avatar\" conflict because \"name\" and \"avatar\" are different fields."
      ),
      (
        "query UseRf { me { id } } query ListQuery { me { name } }", 6, "List",
        "The Swift type of \"List\" would be \"ListQuery\", but that already exists."
      ),
      (
        "fragment Row_todo on User { id } query Q { me { ...Row_todo } }", 9, "Schema",
        "The Swift type of \"Schema\" would be \"Schema\", but that already exists."
      ),
    ])
  func newError(text: String, character: Int, name: String, message: String) throws {
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(project.folder)
    editor.open(uri, text)
    #expect(editor.diagnostics == [uri: []])
    let found = rename(&editor, project, "src/A.graphql", character, to: name)
    #expect(found.count == 1 && found.first?.hasPrefix(message) == true, "\(found)")
    // The project is unchanged.
    editor.rest()
    #expect(editor.diagnostics == [uri: []])
    #expect(
      rename(&editor, project, "src/A.graphql", character, to: "Fresh").first?.hasSuffix(" Fresh")
        == true)
  }

  @Test("a name that the configuration's rules forbid is refused")
  func fileNamePrefix() throws {
    let project = try TemporaryProject([
      "relay.config.json": #"{"schema": "schema.graphql", "src": "src", "fileNamePrefix": true}"#,
      "src/Row.graphql": "fragment Row_user on User { id }",
    ])
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics.isEmpty)
    let found = rename(&editor, project, "src/Row.graphql", 9, to: "Line_user")
    #expect(found.count == 1 && found[0].contains("\"Line_user\""), "\(found)")
    #expect(
      rename(&editor, project, "src/Row.graphql", 9, to: "Row_one") == [
        "src/Row.graphql:0:9 Row_one"
      ])
  }

  @Test("a Swift name is refused also in a project with other errors, which refuse nothing else")
  func otherErrors() throws {
    let text = "query UseRf { me { nam } } query ListQuery { me { name } }"
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    var editor = EditorSession(project.folder)
    editor.open(project.uri("src/A.graphql"), text)
    let found = rename(&editor, project, "src/A.graphql", 6, to: "List")
    #expect(found.count == 1 && found.first?.contains("ListQuery") == true, "\(found)")
    #expect(
      rename(&editor, project, "src/A.graphql", 6, to: "Other") == ["src/A.graphql:0:6 Other"])
  }

  @Test("an error that names what is renamed is no new one")
  func oldError() throws {
    let text = "fragment Row on User { ...Row }"
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    var editor = EditorSession(project.folder)
    editor.open(uri, text)
    #expect(editor.diagnostics == [uri: ["0:23 no-fragment-cycles"]])
    #expect(rename(&editor, project, "src/A.graphql", 9, to: "Line").count == 2)
  }

  @Test("an operation with a maximum age is renamed in the configuration, too")
  func configured() throws {
    let project = try TemporaryProject([
      "relay.config.json":
        #"{"maxAge": {"Feed": 10}, "schema": "schema.graphql", "src": "src"}"#,
      "src/A.graphql": "query Feed { me { id } }",
    ])
    var editor = EditorSession(project.folder)
    #expect(
      rename(&editor, project, "src/A.graphql", 6, to: "Home") == [
        "relay.config.json:0:13 Home", "src/A.graphql:0:6 Home",
      ])
  }

  @Test("the fragment of a derived field is renamed in the schema extensions, too")
  func derived() throws {
    let project = try TemporaryProject([
      "schema.graphql": Self.schema,
      "relay.config.json":
        #"{"schema": "schema.graphql", "schemaExtensions": ["client/User.graphql"], "src": "src"}"#,
      "client/User.graphql": #"extend type User { full: String @derived(fragment: "Full") }"#,
      "src/A.graphql": "fragment Full on User { name } query Q { me { full } }",
    ])
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(editor.diagnostics.isEmpty)
    #expect(
      rename(&editor, project, "src/A.graphql", 9, to: "Whole") == [
        "client/User.graphql:0:52 Whole", "src/A.graphql:0:9 Whole",
      ])
  }

  @Test("a name that no project defines is not renamed")
  func undefined() throws {
    let project = try TemporaryProject([
      "schema.graphql": Self.schema, "src/A.graphql": "query Q { me { ...Missing } }",
    ])
    var editor = EditorSession(project.folder)
    #expect(
      rename(&editor, project, "src/A.graphql", 20, to: "Other") == ["\"Missing\" is not defined."])
    #expect(prepared(&editor, project, "src/A.graphql", 20) == "\"Missing\" is not defined.")
  }

  @Test("a name that may be used beside a syntax error is not renamed")
  func syntaxError() throws {
    let project = try TemporaryProject([
      "schema.graphql": Self.schema,
      "src/A.graphql":
        "fragment Row on User { id } query Q($n: Int) { me { ...Row } users(first: $n) { id } }",
    ])
    let broken = project.uri("src/Broken.swift")
    var editor = EditorSession(project.folder)
    editor.open(
      broken, "let b = graphql(\"query B { me { ...Row } } query C { me { id ! ...Row } }\")")
    let refusal =
      "\"Row\" cannot be renamed, because it may be used in "
      + "\(project.folder.path)/src/Broken.swift, a file with a syntax error."
    #expect(rename(&editor, project, "src/A.graphql", 10, to: "Line") == [refusal])
    #expect(prepared(&editor, project, "src/A.graphql", 10) == refusal)
    // Names that are not written there can be renamed, as can names that were read.
    #expect(rename(&editor, project, "src/A.graphql", 37, to: "count").count == 2)
    editor.change(
      broken, version: 2,
      ["text": "let b = graphql(\"query B { me { ...Row n: id } } query C { ! }\")"])
    #expect(rename(&editor, project, "src/A.graphql", 10, to: "Line").count == 3)
    #expect(rename(&editor, project, "src/A.graphql", 37, to: "count").count == 2)
    editor.change(
      broken, version: 3,
      ["text": "let b = graphql(\"query B { me { ...Rows } } query C { ! }\") // Row"])
    #expect(rename(&editor, project, "src/A.graphql", 10, to: "Line").count == 2)
  }

  @Test("an operation does not take or share the age of a type")
  func ages() throws {
    let project = try TemporaryProject([
      "schema.graphql": Self.schema,
      "relay.config.json":
        #"{"maxAge": {"User": 10, "State": 20}, "schema": "schema.graphql", "src": "src"}"#,
      "src/A.graphql": "query User { me { id } } query Feed { me { id } }",
    ])
    var editor = EditorSession(project.folder)
    func refusal(_ name: String) -> [String] {
      ["\"maxAge\" in the configuration has an age for \"\(name)\", but that is also a type."]
    }
    #expect(rename(&editor, project, "src/A.graphql", 7, to: "Home") == refusal("User"))
    #expect(rename(&editor, project, "src/A.graphql", 32, to: "State") == refusal("State"))
    #expect(rename(&editor, project, "src/A.graphql", 32, to: "Home").count == 1)
  }

  @Test(
    "a renaming is refused when a configuration of the package was never read",
    arguments: ["", "Base"])
  func neverRead(folder: String) throws {
    var files = Self.modules
    files["Package.swift"] = ""
    files["App/relay.config.json"] =
      #"{"schema": "../schema.graphql", "modls": {"Base": "../Base"}}"#
    files["relay.config.json"] = nil
    let project = try TemporaryProject(files)
    try project.remove("relay.config.json")
    var editor = EditorSession(project.folder.appendingPathComponent(folder))
    let found = rename(&editor, project, "Base/Avatar.graphql", 12, to: "Pic_user")
    #expect(
      found.count == 1 && found[0].contains("/App/relay.config.json cannot be read: "), "\(found)")
  }
}
