import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The command `operations`, which writes the manifest of the project's persisted operations.
  static let operations = Command(
    name: "operations", usage: operationsUsage,
    summary: """
      Writes the manifest of persisted operations: their texts by id, or with --format apollo Apollo's persisted query \
      manifest. It goes to the "file" of "persistConfig" in relay.config.json, or to standard output.
      """,
    run: runOperations)

  private static let operationsUsage =
    "relay-compiler operations [--config FILE] [--format relay|apollo] [--output FILE] [--validate] "
    + "[--strict-schema]"

  private static func runOperations(_ arguments: [String]) -> CommandResult {
    result(usage: operationsUsage) {
      var format = ManifestFormat.relay
      var output: String?
      var rest: [String] = []
      var queue = arguments[...]
      while let argument = queue.popFirst() {
        switch argument {
        case "--format":
          guard let value = queue.popFirst().flatMap(ManifestFormat.init) else {
            throw CompileOptions.Mistake(message: "\"--format\" takes relay or apollo.")
          }
          format = value
        case "--output":
          guard let value = queue.popFirst(), !value.isEmpty else {
            throw CompileOptions.Mistake(message: "\"--output\" needs a value.")
          }
          output = value
        default: rest.append(argument)
        }
      }
      return try manifest(CompileOptions(rest), format: format, output: output)
    }
  }

  private static func manifest(
    _ options: CompileOptions, format: ManifestFormat, output: String?
  ) throws -> CommandResult {
    let configuration = try Project.configuration(options)
    let target = output.map(Project.url) ?? configuration.manifest
    if options.isValidating, target == nil {
      throw CompileOptions.Mistake(
        message: "\"--validate\" has no file to check. Set \"file\" of \"persistConfig\" in "
          + "relay.config.json, or name one with --output.")
    }
    let project = try Project(options, configuration, output: configuration.artifactDirectory)
    let compilation = project.compilation(makesManifest: true)
    let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
    if compilation.diagnostics.hasErrors { return CommandResult(.errors, errors: report) }
    let text = format.text(of: compilation.manifest)
    guard let target else {
      return CommandResult(.success, output: text, errors: report)
    }
    let old = try? readFile(target.path)
    let isCurrent = old.map { $0.elementsEqual(text.utf8) } ?? false
    if options.isValidating {
      if isCurrent { return CommandResult(.success, errors: report) }
      let path = Project.shownPath(target)
      return CommandResult(
        .errors,
        errors: report + "error: \"\(path)\" is out of date; run relay-compiler operations.\n")
    }
    if !isCurrent { try writeFile(target.path, Array(text.utf8)) }
    return CommandResult(
      .success, output: compilation.manifest.count.counted("operation") + "\n", errors: report)
  }
}

/// The format of a manifest.
enum ManifestFormat: String {
  /// Relay's format: an object of operation texts by id.
  case relay
  /// Apollo's format: `apollo-persisted-query-manifest`, version 1.
  case apollo

  /// The manifest as JSON: one line for each entry, sorted, so that diffs are small.
  func text(of operations: [PersistedOperation]) -> String {
    switch self {
    case .relay:
      let entries = operations.map { (id: $0.id, text: $0.text) }.sorted { $0.id < $1.id }
      let lines = entries.map { "  \(ValueText.quoted($0.id)): \(ValueText.quoted($0.text))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    case .apollo:
      let lines = operations.map { operation in
        "    { \"id\": \(ValueText.quoted(operation.id)), \"name\": \(ValueText.quoted(operation.name)), "
          + "\"type\": \(ValueText.quoted(operation.kind)), \"body\": \(ValueText.quoted(operation.text)) }"
      }
      return
        "{\n  \"format\": \"apollo-persisted-query-manifest\",\n  \"version\": 1,\n  \"operations\": [\n"
        + lines.joined(separator: ",\n") + "\n  ]\n}\n"
    }
  }
}
