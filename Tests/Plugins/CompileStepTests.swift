import Foundation
import RelayCompiler
import Testing

/// A folder of files for one test. It is removed when the object is deinitialized.
final class Folder {
  let url: URL

  init(_ files: [String: String]) throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("relay-plugin-\(UInt64.random(in: 0 ... .max))")
    for (name, text) in files {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  subscript(name: String) -> URL { url.appendingPathComponent(name) }

  /// The paths in a list of arguments or files, relative to the folder.
  func relative(_ paths: [String]) -> [String] {
    paths.map { $0.replacing(url.path + "/", with: "") }
  }

  func relative(_ urls: [URL]) -> [String] { relative(urls.map(\.path)) }
}

@Suite("A build plugin's step", .timeLimit(.minutes(1)))
struct CompileStepTests {
  private func app(_ folder: Folder, _ files: String...) -> Module {
    Module(
      name: "App", folders: [folder["Sources/App"], folder.url],
      files: files.map { folder["Sources/App/" + $0] })
  }

  @Test("the sources are compiled with the schema in the target's folder, which is none of them")
  func schema() throws {
    let folder = try Folder(["Sources/App/schema.graphql": "", "schema.graphql": ""])
    let module = app(
      folder, "b/Row.swift", "Feed.swift", "schema.graphql", "Row.graphql", "notes.txt",
      "Old.graphql.swift")
    let step = try #require(CompileStep(module, imports: [], output: folder["out"]))
    #expect(
      folder.relative(step.arguments) == [
        "compile", "--schema", "Sources/App/schema.graphql", "--output", "out", "--module", "App",
        "--file", "Sources/App/Feed.swift", "Feed.graphql.swift",
        "--file", "Sources/App/Row.graphql", "Row.graphql.swift",
        "--file", "Sources/App/b/Row.swift", "Row-2.graphql.swift",
      ])
    #expect(
      folder.relative(step.inputs) == [
        "Sources/App/Feed.swift", "Sources/App/Row.graphql", "Sources/App/b/Row.swift",
        "Sources/App/schema.graphql",
      ])
    #expect(
      folder.relative(step.outputs) == [
        "out/Feed.graphql.swift", "out/Row.graphql.swift", "out/Row-2.graphql.swift",
        "out/Schema.graphql.swift",
      ])
  }

  @Test("a configuration anywhere precedes a schema, and its schema files are inputs")
  func configuration() throws {
    let folder = try Folder([
      "relay.config.json":
        #"{"schema": "Sources/App/api.graphql", "schemaExtensions": ["Sources/App/client.graphql"]}"#,
      "Sources/App/schema.graphql": "",
    ])
    let step = try #require(
      CompileStep(
        app(folder, "api.graphql", "client.graphql", "Feed.swift"), imports: [],
        output: folder["out"]))
    #expect(
      folder.relative(step.arguments).prefix(3) == ["compile", "--config", "relay.config.json"])
    #expect(
      folder.relative(step.inputs) == [
        "Sources/App/Feed.swift", "relay.config.json", "Sources/App/api.graphql",
        "Sources/App/client.graphql",
      ])
    #expect(step.outputs.count == 2)
  }

  @Test("modules with a configuration or schema are imported with their sources")
  func imports() throws {
    let folder = try Folder(["App/schema.graphql": "", "Base/relay.config.json": "{}"])
    func module(_ name: String) -> Module {
      Module(
        name: name, folders: [folder[name]],
        files: [folder["\(name)/\(name).swift"], folder["\(name)/relay.config.json"]])
    }
    let step = try #require(
      CompileStep(module("App"), imports: [module("Plain"), module("Base")], output: folder["out"]))
    #expect(
      folder.relative(step.arguments).suffix(9) == [
        "--import", "Base", "Base/relay.config.json", "--import", "Base", "Base/Base.swift",
        "--file", "App/App.swift", "App.graphql.swift",
      ])
    #expect(
      folder.relative(step.inputs).suffix(2) == ["Base/relay.config.json", "Base/Base.swift"])
    #expect(CompileStep(module("Plain"), imports: [], output: folder["out"]) == nil)
  }

  @Test(
    "the schema of an imported module is passed, unless its configuration names it, and is an input"
  )
  func importedSchemas() throws {
    let folder = try Folder([
      "App/schema.graphql": "", "Base/schema.graphql": "",
      "Kit/relay.config.json": #"{"schema": "api.graphql"}"#, "Kit/api.graphql": "",
    ])
    func module(_ name: String) -> Module {
      Module(name: name, folders: [folder[name]], files: [folder["\(name)/\(name).swift"]])
    }
    let step = try #require(
      CompileStep(module("App"), imports: [module("Base"), module("Kit")], output: folder["out"]))
    #expect(
      folder.relative(step.arguments).dropFirst(7).prefix(12) == [
        "--import-schema", "Base", "Base/schema.graphql", "--import", "Base", "Base/Base.swift",
        "--import", "Kit", "Kit/relay.config.json", "--import", "Kit", "Kit/Kit.swift",
      ])
    #expect(
      Set(folder.relative(step.inputs)).isSuperset(of: [
        "Base/schema.graphql", "Kit/relay.config.json", "Kit/api.graphql",
      ]))
    #expect(Set(step.inputs.map(\.path)).count == step.inputs.count)
  }

  @Test("the plugin names files as the compiler does")
  func names() {
    var (plugin, compiler) = (OutputNames(), RelayCompiler.OutputNames())
    for file in [
      "Feed.swift", "feed.graphql", "Schema.swift", "a.b.gql", "none", "Feed.swift", "Straße.swift",
      "STRASSE.swift", "strasse.graphql",
    ] {
      #expect(plugin.name(for: file) == compiler.name(for: "folder/" + file))
    }
    #expect(OutputNames.shared == RelayCompiler.OutputNames.shared)
  }

  @Test(
    "a target of an Xcode project has its schema among its files, in its folder or beside the project",
    arguments: ["Deep/Files/schema.graphql", "My App/schema.graphql", "schema.graphql"])
  func xcode(_ schema: String) throws {
    let folder = try Folder([schema: "", "Other/schema.graphql": ""])
    let member = schema.hasPrefix("Deep") ? [folder[schema]] : []
    let module = Module(
      xcodeTarget: "My App", product: nil,
      files: [folder["My App/Feed.swift"], folder["build/Core.framework"]] + member,
      project: folder.url)
    let step = try #require(CompileStep(module, imports: [], output: folder["out"]))
    #expect(
      folder.relative(step.arguments) == [
        "compile", "--schema", schema, "--output", "out", "--module", "My_App", "--file",
        "My App/Feed.swift", "Feed.graphql.swift",
      ])
  }

  @Test(
    "the module of an Xcode target is named after its product",
    arguments: [("Shop", "Shop"), ("My-Shop 2", "My_Shop_2"), ("2Shop", "_Shop"), ("Café", "Café")])
  func moduleName(_ product: String, _ name: String) throws {
    let module = Module(xcodeTarget: "T", product: product, files: [], project: URL(filePath: "/p"))
    #expect(module.name == name)
  }
}
