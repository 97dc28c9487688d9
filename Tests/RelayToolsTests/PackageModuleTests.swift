import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// The tests ask SwiftPM about packages, so the suite has 10 minutes.
@Suite("The modules of a package", .timeLimit(.minutes(10)))
struct PackageModuleTests {
  private static let configuration = #"{"schema": "../../schema.graphql"}"#
  private static let avatar = "fragment Avatar_user on User { name }"
  private static let list = "query ListQuery { me { id ...Avatar_user } }"

  /// A package whose manifest has the arguments `package`, with a target for each folder of
  /// `Sources`.
  private func project(
    package: String, more: [String: String] = [:]
  ) throws -> TemporaryProject {
    let project = try TemporaryProject([:])
    try project.remove("relay.config.json")
    try project.write([
      "Package.swift": """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(name: "Shop", \(package))
      """,
      "Sources/Base/relay.config.json": Self.configuration,
      "Sources/Base/Avatar.graphql": Self.avatar,
      "Sources/Base/Base.swift": "",
      "Sources/App/relay.config.json": Self.configuration,
      "Sources/App/List.swift": "let list = graphql(\"\(Self.list)\")",
    ])
    try project.write(more)
    return project
  }

  private let plain = """
    targets: [.target(name: "Base"), .target(name: "App", dependencies: ["Base"])]
    """

  private func run(
    _ project: TemporaryProject, _ command: String, at target: String = "Sources/App",
    _ arguments: String...
  ) -> CommandResult {
    let file = project.folder.appendingPathComponent(target + "/relay.config.json").path
    return runRelayCompiler([command, "--config", file] + arguments)
  }

  @Test("every command finds the fragments of the targets that a target depends on")
  func commands() throws {
    let project = try project(package: plain)
    #expect(run(project, "validate") == CommandResult(.success))
    let explained = run(project, "explain", at: "Sources/App", "ListQuery")
    #expect(explained.exitCode == .success && explained.output.contains("Avatar_user"))
    // The only problems are unused definitions and fields.
    let unused = run(project, "unused")
    #expect(!unused.errors.contains("Unknown"), "\(unused.errors)")
    #expect(unused.errors.contains("[unused-"), "\(unused.errors)")
    let operations = run(
      project, "operations", at: "Sources/App", "--output", project.folder.path + "/manifest.json")
    #expect(operations.exitCode == .success, "\(operations.errors)")
    let compiled = run(
      project, "compile", at: "Sources/App", "--output", project.folder.path + "/o")
    #expect(compiled.exitCode == .success, "\(compiled.errors)")
    #expect(project.read("o/List.graphql.swift")?.contains("import Base\n") == true)
  }

  @Test("the language server and the context server find them too")
  func servers() throws {
    let project = try project(package: plain)
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(!editor.diagnostics.values.contains { !$0.isEmpty }, "\(editor.diagnostics)")
    let uri = project.uri("Sources/Base/Avatar.graphql")
    editor.open(uri, Self.avatar)
    editor.change(uri, version: 2, ["text": "fragment Other_user on User { name }"])
    let list = project.uri("Sources/App/List.swift")
    #expect(editor.diagnostics[list]?.count == 1, "\(editor.diagnostics)")
    editor.change(uri, version: 3, ["text": .string(Self.avatar)])
    #expect(!editor.diagnostics.values.contains { !$0.isEmpty }, "\(editor.diagnostics)")

    let file = project.folder.appendingPathComponent("Sources/App/relay.config.json").path
    var assistant = ContextClient(project, configuration: file)
    #expect(assistant.text("validate") == "No errors or warnings.")
  }

