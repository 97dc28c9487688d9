import GraphQLLanguage
import RelayCompiler

/// The guidance that `init` prints after writing the configuration: the existing documents and the
/// remaining steps.
struct SetupGuide {
  let folder: ProjectFolder
  /// The folder of the sources, relative to the project's folder.
  let src: String
  let compilation: Compilation

  /// The guidance for a terminal.
  var text: String {
    ([documents] + buildSteps + [firstTag].compactMap(\.self)).joined(separator: "\n")
  }

  /// The number of documents and their errors.
  private var documents: String {
    let definitions = compilation.stages.parsed.documents.flatMap(\.definitions)
      .filter(\.isExecutable)
    if definitions.isEmpty { return "No documents yet.\n" }
    let operations = definitions.count { if case .operation = $0 { true } else { false } }
    let fragments = definitions.count - operations
    let errors = compilation.diagnostics.count { $0.severity == .error }
    return "\(operations.counted("operation")), \(fragments.counted("fragment")), "
      + "\(errors.counted("error"))\n"
  }

  // MARK: Building

  private var buildSteps: [String] {
    switch folder.kind {
    case .package(let manifest, _):
      let text = packageLines(manifest)
      return text.isEmpty ? [] : [text]
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

  /// The lines for `Package.swift`, the same as in the guide "Getting started".
  private func packageLines(_ manifest: PackageManifest) -> String {
    let inPackage = folder.pathInPackage ?? ""
    let path = [inPackage, src == "." && !inPackage.isEmpty ? "" : src].filter { !$0.isEmpty }
      .joined(separator: "/")
    let file =
      String(repeating: "../", count: inPackage.split(separator: "/").count) + "Package.swift"
    return ManifestAdditions(manifest, folder: path).text(file: file)
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
      + "It becomes the struct FirstQuery, for environment.fetch(_:).\n"
  }
}
