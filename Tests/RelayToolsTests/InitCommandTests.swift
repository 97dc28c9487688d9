import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler init", .timeLimit(.minutes(1)))
struct InitCommandTests {
  private static let schema = "type Query { me: User } type User { id: ID! name: String! }"
  private static let manifest = """
    let package = Package(
      name: "App", platforms: [.macOS(.v14)],
      targets: [.executableTarget(
        name: "App"), .target(name: "Model"), .target(name: "Views")])
    """

  private func folder(_ files: [String: String]) throws -> TemporaryProject {
    try TemporaryProject(only: files)
  }

  private func run(_ project: TemporaryProject, _ arguments: String...) -> CommandResult {
    project.initialize(arguments)
  }

  /// Returns the `schema` and `src` found in a folder, or the error.
  private func found(_ files: [String: String], _ arguments: String...) throws -> String {
    let project = try folder(files)
    let result = project.initialize(arguments)
    guard result.exitCode == .success else {
      #expect(project.read("relay.config.json") == nil)
      return result.errors
    }
    let configuration = try Configuration(
      file: project.folder.appendingPathComponent("relay.config.json"))
    let root = project.folder.standardizedFileURL.path
    return [configuration.schema, configuration.src, configuration.artifactDirectory]
      .compactMap { $0?.path.replacing(root, with: ".") }.joined(separator: " ")
  }

  // MARK: The schema

  @Test(
    "the schema is the file with type definitions and a query type, in SDL or as introspection JSON",
    arguments: ["schema.graphql", "deep/api.graphqls", "api.gql"])
  func schemaFile(path: String) throws {
    let files = [
      path: Self.schema, "App/A.swift": "", "App/Feed.graphql": "query Feed { me { name } }",
      "local.graphql": "extend type User { draft: String }", "package.json": "{\"a\": 1}",
      ".hidden/schema.graphql": Self.schema, ".build/x/schema.graphql": Self.schema,
      "node_modules/x/schema.graphql": Self.schema, "part.graphql": "type Part { a: Int }",
      "broken.graphql": "query A { type ", "extension.graphql": "extend type User { ",
    ]
    #expect(try found(files).hasPrefix("./\(path) ./App"))
  }

