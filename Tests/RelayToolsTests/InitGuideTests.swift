import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("the lines for Package.swift of relay-compiler init", .timeLimit(.minutes(1)))
struct InitGuideTests {
  private static let platforms = "platforms: [.macOS(.v14)], "
  private static let dependency = ".package(name: \"RelayStore\", path: \"../RelayStore\")"
  private static let product = ".product(name: \"RelayStore\", package: \"RelayStore\")"
  private static let plugin = ".plugin(name: \"RelayCompilerPlugin\", package: \"RelayStore\")"

  /// Returns the guidance about `Package.swift` after `init` in a package with the target App.
  private func guide(_ manifest: String, _ arguments: String...) throws -> String {
    let project = try TemporaryProject(only: [
      "schema.graphql": "type Query { a: Int }", "Package.swift": manifest,
      "Sources/App/main.swift": "",
    ])
    let result = project.initialize(arguments)
    #expect(result.exitCode == .success, "\(result.errors)")
    let start = try #require(result.output.range(of: "No documents yet.\n\n")).upperBound
    let end = try #require(result.output.range(of: "Write the first tag")).lowerBound
    return String(result.output[start..<end])
  }

  private func package(_ arguments: String, target: String = "name: \"App\"") -> String {
    "let package = Package(name: \"P\", \(arguments)targets: [.executableTarget(\(target))])"
  }

