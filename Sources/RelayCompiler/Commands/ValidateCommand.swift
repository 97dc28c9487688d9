import GraphQLLanguage

extension Command {
  /// Checks a schema, and documents against it.
  static let validate = Command(
    name: "validate", usage: validateUsage,
    summary: """
      Checks a schema, and documents (.graphql and .swift files, or folders of them) against it: by the rules \
      of Relay, or with --spec by exactly those of the GraphQL specification.
      """,
    run: runValidate)

  private static let validateUsage =
    "relay-compiler validate [--spec] [--format text|json] --schema FILE [--schema FILE…] [DOCUMENT…]"

  private static func runValidate(_ arguments: [String]) -> CommandResult {
    var format = OutputFormat.text
    var mode = ValidationMode.relay
    var schemas: [String] = []
    var documents: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--spec": mode = .specification
      case "--format":
        guard let value = rest.popFirst().flatMap(OutputFormat.init) else {
          return .usage("\"--format\" takes text or json.", validateUsage)
        }
        format = value
      case "--schema":
        guard let value = rest.popFirst() else {
          return .usage("\"--schema\" takes a file.", validateUsage)
        }
        schemas.append(value)
      case _ where argument.hasPrefix("--"):
        return .usage("Unknown option \"\(argument)\".", validateUsage)
      default: documents.append(argument)
      }
    }
    guard !schemas.isEmpty else {
      return .usage("Name the schema with \"--schema FILE\".", validateUsage)
    }
    do throws(FileError) {
      return try validate(schemas: schemas, documents: documents, mode: mode, format: format)
    } catch {
      return CommandResult(.usage, errors: "error: \(error.message)\n")
    }
  }

  private static func validate(
    schemas: [String], documents: [String], mode: ValidationMode, format: OutputFormat
  ) throws(FileError) -> CommandResult {
    let workspace = Workspace()
    let schema = try readSchema(schemas, in: workspace, mode: mode)
    guard !schema.diagnostics.hasErrors, !documents.isEmpty else {
      return .diagnostics(schema.diagnostics, in: workspace, format: format)
    }
    let parsed = try readDocuments(documents, in: workspace)
    var diagnostics = schema.diagnostics + parsed.diagnostics
    if !parsed.diagnostics.hasErrors {
      diagnostics += schema.schema.validate(parsed.documents, mode: mode)
      if mode == .relay, !diagnostics.hasErrors {
        diagnostics += ArgumentConflicts.diagnostics(in: parsed.documents, schema: schema.schema)
      }
    }
    return .diagnostics(diagnostics.sortedByPlace(), in: workspace, format: format)
  }
}
