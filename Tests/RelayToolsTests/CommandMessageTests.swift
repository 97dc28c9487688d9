import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Messages about files and the configuration", .timeLimit(.minutes(1)))
struct CommandMessageTests {
  private let feed = "let q = graphql(\"query Feed { me { name } }\")\n"

  private static func configuration(output: String) -> String {
    #"{"schema": "schema.graphql", "src": "src", "artifactDirectory": "\#(output)"}"#
  }

  private func project(output: String) throws -> TemporaryProject {
    try TemporaryProject([
      "src/Feed.swift": feed, "relay.config.json": Self.configuration(output: output),
    ])
  }

  // MARK: Writing

  @Test("a folder that cannot be made is named with the reason")
  func folder() throws {
    let project = try project(output: "deep/\(String(repeating: "a", count: 300))")
    let result = project.compile()
    #expect(result.exitCode == .usage)
    let path = project.folder.path + "/deep/" + String(repeating: "a", count: 300)
    #expect(result.errors.contains("\"\(path)\": File name too long."), "\(result.errors)")
    try project.write(["relay.config.json": Self.configuration(output: "link/out")])
    try FileManager.default.createSymbolicLink(
      atPath: project.folder.path + "/link", withDestinationPath: project.folder.path + "/nowhere")
    #expect(
      project.compile().errors
        == "error: Cannot create the folder \"\(project.folder.path)/link\": "
        + "a broken symbolic link has that name.\n")
  }

  @Test("a folder of generated files that is a link to nothing, or a file, is named")
  func occupied() throws {
    for isLink in [true, false] {
      let project = try project(output: "out")
      let path = project.folder.path + "/out"
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: project.folder.path + "/nowhere")
      } else {
        try project.write(["out": "text"])
      }
      let result = project.compile()
      #expect(result.exitCode == .usage)
      #expect(result.errors.hasPrefix("error: Cannot ") && result.errors.contains("\"\(path)\": "))
      #expect(!isLink || result.errors.contains("create the folder"), "\(result.errors)")
    }
  }

  @Test("a manifest that cannot be written is named with the reason")
  func manifest() throws {
    let project = try project(output: "out")
    let path = project.folder.path + "/none/operations.json"
    let result = project.run("operations", ["--output", path])
    #expect(result.exitCode == .usage)
    #expect(result.errors == "error: Cannot write \"\(path)\": No such file or directory.\n")
  }

  @Test("the generated files of a folder that is removed meanwhile are written again")
  func removedFolder() throws {
    let project = try project(output: "a/b/out")
    #expect(project.compile().exitCode == .success)
    try project.remove("a")
    #expect(project.compile().output.hasSuffix("2 files, 2 changed\n"))
  }

  // MARK: The configuration

  @Test(
    "a mistake in the configuration is at its line and column, and says what is expected",
    arguments: [
      ("{ bad", "1:3: error: "),
      ("{\"schema\":\n  \"a\"\n \"src\"}", "3:2: error: "),
      ("[]", "1:1: error: The file is a list; it must be an object.\n"),
      ("{\n  \"schema\": []\n}", "2:3: error: \"schema\" is a list; it must be a string.\n"),
      ("{\n  \"schema\": null\n}", "2:3: error: \"schema\" is null; it must be a string.\n"),
      ("{}", "1:1: error: \"schema\" is missing.\n"),
      (
        "{\"schema\": \"s\",\n \"excludes\": [\"a\", 3]}",
        "2:20: error: \"excludes[1]\" is a number; it must be a string.\n"
      ),
      (
        "{\"schema\": \"s\",\n \"excludes\": \"a\"}",
        "2:2: error: \"excludes\" is a string; it must be a list.\n"
      ),
      (
        "{\"schema\": \"s\",\n \"fileNamePrefix\": 1}",
        "2:2: error: \"fileNamePrefix\" is a number; it must be true or false.\n"
      ),
      (
        "{\"schema\": \"s\",\n \"maxAge\": {\"A\": \"5\"}}",
        "2:13: error: \"maxAge.A\" is a string; it must be a number.\n"
      ),
      (
        "{\"schema\": \"s\",\n \"keyFields\": {\"A\": 1}}",
        "2:16: error: \"keyFields.A\" is a number; it must be a string or a list of strings.\n"
      ),
      (
        "{\"schema\": \"s\",\n \"customScalarTypes\": {\"A\": 1}}",
        "2:24: error: \"customScalarTypes.A\" is a number; it must be a string or an object.\n"
      ),
      (
        "{\"schema\": \"s\",\n \"customScalarTypes\": {\"A\": {\"path\": \"B\"}}}",
        "2:24: error: \"customScalarTypes.A.name\" is missing.\n"
      ),
      (
        "{\"schema\": \"s\",\n \"persistConfig\": {\"file\": {}}}",
        "2:20: error: \"persistConfig.file\" is an object; it must be a string.\n"
      ),
    ])
  func located(text: String, message: String) throws {
    let project = try TemporaryProject(["relay.config.json": text])
    let result = project.compile()
    #expect(result.exitCode == .usage)
    let start = project.folder.path + "/relay.config.json:" + message
    #expect(result.errors.hasPrefix(start), "\(result.errors)")
  }

  @Test(
    "an empty path is an error, which names its key",
    arguments: [
      (#""artifactDirectory": """#, "artifactDirectory"), (#""src": """#, "src"),
      (#""schemaExtensions": ["a", ""]"#, "schemaExtensions"),
      (#""persistConfig": {"file": ""}"#, "persistConfig.file"),
      (#""modules": {"Base": ""}"#, "modules.Base"),
    ])
  func emptyPath(member: String, key: String) throws {
    let project = try TemporaryProject([
      "src/Feed.swift": feed, "relay.config.json": #"{"schema": "schema.graphql", \#(member)}"#,
    ])
    let result = project.compile()
    #expect(result.exitCode == .usage)
    #expect(result.errors.hasPrefix(project.folder.path + "/relay.config.json:1:"))
    #expect(result.errors.hasSuffix(": error: \"\(key)\" is empty; it must be a path.\n"))
    #expect(project.read("Feed.graphql.swift") == nil)
  }

  @Test("an empty path among the arguments is an error")
  func emptyArgument() throws {
    let result = try project(output: "out").compile("--output", "")
    #expect(result.exitCode == .usage && result.errors.contains("\"--output\" needs a value."))
  }

  @Test(
    "without a configuration each command says what it takes instead",
    arguments: [
      (["compile"], ", or a schema with --schema."), (["watch"], ", or a schema with --schema."),
      (["validate"], ", or a schema with --schema."), (["format"], ", or the files to format."),
      (["explain", "A"], "."), (["unused"], "."), (["operations"], "."),
    ])
  func noConfiguration(arguments: [String], rest: String) {
    let result = runRelayCompiler(arguments)
    #expect(result.exitCode == .usage)
    #expect(
      result.errors == "error: No relay.config.json found here. Name one with --config\(rest)\n")
  }

  // MARK: Arguments

  @Test(
    "wrong arguments are an error with the usage of the program that was called",
    arguments: [
      (["mcp", "--confg"], "Unknown option \"--confg\". Did you mean \"--config\"?", "mcp ["),
      (["watch", "--file", "a", "b"], "Unknown option \"--file\".", "watch [--config FILE | "),
      (["operations", "--output"], "\"--output\" takes a file.", "operations [--config FILE]"),
      (["unused", "--format", "xml"], "\"--format\" takes text or json.", "unused ["),
      (["mcp", "--confg=a"], "Unknown option \"--confg\". Did you mean \"--config\"?", "mcp ["),
      (["mcp", "--config="], "\"--config\" needs a value.", "mcp ["),
      (["unused", "--format=xml"], "\"--format\" takes text or json.", "unused ["),
      (["validate", "--spec=1"], "\"--spec\" takes no value.", "validate ["),
      (["explain", "A", "B"], "Name an operation or a fragment.", "explain [--config FILE]"),
      (["lsp", "--stdio", "a"], "Unknown argument \"a\".", "lsp\n"),
      (["schema", "show"], "\"schema\" takes print or download.", "schema print ["),
    ])
  func arguments(arguments: [String], message: String, usage: String) {
    let result = runRelayCompiler(arguments)
    #expect(result.exitCode == .usage)
    let start = "error: \(message)\nusage: relay-compiler \(usage)"
    #expect(result.errors.hasPrefix(start), "\(result.errors)")
  }

  @Test("the value of an option may follow an equals sign, and contain one")
  func equalsSign() throws {
    let project = try TemporaryProject(["a=b.graphql": "type Query { a: Int }"])
    let path = project.folder.path + "/a=b.graphql"
    let documents = ["--schema=\(path)", "--format=json", path]
    #expect(runRelayCompiler(["validate"] + documents).output.hasPrefix("{"))
    let schema = runRelayCompiler(["validate", "--schema=\(path)"])
    #expect(schema == CommandResult(.success), "\(schema.errors)")
  }

  @Test("the plugins' program names itself where its arguments are wrong")
  func ownName() {
    let result = runCompile(["compile", "--import", "Module"])
    #expect(
      result.errors.hasPrefix(
        "error: \"--import\" needs a value.\nusage: relay-compile compile [--config FILE]"))
  }

  // MARK: Scalars

  private static let scalars = [
    "schema.graphql": "scalar DateTime scalar Unused type Query { at: DateTime }",
    "src/A.swift": "graphql(\"query A { at }\")",
    "relay.config.json": """
    {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out",
     "customScalarTypes": {"DateTme": "Foundation.Date", "Unused": "Foundation.URL"}}
    """,
  ]

  private func warning(_ project: TemporaryProject) -> String {
    Project.shownPath(project.folder.appendingPathComponent("relay.config.json"))
      + ":2:25: warning: \"DateTme\" in \"customScalarTypes\" is not a scalar of the schema. "
      + "[custom-scalars]\n"
  }

  @Test(
    "a type for a scalar that the schema lacks is a warning", arguments: ["compile", "validate"])
  func unknownScalar(command: String) throws {
    let project = try TemporaryProject(Self.scalars)
    let result = project.run(command)
    #expect(result.exitCode == .success)
    let first = result.errors.prefix { $0 != "\n" } + "\n"
    #expect(first == warning(project), "\(result.errors)")
    #expect(result.errors.contains("help: Did you mean \"DateTime\"?\n"))
    #expect(result.errors.components(separatedBy: "custom-scalars").count == 2)
  }

  @Test("watch reports a type for an unknown scalar once")
  func watchedScalar() throws {
    let project = try TemporaryProject(Self.scalars)
    var options = CompileOptions()
    options.config = project.folder.appendingPathComponent("relay.config.json").path
    var job = WatchJob(options)
    #expect(job.compile().components(separatedBy: warning(project)).count == 2)
    try project.write(["src/A.swift": "graphql(\"query B { at }\")"])
    let text = job.compile()
    #expect(text.contains("A.graphql.swift\n") && !text.contains("custom-scalars"), "\(text)")
  }

  @Test("an editor shows a type for an unknown scalar once, in the configuration")
  func editedScalar() throws {
    let project = try TemporaryProject(Self.scalars)
    var editor = EditorSession(project.folder)
    editor.open(project.uri("src/A.swift"), Self.scalars["src/A.swift"] ?? "")
    editor.rest()
    #expect(editor.diagnostics[project.uri("relay.config.json")] == ["1:24 custom-scalars"])
    #expect(editor.diagnostics[project.uri("src/A.swift")] == [])
  }

  @Test("a build with a cached index of the schema reports unknown scalars alike")
  func indexedScalar() throws {
    let project = try TemporaryProject(Self.scalars)
    let source = project.folder.path + "/src/A.swift"
    func compile() -> CommandResult {
      project.compile(
        "--output", project.folder.path + "/plugin", "--file", source, "A.graphql.swift")
    }
    let configuration = Self.scalars["relay.config.json"] ?? ""
    try project.write(["relay.config.json": configuration.replacing("DateTme", with: "DateTime")])
    #expect(compile().errors == "" && compile().errors == "")
    try project.write(["relay.config.json": configuration])
    for _ in 1...2 {
      let errors = compile().errors
      #expect(errors.hasPrefix(warning(project)) && errors.contains("help: Did you mean"))
    }
  }
}
