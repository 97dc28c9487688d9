import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler init --editor", .timeLimit(.minutes(1)))
struct InitEditorTests {
  private static let sources = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "../../Editors").standardizedFileURL

  private static let list = "\"--editor\" takes vscode, neovim, emacs, helix or zed."

  private func project(_ files: [String: String] = [:]) throws -> TemporaryProject {
    try TemporaryProject(only: files.merging(["Package.swift": ""]) { $1 })
  }

  private func setUp(_ editor: Editor, _ project: TemporaryProject) throws -> CommandResult {
    try EditorSetup(editor: editor, folder: project.folder.path).run()
  }

  /// The paths and contents of all files in a project.
  private func contents(_ project: TemporaryProject) -> [String: Data] {
    let root = project.folder.path + "/"
    let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return Dictionary(
      uniqueKeysWithValues: paths.compactMap { path in
        (try? Data(contentsOf: URL(filePath: root + path))).map { (path, $0) }
      })
  }

  @Test(
    "the files of an editor are written, and a second run changes nothing", arguments: Editor.all)
  func twice(editor: Editor) throws {
    let project = try project()
    let result = try setUp(editor, project)
    let written = editor.files.map { "wrote \($0.path)\n" }.joined()
    let step = "\n\(editor.step) relay-compiler must be in PATH.\n"
    #expect(result == CommandResult(.success, output: written + step))
    let first = contents(project)
    #expect(first.count == editor.files.count + 1)
    #expect(try setUp(editor, project).output == "All files are up to date.\n" + step)
    #expect(contents(project) == first)
  }

  @Test("the command's syntax names every editor")
  func syntax() {
    let option = CommandSyntax(Command.initialize.syntax)[option: "--editor"]
    #expect(option?.values.map(\.choices) == [Editor.all.map(\.name)])
  }

  @Test("every file in Editors is embedded as it is, except the script that packs them")
  func sources() throws {
    let paths =
      FileManager.default.enumerator(atPath: Self.sources.path)?
      .compactMap { $0 as? String } ?? []
    var texts: [Data: String] = [:]
    for path in paths where !path.contains("__pycache__") {
      if let text = try? Data(contentsOf: Self.sources.appending(path: path)) {
        texts[text] = path
      }
    }
    let files = Editor.all.flatMap(\.files)
    for file in files {
      let source = texts.removeValue(forKey: Data(file.bytes))
      #expect(source != nil, "\(file.path) differs from its source.")
      #expect(source?.split(separator: ".").last == file.path.split(separator: ".").last)
    }
    #expect(texts.values.sorted() == ["VSCode/pack.py"])
    #expect(Set(files.map(\.path)).count == files.count)
  }

  @Test("the extension for VS Code has the compiler's version")
  func version() throws {
    let text = try Data(
      contentsOf: Self.sources.appending(path: "VSCode/extension/package.json"))
    let package = try JSONSerialization.jsonObject(with: text) as? [String: Any]
    #expect(package?["version"] as? String == CompilerVersion.release)
  }

  @Test("settings with other contents are left unchanged, and the output says which lines to add")
  func otherSettings() throws {
    let project = try project([".vscode/settings.json": "{ \"a\": 1 }\n"])
    let editor = try #require(Editor.named("vscode"))
    let result = try setUp(editor, project)
    #expect(result.exitCode == .success)
    #expect(project.read(".vscode/settings.json") == "{ \"a\": 1 }\n")
    #expect(result.output.hasPrefix("wrote .vscode/tasks.json\n"))
    #expect(
      result.output.contains(
        """
        left .vscode/settings.json unchanged: it has other contents

        Add the lines of these that .vscode/settings.json does not have:

          {
            "relay.server.command": "relay-compiler",
        """))
    #expect(project.read(".vscode/tasks.json") != nil)
  }

  @Test("settings that have all lines among others are up to date")
  func mergedSettings() throws {
    let project = try project()
    let editor = try #require(Editor.named("vscode"))
    _ = try setUp(editor, project)
    let text = try #require(project.read(".vscode/settings.json"))
    let merged = text.replacing("\n}", with: ",\n\t\"editor.tabSize\": 2\r\n}")
    try project.write([".vscode/settings.json": merged])
    #expect(try setUp(editor, project).output.hasPrefix("All files are up to date.\n"))
    try project.write([".vscode/settings.json": merged.replacing("\"on\"", with: "\"off\"")])
    #expect(try setUp(editor, project).output.hasPrefix("left .vscode/settings.json "))
  }

  @Test("a file of another version is left unchanged, and the output says to remove it")
  func otherVersion() throws {
    let path = ".vscode/extensions/relaystore/extension.js"
    let project = try project([path: "'use strict';\n"])
    let result = try setUp(#require(Editor.named("vscode")), project)
    #expect(project.read(path) == "'use strict';\n")
    #expect(
      result.output.contains(
        "\n\(path) may be from another version: remove it, and run init again.\n"))
    #expect(!result.output.contains("Add the lines"))
  }

  @Test(
    "a folder or a file that cannot be written is named with the reason",
    arguments: [
      ([".zed": "a file"], "Cannot create the folder \"%/.zed\": File exists."),
      ([".zed/settings.json/a": ""], "Cannot read \"%/.zed/settings.json\": "),
    ])
  func occupied(files: [String: String], message: String) throws {
    let project = try project(files)
    let error = try #require(throws: FileError.self) {
      try setUp(#require(Editor.named("zed")), project)
    }
    let expected = message.replacing("%", with: project.folder.path)
    #expect(error.message.hasPrefix(expected), "\(error.message)")
    #expect(project.read(".zed/tasks.json") == nil)
  }

  @Test("a link to nothing is not followed")
  func link() throws {
    let project = try project()
    try FileManager.default.createSymbolicLink(
      atPath: project.folder.path + "/.nvim.lua", withDestinationPath: "elsewhere.lua")
    #expect(throws: FileError.self) { try setUp(#require(Editor.named("neovim")), project) }
    #expect(project.read("elsewhere.lua") == nil && project.read(".nvim/plugin/relay.lua") == nil)
  }

  @Test(
    "an unknown editor is an error with a suggestion and all names",
    arguments: [
      (["--editor", "nvim"], "\(Self.list) Did you mean \"neovim\"?\n"),
      (["--editor", "VSCode"], "\(Self.list) Did you mean \"vscode\"?\n"),
      (["--editor=emacsen"], "\(Self.list) Did you mean \"emacs\"?\n"),
      (["--editor"], "\(Self.list)\n"),
      (["--editor", "zed", "--src", "."], "Name an editor, or a schema and sources, not both."),
    ])
  func mistakes(arguments: [String], message: String) {
    let result = runRelayCompiler(["init"] + arguments)
    #expect(result.exitCode == .usage)
    #expect(result.errors.hasPrefix("error: \(message)"), "\(result.errors)")
    #expect(result.errors.contains("\nusage: relay-compiler init "))
  }

  @Test("the program writes into its working folder")
  func program() throws {
    let project = try project()
    let result = try BuiltProgram.run(["init", "--editor", "helix"], in: project.folder)
    #expect(result.code == 0 && result.output.hasPrefix("wrote .helix/languages.toml\n"))
    #expect(project.read(".helix/languages.toml")?.contains("command = \"relay-compiler\"") == true)
    #expect(project.read("relay.config.json") == nil)
  }
}
