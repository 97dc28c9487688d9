import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `validate` command: checks a schema, and documents against it.
  static let validate = Command(
    name: "validate",
    syntax: "[--format text|json] [--strict-schema] "
      + "([--config FILE] [DOCUMENT…] | [--spec] --schema FILE [--schema FILE…] [DOCUMENT…])",
    summary: """
      Checks the project of relay.config.json, or a schema and documents (.graphql and .swift \
      files, or folders of them), as compile does, and writes no files. Documents without a schema \
      are checked as part of the project, and only their problems are reported. With --spec, \
      applies exactly the rules of the GraphQL specification.
      """,
    explanations: [
      "--schema":
        "A file of the schema, to check documents without a configuration. Repeat it for each file.",
      "--spec": "Applies exactly the rules of the GraphQL specification, and none of Relay's.",
      "DOCUMENT": "A .graphql or .swift file, or a folder of them.",
    ]
  ) { arguments in
    let schemas = arguments.all("--schema").flatMap(\.self)
    let (documents, format) = (arguments.operands, arguments.format)
    if schemas.isEmpty, arguments.has("--spec") {
      throw Arguments.Mistake("Name the schema with \"--schema FILE\".")
    }
    if arguments.has("--config"), !schemas.isEmpty {
      throw Arguments.Mistake("Name a configuration or a schema, not both.")
    }
    if arguments.has("--spec") {
      return try validateBySpecification(documents, schemas: schemas, format: format)
    }
    let options = CompileOptions(arguments)
    let compilation =
      schemas.isEmpty
      ? try compilation(documents, of: options)
      : try compilation(documents, schemas: schemas, isStrict: options.isSchemaStrict)
    var diagnostics = compilation.diagnostics
    if schemas.isEmpty, !documents.isEmpty {
      let named = Set(try documentFiles(documents, schemas: []).files.map(shownPath))
      let all = compilation.stages.parsed.files.map(\.file.path)
      let others = Set(all).subtracting(named)
      diagnostics.removeAll { diagnostic in
        !diagnostic.locations.isEmpty
          && diagnostic.locations.allSatisfy { span in
            compilation.workspace[span.source].map { others.contains($0.path) } ?? false
          }
      }
    }
    var result = CommandResult.diagnostics(diagnostics, in: compilation.workspace, format: format)
    result.keep(compilation)
    return result
  }

  /// Compiles a project as `compile` does, including documents outside its sources, without
  /// generating files.
  private static func compilation(
    _ documents: [String], of options: CompileOptions
  ) throws -> Compilation {
    let project = try Project(options, or: "a schema with --schema")
    if documents.isEmpty { return project.compilation(makesFiles: false) }
    return Compiler.compile(try adding(documents, to: project))
  }

  /// Compiles documents without a configuration and without generating files.
  private static func compilation(
    _ documents: [String], schemas paths: [String], isStrict: Bool
  ) throws -> Compilation {
    let (files, warnings) = try documentFiles(documents, schemas: paths)
    let sources = try files.map {
      CompilationInput.SourceFile(path: $0, bytes: try readFile($0), output: "")
    }
    let schemas = try paths.map { Source(path: $0, bytes: try readFile($0)) }
    var options = EmissionOptions()
    options.isSchemaStrict = isStrict
    return Compiler.compile(
      CompilationInput(
        sources: sources, schema: schemas, options: options, makesFiles: false,
        warnings: warnings))
  }

  /// Returns a project's input with additional documents from outside its sources.
  private static func adding(
    _ documents: [String], to project: Project
  ) throws(FileError) -> CompilationInput {
    var input = project.input
    input.makesFiles = false
    let schemas = project.configuration.schemaFiles.map(\.path)
    let known = Set(input.sources.map(\.path))
    for path in try documentFiles(documents, schemas: schemas).files {
      let shown = shownPath(path)
      if known.contains(shown) { continue }
      input.sources.append(.init(path: shown, bytes: try readFile(path), output: ""))
    }
    return input
  }

  private static func shownPath(_ path: String) -> String { Project.shownPath(Project.url(path)) }

  private static func validateBySpecification(
    _ documents: [String], schemas: [String], format: OutputFormat
  ) throws(FileError) -> CommandResult {
    let workspace = Workspace()
    let schema = try readSchema(schemas, in: workspace)
    guard !schema.diagnostics.hasErrors, !documents.isEmpty else {
      return .diagnostics(schema.diagnostics, in: workspace, format: format)
    }
    let parsed = try readDocuments(documents, schemas: schemas, in: workspace)
    var diagnostics = schema.diagnostics + parsed.diagnostics
    if !parsed.diagnostics.hasErrors {
      diagnostics += schema.schema.validate(parsed.documents, mode: .specification)
    }
    return .diagnostics(diagnostics.sortedByLocation(), in: workspace, format: format)
  }

  /// Reads and validates a schema from SDL files, or from one introspection JSON file.
  ///
  /// - Throws: ``FileError`` when a file cannot be read.
  private static func readSchema(
    _ paths: [String], in workspace: Workspace
  ) throws(FileError) -> ValidatedSchema {
    var documents: [Document] = []
    var diagnostics: [Diagnostic] = []
    for path in paths {
      let parsed = workspace.parseSchema(Source(path: path, bytes: try readFile(path)))
      documents.append(parsed.document)
      diagnostics += parsed.diagnostics
    }
    guard diagnostics.isEmpty else {
      let schema = Schema.build(from: documents, in: workspace)
      return ValidatedSchema(schema: schema, diagnostics: diagnostics.sortedByLocation())
    }
    return Schema.validated(from: documents, in: workspace, mode: .specification)
  }

  /// Parses documents from `.graphql` files, from the tags in `.swift` files, and from folders of
  /// both.
  ///
  /// - Parameter schemas: The paths of the schema's files, which are skipped.
  /// - Throws: ``FileError`` when a file cannot be read.
  private static func readDocuments(
    _ paths: [String], schemas: [String], in workspace: Workspace
  ) throws(FileError) -> (documents: [Document], diagnostics: [Diagnostic]) {
    let (files, warnings) = try documentFiles(paths, schemas: schemas)
    var result = (documents: [Document](), diagnostics: warnings)
    for path in files {
      let source = CompilationInput.SourceFile(path: path, bytes: try readFile(path), output: "")
      let file = ParsedFile(source, in: workspace)
      result.documents += file.documents
      result.diagnostics += file.diagnostics
    }
    return result
  }
}