  @Test("of the lines that set up a target, those that the manifest lacks are printed")
  func missing() throws {
    #expect(
      try guide(package("")) == """
        Add to Package.swift, with the path of your clone of RelayStore, to the package:

          platforms: [.macOS(.v14)],
          dependencies: [\(Self.dependency)],

        and to the target "App":

          dependencies: [\(Self.product)],
          plugins: [\(Self.plugin)]

        Each build then generates the Swift code.


        """)
    #expect(
      try guide(
        package(
          Self.platforms + "dependencies: [.package(path: \"../Other\")], ",
          target: "name: \"App\", dependencies: [.target(name: \"B\"), \"C\"], plugins: []"))
          == """
          Add to Package.swift, with the path of your clone of RelayStore, to the package's dependencies:

            \(Self.dependency)

          and to the dependencies of the target "App":

            \(Self.product)

          and to the plugins of the target "App":

            \(Self.plugin)

          Each build then generates the Swift code.


          """)
  }

  @Test(
    "a package that depends on RelayStore is recognised, with the name that targets use for it",
    arguments: [
      ("url: \"https://github.com/x/RelayStore.git\", from: \"0.1.0\"", "RelayStore"),
      ("url: \"git@github.com:x/relaystore\", exact: \"0.1.0\"", "relaystore"),
      ("path: \"../RelayStore\"", "RelayStore"),
      ("path: /* here */ \"/clones/RelayStore/\" // beside", "RelayStore"),
      ("name: \"RelayStore\", path: folder + \"/x\"", "RelayStore"),
      ("name: \"Store\", path: \"../RelayStore\"", "Store"),
      ("id: \"x.RelayStore\", from: \"0.1.0\"", "x.RelayStore"),
    ])
  func dependency(arguments: String, name: String) throws {
    let dependencies = "dependencies: [.package(path: \"../A\"), .package(\(arguments)\n)], "
    #expect(
      try guide(package(Self.platforms + dependencies)) == """
        Add to Package.swift, to the target "App":

          dependencies: [.product(name: "RelayStore", package: "\(name)")],
          plugins: [.plugin(name: "RelayCompilerPlugin", package: "\(name)")]

        Each build then generates the Swift code.


        """)
  }

  @Test("a target that depends on the library lacks the plugin alone")
  func product() throws {
    let target = "name: \"App\", dependencies: [\(Self.product)]"
    let lines = """
      Add to Package.swift, to the target "App":

        plugins: [\(Self.plugin)]

      Each build then generates the Swift code.


      """
    let head = Self.platforms + "dependencies: [\(Self.dependency)], "
    #expect(try guide(package(head, target: target)) == lines)
    for library in ["RelayStore", "RelayStoreCore"] {
      let target = "name: \"App\", dependencies: [\"\(library)\"]"
      #expect(try guide(package(head, target: target)) == lines)
    }
    // The dependency is in a list that is not read, but it must exist.
    #expect(try guide(package(Self.platforms + "dependencies: all, ", target: target)) == lines)
  }

  @Test("a manifest that lacks nothing has no lines, however the target names the plugin")
  func complete() throws {
    let head = Self.platforms + "dependencies: [\(Self.dependency)], "
    for plugins in [
      "plugins: [\(Self.plugin)]", "plugins: [\"RelayCompilerPlugin\"]",
      "plugins: [.plugin(name: \"PrebuiltRelayCompilerPlugin\", package: \"relay-compiler-prebuilt\")]",
    ] {
      let target = "name: \"App\", dependencies: [\(Self.product)], \(plugins)"
      #expect(try guide(package(head, target: target)) == "")
    }
    let constants =
      "let store: Target.Dependency = \(Self.product)\nlet plugin = [\(Self.plugin)]\n"
    let target = "name: \"App\", dependencies: [store], plugins: plugin"
    #expect(try guide(constants + package(head, target: target)) == "")
  }

  @Test("the package of the prebuilt plugin is not taken for RelayStore")
  func prebuilt() throws {
    let plugin =
      ".plugin(name: \"PrebuiltRelayCompilerPlugin\", package: \"relay-compiler-prebuilt\")"
    let head = Self.platforms + "dependencies: [.package(path: \"../relay-compiler-prebuilt\")], "
    let text = try guide(package(head, target: "name: \"App\", plugins: [\(plugin)]"))
    #expect(text.contains("package's dependencies:\n\n  \(Self.dependency)\n"), "\(text)")
    #expect(text.contains("  dependencies: [\(Self.product)],\n") && !text.contains("plugins"))
  }

  @Test("what another target has is not this target's")
  func otherTarget() throws {
    let targets =
      "name: \"App\"), .target(name: \"Other\", dependencies: [\(Self.product)], plugins: [\(Self.plugin)]"
    let head = Self.platforms + "dependencies: [\(Self.dependency)], "
    let text = try guide(package(head, target: targets))
    #expect(text.contains("to the target \"App\":\n\n  dependencies: [.product("), "\(text)")
    #expect(text.contains("  plugins: [.plugin("))
  }

  @Test("the lines name the only target of the manifest, or else the target of the sources")
  func targetName() throws {
    let one = try guide(package(""), "--src", "Sources")
    #expect(one.contains("and to the target \"App\":"), "\(one)")
    let two = try guide(
      package("", target: "name: \"App\"), .target(name: \"B\""), "--src", "Sources")
    #expect(two.contains("and to the target of your sources:"), "\(two)")
  }

  @Test("platforms that are too old for RelayStore are named with the versions that it needs")
  func oldPlatforms() throws {
    let target = "name: \"App\", dependencies: [\(Self.product)], plugins: [\(Self.plugin)]"
    let dependencies = "dependencies: [\(Self.dependency)], "
    let old =
      ".iOS(.v15), .macOS(\"12.0\"), .tvOS(.v17), .watchOS(SupportedPlatform.WatchOSVersion.v9), .visionOS(.v1), "
    #expect(
      try guide(package("platforms: [\(old)], \(dependencies)", target: target)) == """
        The platforms in Package.swift are too old for RelayStore. Change:

          .iOS(.v15) to .iOS(.v17)
          .macOS("12.0") to .macOS(.v14)
          .watchOS(SupportedPlatform.WatchOSVersion.v9) to .watchOS(.v10)


        """)
    let new = "platforms: [.macOS(.v10_15), .iOS(\"17.2\"), .macCatalyst(.v13), .tvOS(version)], "
    let both = try guide(package(new))
    #expect(both.contains("Add to Package.swift") && !both.contains("platforms: [.macOS"))
    #expect(
      both.hasSuffix("too old for RelayStore. Change:\n\n  .macOS(.v10_15) to .macOS(.v14)\n\n"),
      "\(both)")
  }

  @Test("the versions that RelayStore needs are those of its own manifest")
  func ownPlatforms() throws {
    let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("../../Package.swift").standardizedFileURL
    let manifest = PackageManifest(try readFile(file.path))
    let versions = manifest.calls.filter { $0.label == "platforms" }.map {
      "\($0.name) \($0.arguments.first?.text ?? "")"
    }
    #expect(versions == RelayStorePackage.platforms.map { "\($0.name) .v\($0.version)" })
  }

  @Test("a manifest with mistakes or deep brackets is read without a crash")
  func damagedManifest() throws {
    let deep = String(repeating: "f([", count: 100_000)
    for text in [
      deep, ")))]", "Package(name: \"A", "Package(targets: [.target(name: \"App\"", "f(,:,)",
    ] {
      #expect(try guide(text).contains("Add to Package.swift"), "\(text.prefix(40))")
    }
  }
}
