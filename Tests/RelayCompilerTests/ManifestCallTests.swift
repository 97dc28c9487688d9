import Testing

@testable import RelayCompiler

@Suite("What the calls of a manifest say", .timeLimit(.minutes(1)))
struct ManifestCallTests {
  /// Whether the manifest states all dependencies, so that SwiftPM need not be asked.
  private func isComplete(targets: String, products: String = "") -> Bool {
    let text = """
      // swift-tools-version: 6.0
      import PackageDescription
      let name = "B"
      let package = Package(name: "P", products: [\(products)], targets: [\(targets)])
      """
    return PackageContents.isComplete(PackageManifest(ContiguousArray(text.utf8)))
  }

  @Test("SwiftPM is asked about a package only if its manifest does not say them")
  func description() throws {
    for (targets, isAsked) in [
      (#".target(name: "A")"#, false), (#".target(name: "A", dependencies: names)"#, true),
    ] {
      let project = try TemporaryProject([
        "Package.swift": "let package = Package(targets: [\(targets)])"
      ])
      var asked: [String] = []
      var files = FileAccess.disk
      files.packageDescription = { folder in
        asked.append(folder)
        return nil
      }
      let folder = project.folder.standardizedFileURL.path
      var modules = PackageModules(folder, files)
      modules.search(from: folder + "/Sources/A")
      #expect(asked == (isAsked ? [folder] : []))
    }
  }

  @Test("literals say all dependencies")
  func literals() {
    #expect(isComplete(targets: #".target(name: "A")"#))
    #expect(
      isComplete(
        targets:
          #".target(name: "A", dependencies: ["B", .target(name: "C")]), .target(name: "B")"#,
        products: #".library(name: "A", targets: ["A", "B"])"#))
  }

  @Test(
    "an expression does not",
    arguments: [
      #".target(name: "A", dependencies: ["\(name)"])"#,
      #".target(name: "A", dependencies: [Target.Dependency(stringLiteral: name)])"#,
      #".target(name: "A", dependencies: [.target(name: name)])"#,
      #".target(name: "A", dependencies: names)"#,
    ])
  func expressions(target: String) { #expect(!isComplete(targets: target)) }

  @Test("a library of targets that an expression names does not", arguments: ["names", "[name]"])
  func library(targets: String) {
    #expect(
      !isComplete(
        targets: #".target(name: "A")"#, products: ".library(name: \"A\", targets: \(targets))"))
  }
}
