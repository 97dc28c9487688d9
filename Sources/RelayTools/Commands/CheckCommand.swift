import Foundation
import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `check` command: checks the operations of all versions of an app against a new schema.
  static let check = Command(
    name: "check",
    syntax: "[--config FILE] --schema FILE [--schema FILE…] [--against FILE] "
      + "[--operations VERSION=FILE]… [--usage FILE] [--format \(CheckFormat.syntax)] "
      + "[--strict-schema]",
    summary: """
      Checks whether a new schema breaks the project's documents, or the operations of shipped \
      versions. Without relay.config.json, --against and --operations are enough. Exits with code 1 \
      if a change is breaking.
      """,
    explanations: [
      "--schema": "A file of the new schema.",
      "--against":
        "The schema that the manifests were made with. The default is the project's.",
      "--operations": "The manifest of a shipped version, such as 1.4=operations.json.",
      "--usage":
        "A JSON object with a count for each operation. The most used ones come first.",
      "--format":
        "The format of the report on standard output: text, json, sarif, or github for annotations of a "
        + "pull request.",
    ]
  ) { arguments in
    let schemas = arguments.all("--schema").flatMap(\.self)
    if schemas.isEmpty {
      throw Arguments.Mistake("Name the new schema with \"--schema FILE\".")
    }
    if arguments.has("--against"), !arguments.has("--operations") {
      throw Arguments.Mistake(
        "\"--against\" is the schema of manifests. Name one with \"--operations VERSION=FILE\".")
    }
    let project = try checkedProject(arguments)
    let compilation = project?.compilation(makesManifest: true)
    let format = arguments["--format"].flatMap(CheckFormat.init) ?? .text
    if let compilation, compilation.diagnostics.hasErrors {
      return report(of: compilation, format)
    }
    let result = try checkResult(arguments, schemas: schemas, project, compilation)
    return result.commandResult(format)
  }

  private static func checkResult(
    _ arguments: Arguments, schemas: [String], _ project: Project?, _ compilation: Compilation?
  ) throws -> CheckResult {
    let workspace = compilation?.workspace ?? Workspace()
    let isStrict = arguments.has("--strict-schema")
    let current = compilation?.stages.validated.schema.schema
    let new = try checkedSchema(schemas, in: workspace, isStrict: isStrict)
    let old = try arguments["--against"].map {
      try checkedSchema([$0], in: workspace, isStrict: isStrict)
    }
    var parser = OperationParser(workspace)
    var shipped: [CheckedOperation] = []
    for text in arguments.all("--operations").flatMap(\.self) {
      let (version, file) = try versionAndFile(text)
      let source = Source(path: file, bytes: try readFile(file))
      shipped += try parser.operations(in: OperationManifest(version: version, source))
    }
    let sent = compilation.map { parser.operations(of: $0) } ?? []
    let usage = try arguments["--usage"].map {
      try UsageCounts(Source(path: $0, bytes: try readFile($0)), of: shipped + sent)
    }
    var check = CompatibilityCheck(against: new)
    if let old = old ?? current { try check.add(shipped, madeWith: old) }
    if let project, let compilation, let current {
      try check.add(
        sent, madeWith: current, ProjectUses(compilation, sources: project.sources))
      check.add(try errors(of: project, schemas: schemas))
    }
    return check.result(usage ?? UsageCounts())
  }

  /// Returns the report of a project whose documents have errors.
  private static func report(
    of compilation: Compilation, _ format: CheckFormat
  ) -> CommandResult {
    let renderer = DiagnosticRenderer(compilation.workspace)
    if format == .text {
      return CommandResult(.errors, output: renderer.text(compilation.diagnostics))
    }
    let errors = compilation.diagnostics.filter { $0.severity == .error }
    return CheckResult(
      errors.map { Finding($0, at: renderer.location(of: $0.primarySpan)) }, operationCount: 0
    ).commandResult(format)
  }

  private static func versionAndFile(_ text: String) throws(Arguments.Mistake) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Arguments.Mistake(
        "\"--operations\" takes a version and a file, such as 1.4=operations.json; found "
          + "\"\(text)\".")
    }
    return (String(parts[0]), String(parts[1]))
  }

  /// Reads the project; returns `nil` without a configuration if there are manifests and their
  /// schema.
  private static func checkedProject(_ arguments: Arguments) throws -> Project? {
    var options = CompileOptions(arguments)
    // The new schema is not the project's.
    options.schema = nil
    let isMissing = !FileManager.default.fileExists(atPath: Project.configurationName)
    if options.config == nil, isMissing, arguments.has("--against") { return nil }
    return try Project(options, or: "manifests with --against and --operations")
  }

  /// Reads and validates a schema.
  ///
  /// - Throws: ``FileError``, or ``ConfigurationError`` with the first errors in the schema.
  private static func checkedSchema(
    _ paths: [String], in workspace: Workspace, isStrict: Bool
  ) throws -> Schema {
    let parsed = try paths.map { path in
      workspace.parseSchema(Source(path: path, bytes: try readFile(path)))
    }
    var errors = parsed.flatMap(\.diagnostics).filter { $0.severity == .error }
    if errors.isEmpty {
      let documents = parsed.map(\.document)
      let validated = Schema.validated(
        from: documents, in: workspace, mode: .relay,
        servers: isStrict ? [] : Set(documents.map(\.source)))
      errors = validated.diagnostics.filter { $0.severity == .error }
      if errors.isEmpty { return validated.schema }
    }
    let (limit, names) = (20, paths.joined(separator: ", "))
    let more = errors.count > limit ? "\(errors.count - limit) more errors.\n" : ""
    throw ConfigurationError(
      DiagnosticRenderer(workspace).text(Array(errors.prefix(limit))) + more
        + "error: \"\(names)\" is not a valid schema.")
  }

  /// Returns the errors of a project's documents when compiled with another schema.
  private static func errors(
    of project: Project, schemas: [String]
  ) throws(FileError) -> [(diagnostic: Diagnostic, place: SourceLocation)] {
    var input = project.input
    input.makesFiles = false
    input.schema = []
    for path in schemas { input.schema.append(Source(path: path, bytes: try readFile(path))) }
    let compilation = Compiler.compile(input)
    let renderer = DiagnosticRenderer(compilation.workspace)
    let sources = Set(input.sources.map(\.path))
    return compilation.diagnostics.compactMap { diagnostic in
      guard diagnostic.severity == .error,
        let place = renderer.location(of: diagnostic.primarySpan), sources.contains(place.path)
      else { return nil }
      return (diagnostic, place)
    }
  }
}

extension CheckResult {
  /// Returns the report in a format.
  fileprivate func commandResult(_ format: CheckFormat) -> CommandResult {
    let exitCode: CommandResult.ExitCode = isBreaking ? .errors : .success
    return switch format {
    case .text: CommandResult(exitCode, output: text)
    case .json: CommandResult(exitCode, output: json)
    case .sarif: CommandResult(exitCode, output: sarif)
    case .github: CommandResult(exitCode, output: gitHubCommands)
    }
  }
}