  @Test("types whose id is of another type than ID are named in the configuration")
  func ids() throws {
    let schema = """
      scalar UUID type Query { device: Device row: Row user: User }
      type Device { id: UUID! } type Row { id: Int! } type User { id: ID! }
      """
    let project = try folder(["schema.graphql": schema, "App/A.swift": ""])
    #expect(run(project).exitCode == .success)
    #expect(
      project.read("relay.config.json") == """
        {
          "schema": "schema.graphql",
          "src": "App",
          "artifactDirectory": "App/__generated__",
          "idScalars": ["UUID"],
          "keyFields": {"Row": "id"}
        }

        """)
  }

  @Test("introspection JSON is a schema, other JSON is none")
  func introspection() throws {
    let json = """
      {"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":[{"kind":"OBJECT","name":"Query",
      "fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}}
      """
    let files = ["api.json": json, "other.json": "{\"__typename\": 1}", "A.swift": ""]
    #expect(try found(files) == "./api.json . ./__generated__")
  }

  @Test("several schemas are listed, and --schema names one")
  func severalSchemas() throws {
    let files = ["b.graphql": Self.schema, "a.graphqls": Self.schema, "App/A.swift": ""]
    #expect(
      try found(files)
        == "error: There are 2 schemas. Name one with --schema:\n  a.graphqls\n  b.graphql\n")
    #expect(try found(files, "--schema", "b.graphql") == "./b.graphql ./App ./App/__generated__")
  }

  @Test("a schema is downloaded from a URL, and one that exists is not replaced")
  func download() throws {
    let json = """
      {"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":[{"kind":"OBJECT","name":"Query",
      "fields":[{"name":"answer","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}}
      """
    let server = try StubHTTPServer { _ in (200, json) }
    defer { server.stop() }
    let project = try folder(["App/A.swift": ""])
    let result = run(project, "--schema", server.url)
    #expect(result.exitCode == .success)
    #expect(result.output.hasPrefix("wrote schema.graphql\nwrote relay.config.json\n"))
    #expect(project.read("schema.graphql") == "type Query {\n  answer: Int\n}\n")
    #expect(result.output.contains("    answer\n"))
    try project.remove("relay.config.json")
    try project.write(["schema.graphql": Self.schema])
    let again = run(project, "--schema", server.url)
    #expect(again.exitCode == .usage && again.errors.contains("schema.graphql already exists"))
    #expect(project.read("schema.graphql") == Self.schema)
    try project.remove("schema.graphql")
    let refused = run(project, "--schema", "http://127.0.0.1:9/graphql")
    #expect(refused.exitCode == .usage && project.read("relay.config.json") == nil)
  }

  // MARK: The sources

  @Test("of a package's targets, the one with tags is meant, then the only app, then the only one")
  func targets() throws {
    var files = [
      "schema.graphql": Self.schema, "Package.swift": Self.manifest,
      "Sources/App/A.swift": "let a = 1", "Sources/Model/B.swift": "", "Tests/AppTests/C.swift": "",
    ]
    #expect(try found(files) == "./schema.graphql ./Sources/App")
    files["Sources/Views/V.swift"] = "import SwiftUI"
    #expect(
      try found(files)
        == "error: Several targets may use GraphQL. Name the folder of one with --src:\n"
        + "  Sources/App\n  Sources/Views\n")
    #expect(try found(files, "--src", "Sources/Views") == "./schema.graphql ./Sources/Views")
    #expect(
      try found(files, "--src", "Nowhere") == "error: The folder \"Nowhere\" does not exist.\n")
    files["Sources/Model/B.swift"] = "let b = graphql(\"query B { me { name } }\")"
    #expect(try found(files) == "./schema.graphql ./Sources/Model")
    files["Sources/App/A.swift"] = "let a = graphql(\"query A { me { id } }\")"
    #expect(try found(files).hasSuffix("\n  Sources/App\n  Sources/Model\n"))
  }

  @Test(
    "a target is an app if it is executable by the manifest, by main.swift or by @main, or has views",
    arguments: [
      ["main.swift": ""], ["A.swift": "@main struct A {}"], ["V.swift": "import SwiftUI"],
    ])
  func apps(app: [String: String]) throws {
    var files = [
      "schema.graphql": Self.schema, "Package.swift": "// no targets", "Sources/A/A.swift": "",
    ]
    for (name, text) in app { files["Sources/B/deep/\(name)"] = text }
    #expect(try found(files) == "./schema.graphql ./Sources/B")
  }

  @Test(
    "a target is in the folder that the manifest names, under the manifest's name",
    arguments: [
      (".target(name: \"Custom\", path: \"Code\")", ["Code/x.swift"], "Code", "Custom"),
      (
        ".target(/* ) */ name: \"Custom\", // path: \"No\"\n path: \"./Code/\", exclude: [\"path\"])",
        ["Code/x.swift"], "Code", "Custom"
      ),
      (
        ".executableTarget(name: \"Main\", dependencies: [.target(name: \"Lib\"), \"X\"], path: \"Sources/Apps/Main\"), "
          + ".target(name: \"Lib\")",
        ["Sources/Apps/Main/main.swift", "Sources/Lib/l.swift"], "Sources/Apps/Main", "Main"
      ),
      (
        ".target(name: \"Outer\", path: \"Code\"), .executableTarget(name: \"Inner\", path: \"Code/In\")",
        ["Code/o.swift", "Code/In/main.swift"], "Code/In", "Inner"
      ),
      (".target(name: \"Root\", path: \".\")", ["x.swift"], ".", "Root"),
      // A function defined in the manifest itself.
      (
        "target(name: \"Own\", path: \"Code\"), .target(name: \"A\")",
        ["Code/x.swift", "Sources/A/a.swift"], "Sources/A", "A"
      ),
      (
        ".testTarget(name: \"T\", path: \"T\"), .target(name: \"A\")",
        ["T/t.swift", "Source/A/a.swift"], "Source/A", "A"
      ),
    ])
  func manifestPaths(targets: String, files: [String], src: String, name: String) throws {
    let project = try folder(
      ["schema.graphql": Self.schema, "Package.swift": "let p = Package(targets: [\(targets)])"])
    try project.write(Dictionary(uniqueKeysWithValues: files.map { ($0, "") }))
    let result = run(project)
    #expect(result.output.contains("\nsources  \(src)\n"), "\(result.errors)")
    #expect(result.output.contains("and to the target \"\(name)\":"))
  }

  @Test(
    "a target whose path is no literal is not guessed, and the error says so",
    arguments: [#"folder + "x""#, #""x" + folder"#, #""\u{78}""#])
  func unreadPath(path: String) throws {
    let files = [
      "schema.graphql": Self.schema,
      "Package.swift": "Package(targets: [.target(name: \"A\", path: \(path))])",
    ]
    #expect(
      try found(files)
        == "error: No Swift files found in \"Sources\". Name the folder of the target with --src. "
        + "The name or the path of a target in Package.swift is not a string literal, so it was "
        + "not read.\n"
    )
    #expect(
      try found(files.merging(["Sources/B/b.swift": ""]) { $1 }) == "./schema.graphql ./Sources/B")
  }

  @Test("in the folder of a target the build plugin is meant, with the schema of the package")
  func insidePackage() throws {
    let project = try folder([
      "schema.graphql": Self.schema, "Package.swift": Self.manifest, "Sources/App/A.swift": "",
      "Sources/Views/V.swift": "", "relay.config.json": "mine",
    ])
    let again = run(project, "--src", "Sources/Views")
    #expect(
      again.errors.contains(
        "its own configuration: for this one, run init in \"Sources/Views\"."))
    let result = project.initialize(in: "Sources/Views")
    #expect(result.exitCode == .success, "\(result.errors)")
    #expect(
      project.read("Sources/Views/relay.config.json")
        == "{\n  \"schema\": \"../../schema.graphql\",\n  \"src\": \".\"\n}\n")
    #expect(result.output.contains("Add to ../../Package.swift, "))
    #expect(result.output.contains("and to the target \"Views\":"))
    let several = project.initialize(in: "Sources")
    #expect(several.errors.contains("This folder has several targets of a package."))
  }

  @Test("a package may have its files in Sources itself, and must have some")
  func plainSources() throws {
    let files = ["schema.graphql": Self.schema, "Package.swift": Self.manifest]
    #expect(
      try found(files.merging(["Sources/main.swift": ""]) { $1 }) == "./schema.graphql ./Sources")
    #expect(try found(files).hasPrefix("error: No Swift files found in \"Sources\"."))
  }

  @Test("of an Xcode project the folder with its name is meant, or the only one without tests")
  func xcode() throws {
    var files = [
      "schema.graphql": Self.schema, "App.xcodeproj/project.pbxproj": "", "App/A.swift": "",
      "Widget/W.swift": "", "AppTests/T.swift": "",
    ]
    #expect(try found(files) == "./schema.graphql ./App")
    files["App/A.swift"] = nil
    #expect(try found(files) == "./schema.graphql ./Widget")
  }

  @Test(
    "beside the folder of an Xcode project, init says to run there, unless --src says otherwise")
  func xcodeBelow() throws {
    for project in ["ios/App.xcodeproj/project.pbxproj", "ios/App.xcworkspace/contents"] {
      let files = [
        "schema.graphql": Self.schema, project: "", "ios/App/A.swift": "",
        "Pods/Pods.xcodeproj/p": "", "ios/Deep/Other.xcodeproj/p": "",
      ]
      #expect(
        try found(files)
          == "error: The Xcode project is in \"ios\". Run relay-compiler init --schema ../schema.graphql there, "
          + "where the build plugin looks for the configuration. To run relay-compiler compile here instead, "
          + "name the folder of the sources with --src.\n")
      #expect(
        try found(files, "--src", "ios/App")
          == "./schema.graphql ./ios/App ./ios/App/__generated__")
      let two = files.merging(["tv/Tv.xcodeproj/p": ""]) { $1 }
      #expect(try found(two) == "./schema.graphql ./ios ./ios/__generated__")
    }
  }

  @Test(
    "a target whose path leads outside of the package is refused as SwiftPM does",
    arguments: ["../p/src", "/p/src", "a/../../p"])
  func outsidePackage(path: String) throws {
    let target = ".target(name: \"P\", path: \"\(path)\")"
    let files = ["schema.graphql": Self.schema, "Package.swift": "Package(targets: [\(target)])"]
    let error = try found(files)
    #expect(
      error.hasSuffix(
        "\" of target \"P\" leads outside of the package. SwiftPM rejects such a target: move its "
          + "sources into the package, and run init again.\n"), "\(error)")
    let other = [
      "Package.swift": "Package(targets: [\(target), .target(name: \"A\", path: \"b/../c\")])",
      "c/a.swift": "",
    ]
    #expect(try found(files.merging(other) { $1 }) == "./schema.graphql ./c")
  }

  // MARK: The result

  @Test("a configuration that exists is never replaced, wherever the build would find it")
  func existing() throws {
    for path in ["relay.config.json", "Sources/App/relay.config.json"] {
      let project = try folder([
        "schema.graphql": Self.schema, "Package.swift": Self.manifest, "Sources/App/A.swift": "",
        path: "mine",
      ])
      let result = run(project)
      #expect(result.exitCode == .usage)
      #expect(result.errors.hasPrefix("error: \(path) already exists."))
      #expect(project.read(path) == "mine")
      #expect(path == "relay.config.json" || project.read("relay.config.json") == nil)
    }
  }

  @Test("the output says what to add to the manifest, which is what the guide says")
  func guide() throws {
    let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/GettingStarted.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    let files = ["schema.graphql": Self.schema, "Sources/App/A.swift": ""]
    let project = try folder(files.merging(["Package.swift": "// nothing"]) { $1 })
    let output = run(project).output
    let lines = [
      "platforms: [.macOS(.v14)],",
      "dependencies: [.package(name: \"RelayStore\", path: \"../RelayStore\")],",
      ".product(name: \"RelayStore\", package: \"RelayStore\")",
      "plugins: [.plugin(name: \"RelayCompilerPlugin\", package: \"RelayStore\")]",
    ]
    for line in lines { #expect(output.contains(line) && text.contains(line), "\(line)") }
    #expect(output.contains("to the target \"App\""))

    let plain = try folder([
      "schema.graphql": Self.schema, "Package.swift": "", "Sources/A.swift": "",
    ])
    #expect(run(plain).output.contains("and to the target of your sources:"))
    let xcode = try folder(files.merging(["A.xcodeproj/p": ""]) { $1 })
    #expect(run(xcode).output.contains("Run Build Tool Plug-ins"))
    #expect(run(try folder(files)).output.contains("Run relay-compiler compile"))
  }

  @Test("documents that exist are counted and checked, and then there is no first tag")
  func documents() throws {
    let project = try folder([
      "schema.graphql": Self.schema, "App/B.graphql": "fragment Row_user on User { name }",
      "App/A.swift": "let a = graphql(\"query A { me { ...Row_user nam } }\")",
    ])
    let result = run(project)
    #expect(result.exitCode == .errors)
    #expect(result.errors.contains("Cannot query field \"nam\" on type \"User\""))
    #expect(result.output.contains("\n1 operation, 1 fragment, 1 error\n"))
    #expect(!result.output.contains("FirstQuery"))
    #expect(project.read("relay.config.json") != nil)
  }

  @Test(
    "the configuration compiles with the first tag, which uses a field that the schema has",
    arguments: [
      (schema, "query FirstQuery {\n  me {\n    name\n  }\n}"),
      (
        "type Query { user(id: ID!): V old: Int @deprecated version(a: Int): V } enum V { A }",
        "query FirstQuery {\n  version\n}"
      ),
      (
        "schema { query: Root } type Root { by(id: ID!, in: [E!]!, n: Int): U } enum E { A } union U = A | B "
          + "type A { a: Int } type B { b: Int }",
        "query FirstQuery($id: ID!, $in: [E!]!) {\n  by(id: $id, in: $in) {\n    __typename\n  }\n}"
      ),
      (
        "scalar Date interface N { id: ID! } type Query { all: [N!]! at: Date }",
        "query FirstQuery {\n  all {\n    id\n  }\n}"
      ),
    ])
  func firstTag(schema: String, query: String) throws {
    let project = try folder([
      "api/schema.graphql": schema, "App/A.swift": "", "App/deep/main.swift": "",
    ])
    let result = run(project)
    #expect(result.exitCode == .success && result.errors == "", "\(result.errors)")
    let lines = query.split(separator: "\n").map { "    \($0)\n" }.joined()
    #expect(result.output.contains("for example as App/FirstQuery.swift:"))
    #expect(result.output.contains(lines))
    // The file is the block from the output, without its indentation.
    let block = try #require(result.output.components(separatedBy: "FirstQuery.swift:\n\n").last)
    let file = block.components(separatedBy: "It becomes the").first ?? ""
    let text = file.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst(2) }
    try project.write(["App/FirstQuery.swift": text.joined(separator: "\n")])
    let compiled = project.compile()
    #expect(compiled.exitCode == .success, "\(compiled.errors)")
    let swift = project.read("App/__generated__/FirstQuery.graphql.swift")
    #expect(swift?.contains("struct FirstQuery") == true)
    #expect(project.run("format", ["--check"]).exitCode == .success)
  }

  @Test("wrong arguments are explained")
  func mistakes() {
    #expect(runRelayCompiler(["init", "--schema"]).errors.hasPrefix("error: \"--schema\" needs a"))
    let unknown = runRelayCompiler(["init", "here"])
    #expect(unknown.exitCode == .usage && unknown.errors.hasPrefix("error: Unknown argument \"he"))
  }
}
