import GraphQLLanguage

/// The text of `init` about a project after it has written the configuration: the documents that exist,
/// and what else to do.
struct SetupGuide {
  let folder: ProjectFolder
  /// The folder of the sources, relative to the project's.
  let src: String
  let compilation: Compilation

  /// The text for a terminal.
  var text: String {
    ([documents] + buildSteps + [firstTag].compactMap(\.self)).joined(separator: "\n")
  }

  /// The number of documents and their errors.
  private var documents: String {
    let definitions = compilation.stages.parsed.documents.flatMap(\.definitions)
    var operations = 0
    var fragments = 0
    for definition in definitions {
      switch definition {
      case .operation: operations += 1
      case .fragment: fragments += 1
      default: continue
      }
    }
    if operations + fragments == 0 { return "There are no documents yet.\n" }
    let errors = compilation.diagnostics.count { $0.severity == .error }
    return "\(operations.counted("operation")), \(fragments.counted("fragment")), "
      + "\(errors.counted("error"))\n"
  }

  // MARK: Building

  private var buildSteps: [String] {
    switch folder.kind {
    case .package(let manifest, _):
      return manifest.text.contains("RelayCompilerPlugin") ? [] : [packageLines(manifest)]
    case .xcode:
      return [
        """
        In Xcode, add the package RelayStore with its library RelayStore to the target, and RelayCompilerPlugin under
        Run Build Tool Plug-ins in the target's Build Phases.

        """
      ]
    case .other:
      return ["Run relay-compiler compile to generate the Swift code, now and after each change.\n"]
    }
  }

  /// The lines for `Package.swift`, those of the guide "Getting started".
  private func packageLines(_ manifest: PackageManifest) -> String {
    let inPackage = folder.pathInPackage ?? ""
    let path = [inPackage, src == "." && !inPackage.isEmpty ? "" : src].filter { !$0.isEmpty }
      .joined(separator: "/")
    // A target that the manifest's text does not name has a folder of its name in "Sources".
    let parts = path.split(separator: "/")
    let guess = parts.count == 2 && manifest.targets.isEmpty ? String(parts[1]) : nil
    let target = (manifest.target(around: path)?.name ?? guess).map { " \"\($0)\"" } ?? ""
    let file =
      String(repeating: "../", count: inPackage.split(separator: "/").count) + "Package.swift"
    // A package that names no platform is built for versions before those that the store needs.
    let platforms = manifest.text.contains("platforms:") ? "" : "  platforms: [.macOS(.v14)],\n"
    return """
      Add to \(file), with the path of your clone of RelayStore, to the package:

      \(platforms)  dependencies: [.package(name: "RelayStore", path: "../RelayStore")],

      and to the target\(target):

        dependencies: [.product(name: "RelayStore", package: "RelayStore")],
        plugins: [.plugin(name: "RelayCompilerPlugin", package: "RelayStore")]

      Each build then generates the Swift code.

      """
  }

  // MARK: The first tag

  /// The first tag to write; `nil` if there are documents or the schema has errors.
  private var firstTag: String? {
    let stages = compilation.stages
    let schema = stages.validated.schema
    guard stages.parsed.documents.allSatisfy(\.definitions.isEmpty),
      !schema.diagnostics.hasErrors, let tag = FirstTag(schema.schema)
    else { return nil }
    let path = src == "." ? "FirstQuery.swift" : src + "/FirstQuery.swift"
    let lines = tag.swift.split(separator: "\n", omittingEmptySubsequences: false)
    return "Write the first tag, for example as \(path):\n\n"
      + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
      + "It is the struct FirstQuery, which environment.fetch(_:) takes.\n"
  }
}
