import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `schema print` command: prints a schema as SDL, or its syntax errors.
  static let schemaPrint = Command(
    name: "schema", action: "print", syntax: "[--format text|json] FILE",
    summary: "Prints a schema file, SDL or introspection JSON, as SDL."
  ) { arguments in
    let path = try arguments.file()
    let workspace = Workspace()
    let source = Source(path: path, bytes: try readFile(path))
    return printed(workspace.parseSchema(source), in: workspace, format: arguments.format)
  }

  /// The `schema download` command: prints or writes a server's schema.
  static let schemaDownload = Command(
    name: "schema", action: "download",
    syntax: "[--header \"NAME: VALUE\"…] [--output FILE] URL",
    summary: "Downloads a server's schema by introspection."
  ) { arguments in
    let headers = arguments.all("--header").flatMap(\.self)
    guard headers.allSatisfy({ $0.contains(":") && $0.utf8.allSatisfy { $0 >= 0x20 } }) else {
      throw Arguments.Mistake("\"--header\" takes \"NAME: VALUE\".")
    }
    guard arguments.operands.count == 1, let url = arguments.operands.first,
      url.hasPrefix("http://") || url.hasPrefix("https://")
    else { throw Arguments.Mistake("Name one URL that starts with http:// or https://.") }
    let text: String
    do throws(SchemaDownloadError) {
      text = try downloadSchema(from: url, headers: headers)
    } catch {
      return CommandResult(.errors, errors: "error: \(error.message)\n")
    }
    guard let output = arguments["--output"] else { return CommandResult(.success, output: text) }
    try writeFile(output, Array(text.utf8))
    return CommandResult(.success)
  }
}