  @Test("a dependency that a manifest gains or loses is noticed by servers and by watch")
  func changedManifest() throws {
    let project = try project(
      package: #"targets: [.target(name: "Base"), .target(name: "App", dependencies: [])]"#)
    let manifest = try #require(project.read("Package.swift"))
    let corrected = manifest.replacing("dependencies: []", with: "dependencies: [\"Base\"]")
    var editor = EditorSession(project.folder)
    editor.rest()
    let list = project.uri("Sources/App/List.swift")
    #expect(editor.diagnostics[list]?.count == 1)
    let uri = project.uri("Package.swift")
    editor.open(uri, manifest)
    editor.change(uri, version: 2, ["text": .string(corrected)])
    #expect(editor.diagnostics[list] == [])

    var options = CompileOptions()
    options.config = project.folder.appendingPathComponent("Sources/App/relay.config.json").path
    options.output = project.folder.appendingPathComponent("out").path
    var job = WatchJob(options)
    #expect(job.compile().contains("Unknown fragment"))
    #expect(job.folders.folders.contains(project.folder.standardizedFileURL.path))
    try project.write(["Package.swift": corrected])
    let path = project.folder.standardizedFileURL.path + "/Package.swift"
    #expect(job.compile(.files([path])).contains("No more errors"))
    let base = project.folder.standardizedFileURL.path + "/Sources/Base"
    #expect(job.folders.trees.contains(base))
  }

  @Test("dependencies of dependencies, of other packages and of tests are found")
  func packages() throws {
    let package = """
      dependencies: [.package(path: "../\("Kit")"), .package(url: "https://localhost/Far.git", from: "1.0.0")],
      targets: [
        .target(name: "Base", dependencies: [.product(name: "KitUI", package: "Kit")]),
        .target(name: "App", dependencies: [.target(name: "Base", condition: .when(platforms: [.linux])), "FarKit"]),
        .testTarget(name: "AppTests", dependencies: ["App"]),
      ]
      """
    let kit = """
      import PackageDescription
      let package = Package(name: "Kit", products: [.library(name: "KitUI", targets: ["Kit-UI"])],
        targets: [.target(name: "Kit-UI", path: "UI")])
      """
    let far = """
      import PackageDescription
      let package = Package(name: "Far", products: [.library(name: "FarKit", targets: ["Far"])],
        targets: [.target(name: "Far")])
      """
    let outer = try TemporaryProject([
      "Kit/Package.swift": kit, "Kit/relay.config.json": #"{"schema": "../schema.graphql"}"#,
      "Kit/UI/Chip.graphql": "fragment Chip_user on User { name }",
    ])
    let inner = try project(
      package: package,
      more: [
        ".build/checkouts/Far/Package.swift": far,
        ".build/checkouts/Far/Sources/Far/schema.graphql": outer.read("schema.graphql") ?? "",
        ".build/checkouts/Far/Sources/Far/Far.graphql": "fragment Far_user on User { name }",
        "Sources/App/More.graphql": "fragment More_user on User { ...Chip_user ...Far_user }",
        "Tests/AppTests/relay.config.json": Self.configuration,
        "Tests/AppTests/T.graphql": "query TQuery { me { ...More_user ...Chip_user } }",
      ])
    // The package is a folder next to the other one.
    let moved = outer.folder.appendingPathComponent("Shop")
    try FileManager.default.moveItem(at: inner.folder, to: moved)
    for target in ["Sources/App", "Tests/AppTests"] {
      let result = run(outer, "validate", at: "Shop/" + target)
      #expect(result == CommandResult(.success), "\(target): \(result.errors)")
    }
    var configuration = try Configuration(
      file: moved.appendingPathComponent("Sources/App/relay.config.json"))
    configuration.findModules(CompileOptions(), .disk)
    #expect(configuration.modules.map(\.name).filter { $0 != "Far" } == ["Kit_UI", "Base"])
    #expect(configuration.modules.count == 3)
    #expect(configuration.emission.module == "App")
  }

  @Test("SwiftPM is asked about a manifest that computes its targets")
  func computed() throws {
    for package in [
      #"targets: ["Base"].map { .target(name: $0) } + [.target(name: "App", dependencies: ["Base"])]"#,
      #"targets: [.target(name: "Base"), .target(name: "App", dependencies: own)]"#,
      #"targets: [.target(name: "Base"), .target(name: "App", dependencies: [own[0]] + [])]"#,
      #"targets: [.target(name: "Base"), .target(name: "App", dependencies: [.target(name: "\(base)")])]"#,
    ] {
      let project = try project(package: package)
      let manifest = try #require(project.read("Package.swift"))
      try project.write([
        "Package.swift": manifest
          + "\nlet base = \"Base\"; let own: [Target.Dependency] = [\"Base\"]"
      ])
      // The constants come first, as in a manifest executed from the top.
      let lines = try #require(project.read("Package.swift")).split(separator: "\n")
      try project.write([
        "Package.swift":
          (lines.prefix(2) + [lines[lines.count - 1]] + lines.dropFirst(2).dropLast())
          .joined(separator: "\n")
      ])
      let result = run(project, "validate")
      #expect(result == CommandResult(.success), "\(package): \(result.errors)")
    }
  }

  @Test("SwiftPM is not asked about a manifest whose text says everything")
  func notComputed() throws {
    let project = try project(package: plain)
    var configuration = try Configuration(
      file: project.folder.appendingPathComponent("Sources/App/relay.config.json"))
    var files = FileAccess.disk
    files.packageDescription = { _ in
      Issue.record("It was asked.")
      return nil
    }
    configuration.findModules(CompileOptions(), files)
    #expect(configuration.modules.map(\.name) == ["Base"])
  }

  @Test(
    "modules of the configuration, and a target without a configuration or schema, stay as they are"
  )
  func limits() throws {
    let own = try project(
      package: plain,
      more: [
        "Sources/App/relay.config.json": #"{"schema": "../../schema.graphql", "modules": {}}"#
      ])
    #expect(run(own, "validate").errors.contains("Unknown fragment \"Avatar_user\""))
    let plainModule = try project(
      package: plain, more: ["Sources/Base/Wrong.graphql": "fragment Wrong on Nothing { id }"])
    try plainModule.remove("Sources/Base/relay.config.json")
    // The plugin uses the schema next to the manifest for the target.
    #expect(run(plainModule, "validate").errors.contains("Unknown type \"Nothing\""))
    try plainModule.write([
      "Sources/App/schema.graphql": plainModule.read("schema.graphql") ?? "",
      "Sources/App/relay.config.json": #"{"schema": "schema.graphql"}"#,
      "Sources/App/List.swift": "",
    ])
    try plainModule.remove("schema.graphql")
    #expect(run(plainModule, "validate") == CommandResult(.success))
  }

  @Test(
    "files that a target excludes, and the folders of other targets in its folder, are not its own")
  func excluded() throws {
    let project = try project(
      package: """
        targets: [
          .target(name: "Base", path: "Sources", exclude: ["App", "Base/Old.graphql", "Inner"]),
          .target(name: "App", dependencies: ["Base"]), .target(name: "Inner", path: "Sources/Inner"),
        ]
        """,
      more: [
        "Sources/Base/Old.graphql": Self.avatar, "Sources/Inner/Inner.graphql": Self.avatar,
        "Sources/relay.config.json": #"{"schema": "../schema.graphql"}"#,
      ])
    #expect(run(project, "validate") == CommandResult(.success))
  }

  @Test("files that the target itself excludes are compiled only without the plugin")
  func excludedByOwnTarget() throws {
    let project = try project(
      package: """
        targets: [
          .target(name: "Base", exclude: ["Old", "Draft.graphql"]),
          .target(name: "App", dependencies: ["Base"]),
        ]
        """,
      more: [
        "Sources/Base/Old/Avatar.graphql": Self.avatar, "Sources/Base/Draft.graphql": "fragment {",
        "Sources/Base/relay.config.json": #"{"schema": "../../schema.graphql"}"#,
      ])
    #expect(run(project, "validate", at: "Sources/Base") == CommandResult(.success))
    // The command also compiles sources that the target excludes from a build without the plugin.
    try project.write([
      "Sources/Base/relay.config.json":
        #"{"schema": "../../schema.graphql", "artifactDirectory": "__generated__"}"#
    ])
    #expect(run(project, "validate", at: "Sources/Base").errors.contains("Draft.graphql"))
  }

  @Test("the modules of this package that the plugin compiles are valid for the command")
  func ownModules() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    for folder in ["Base", "Cards", "Types", "Screens", "Tests"] {
      let file = tests.appendingPathComponent("Modules/\(folder)/relay.config.json").path
      let result = runRelayCompiler(["validate", "--config", file])
      #expect(result == CommandResult(.success), "\(folder): \(result.errors)")
    }
  }
}
