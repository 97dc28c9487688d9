import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The command `validate`, which checks a schema, and documents against it.
  static let validate = Command(
    name: "validate", usage: validateUsage,
    summary: """
      Checks what relay.config.json names, or a schema and documents (.graphql and .swift files, or folders of \
      them), as compile does, and writes nothing. Documents without a schema are checked as a part of the project, and \
      their problems alone are reported. With --spec exactly the rules of the GraphQL specification are applied.
      """,
    run: runValidate)

  private static let validateUsage =
    "relay-compiler validate [--format text|json] [--strict-schema] "
    + "([--config FILE] [DOCUMENT…] | [--spec] --schema FILE [--schema FILE…] [DOCUMENT…])"

  private static func runValidate(_ arguments: [String]) -> CommandResult {
    result(usage: validateUsage) {
      let options = try ValidateOptions(arguments)
      if options.isSpecification { return try validateBySpecification(options) }
      let compilation = try compilation(options)
      var diagnostics = compilation.diagnostics
      if options.schemas.isEmpty, !options.documents.isEmpty {
        let named = Set(try documentFiles(options.documents, schemas: []).files.map(shownPath))
        let all = compilation.stages.parsed.files.map(\.file.path)
        let others = Set(all).subtracting(named)
        diagnostics.removeAll { diagnostic in
          !diagnostic.locations.isEmpty
            && diagnostic.locations.allSatisfy { span in
              compilation.workspace[span.source].map { others.contains($0.path) } ?? false
            }
        }
      }
      var result = CommandResult.diagnostics(
        diagnostics, in: compilation.workspace, format: options.format)
      result.keep(compilation)
      return result
    }
  }

  /// Compiles as `compile` does, without generating files.
  private static func compilation(_ options: ValidateOptions) throws -> Compilation {
    if options.schemas.isEmpty {
      let compileOptions = options.compileOptions
      let configuration = try Project.configuration(compileOptions, or: "a schema with --schema")
      let project = try Project(
        compileOptions, configuration, output: configuration.artifactDirectory)
      if options.documents.isEmpty { return project.compilation(makesFiles: false) }
      return Compiler.compile(try adding(options.documents, to: project))
    }
    let (files, warnings) = try documentFiles(options.documents, schemas: options.schemas)
    let sources = try files.map {
      CompilationInput.SourceFile(path: $0, bytes: try readFile($0), output: "")
    }
    let schemas = try options.schemas.map { Source(path: $0, bytes: try readFile($0)) }
    return Compiler.compile(
      CompilationInput(
        sources: sources, schema: schemas, options: options.emission, makesFiles: false,
        warnings: warnings))
  }

  /// Returns a project's texts with those of documents that are not among its sources.
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
    _ options: ValidateOptions
  ) throws(FileError) -> CommandResult {
    let workspace = Workspace()
    let schema = try readSchema(options.schemas, in: workspace, mode: .specification)
    guard !schema.diagnostics.hasErrors, !options.documents.isEmpty else {
      return .diagnostics(schema.diagnostics, in: workspace, format: options.format)
    }
    let parsed = try readDocuments(
      options.documents, schemas: options.schemas, in: workspace)
    var diagnostics = schema.diagnostics + parsed.diagnostics
    if !parsed.diagnostics.hasErrors {
      diagnostics += schema.schema.validate(parsed.documents, mode: .specification)
    }
    return .diagnostics(diagnostics.sortedByLocation(), in: workspace, format: options.format)
  }
}

/// The arguments of `validate`.
struct ValidateOptions {
  var format = OutputFormat.text
  var isSpecification = false
  var isSchemaStrict = false
  var config: String?
  var schemas: [String] = []
  var documents: [String] = []

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      func file() throws -> String {
        guard let value = rest.popFirst() else {
          throw CompileOptions.Mistake(message: "\"\(argument)\" takes a file.")
        }
        return value
      }
      switch argument {
      case "--spec": isSpecification = true
      case "--strict-schema": isSchemaStrict = true
      case "--format":
        guard let value = rest.popFirst().flatMap(OutputFormat.init) else {
          throw CompileOptions.Mistake(message: "\"--format\" takes text or json.")
        }
        format = value
      case "--config": config = try file()
      case "--schema": schemas.append(try file())
      case _ where argument.hasPrefix("--"):
        throw CompileOptions.Mistake(message: "Unknown option \"\(argument)\".")
      default: documents.append(argument)
      }
    }
    if schemas.isEmpty, isSpecification {
      throw CompileOptions.Mistake(message: "Name the schema with \"--schema FILE\".")
    }
    if config != nil, !schemas.isEmpty {
      throw CompileOptions.Mistake(message: "Name a configuration or a schema, not both.")
    }
  }

  /// The options of `compile` that find the configuration.
  var compileOptions: CompileOptions {
    var options = CompileOptions()
    options.config = config
    options.isSchemaStrict = isSchemaStrict
    return options
  }

  /// The emission options for documents that have no configuration.
  var emission: EmissionOptions {
    var options = EmissionOptions()
    options.isSchemaStrict = isSchemaStrict
    return options
  }
}
