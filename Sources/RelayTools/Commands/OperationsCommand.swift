import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `operations` command: writes the manifest of the project's persisted operations.
  static let operations = Command(
    name: "operations",
    syntax: "[--config FILE] [--format relay|apollo] [--output FILE] [--validate] "
      + "[--strict-schema]",
    hiddenSyntax: compile.syntax,
    summary: """
      Writes the manifest of persisted operations: their documents by id, or, with --format \
      apollo, Apollo's persisted query manifest. It goes to the "file" of "persistConfig" in \
      relay.config.json, or to standard output.
      """,
    explanations: [
      "--format": "Relay's format, the default, or Apollo's.",
      "--output": "The file to write, instead of the \"file\" of \"persistConfig\".",
      "--validate": "Writes no file, and fails if the file is out of date.",
    ]
  ) { arguments in
    let options = CompileOptions(arguments)
    let project = try Project(options)
    let target = options.output.map(Project.url) ?? project.configuration.manifest
    if options.isValidating, target == nil {
      throw Arguments.Mistake(
        "\"--validate\" has no file to check. Set \"file\" of \"persistConfig\" in "
          + "relay.config.json, or name one with --output.")
    }
    let compilation = project.compilation(makesManifest: true)
    let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
    if compilation.diagnostics.hasErrors { return CommandResult(.errors, errors: report) }
    let format = arguments["--format"].flatMap(ManifestFormat.init) ?? .relay
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
  /// Relay's format: an object of operation documents by id.
  case relay
  /// Apollo's format: `apollo-persisted-query-manifest`, version 1.
  case apollo

  /// The manifest as JSON: one line for each entry, sorted, so that diffs are small.
  func text(of operations: [PersistedOperation]) -> String {
    switch self {
    case .relay:
      let entries = operations.map { (id: $0.id, text: $0.text) }.sorted { $0.id < $1.id }
      let lines = entries.map { "  \(ValuePrinter.quoted($0.id)): \(ValuePrinter.quoted($0.text))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    case .apollo:
      let lines = operations.map { operation in
        "    { \"id\": \(ValuePrinter.quoted(operation.id)), \"name\": \(ValuePrinter.quoted(operation.name)), "
          + "\"type\": \(ValuePrinter.quoted(operation.kind)), \"body\": \(ValuePrinter.quoted(operation.text)) }"
      }
      return
        "{\n  \"format\": \"apollo-persisted-query-manifest\",\n  \"version\": 1,\n  \"operations\": [\n"
        + lines.joined(separator: ",\n") + "\n  ]\n}\n"
    }
  }
}
