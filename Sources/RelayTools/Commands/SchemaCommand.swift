import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The command `schema`, which prints a schema as SDL, or downloads one from a server.
  static let schema = Command(
    name: "schema", usage: schemaUsage,
    summary: """
      Prints a schema file, SDL or introspection JSON, as SDL; or asks a server for its schema by introspection.
      """,
    run: runSchema)

  private static let schemaUsage = """
    relay-compiler schema print [--format text|json] FILE
      \u{20}      relay-compiler schema download [--header "NAME: VALUE"…] [--output FILE] URL
    """

  private static func runSchema(_ arguments: [String]) -> CommandResult {
    switch arguments.first {
    case "print": return runSchemaPrint(arguments.dropFirst())
    case "download": return runSchemaDownload(arguments.dropFirst())
    default: return .usage("\"schema\" takes print or download.", schemaUsage)
    }
  }

  private static func runSchemaPrint(_ arguments: ArraySlice<String>) -> CommandResult {
    var format = OutputFormat.text
    var paths: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--format":
        guard let value = rest.popFirst().flatMap(OutputFormat.init) else {
          return .usage("\"--format\" takes text or json.", schemaUsage)
        }
        format = value
      case _ where argument.hasPrefix("--"):
        return .usage("Unknown option \"\(argument)\".", schemaUsage)
      default: paths.append(argument)
      }
    }
    guard paths.count == 1, let path = paths.first else {
      return .usage("Name one file.", schemaUsage)
    }
    do throws(FileError) {
      return printSchema(Source(path: path, bytes: try readFile(path)), format: format)
    } catch {
      return CommandResult(.usage, errors: "error: \(error.message)\n")
    }
  }

  /// Prints a schema as SDL, or its syntax errors.
  private static func printSchema(_ source: Source, format: OutputFormat) -> CommandResult {
    let workspace = Workspace()
    let parsed = workspace.parseSchema(source)
    guard parsed.diagnostics.isEmpty else {
      return .diagnostics(parsed.diagnostics, in: workspace, format: format)
    }
    return CommandResult(.success, output: parsed.document.text() + "\n")
  }

  private static func runSchemaDownload(_ arguments: ArraySlice<String>) -> CommandResult {
    var headers: [String] = []
    var output: String?
    var urls: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--header":
        guard let value = rest.popFirst(), value.contains(":"),
          !value.utf8.contains(where: { $0 < 0x20 })
        else { return .usage("\"--header\" takes \"NAME: VALUE\".", schemaUsage) }
        headers.append(value)
      case "--output":
        guard let value = rest.popFirst() else {
          return .usage("\"--output\" takes a file.", schemaUsage)
        }
        output = value
      case _ where argument.hasPrefix("--"):
        return .usage("Unknown option \"\(argument)\".", schemaUsage)
      default: urls.append(argument)
      }
    }
    guard urls.count == 1, let url = urls.first,
      url.hasPrefix("http://") || url.hasPrefix("https://")
    else { return .usage("Name one URL that begins with http:// or https://.", schemaUsage) }
    let text: String
    do throws(SchemaDownloadError) {
      text = try downloadSchema(from: url, headers: headers)
    } catch {
      return CommandResult(.errors, errors: "error: \(error.message)\n")
    }
    guard let output else { return CommandResult(.success, output: text) }
    return result(usage: schemaUsage) {
      try writeFile(output, Array(text.utf8))
      return CommandResult(.success)
    }
  }
}
