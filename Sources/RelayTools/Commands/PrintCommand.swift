import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `print` command: prints the canonical form of a document, or its syntax errors.
  static let print = Command(
    name: "print", syntax: "[--format text|json] (FILE | -)",
    summary:
      "Prints the canonical form of a GraphQL file, or of standard input for -, or its syntax "
      + "errors.",
    explanations: ["FILE": "A GraphQL file.", "-": "Reads standard input."]
  ) { arguments in
    let path = try arguments.file()
    return path == standardInputArgument
      ? printDocument(try readStandardInput(), named: standardInputName, format: arguments.format)
      : printDocument(try readFile(path), named: path, format: arguments.format)
  }

  static func printDocument(
    _ bytes: ContiguousArray<UInt8>, named path: String, format: OutputFormat
  ) -> CommandResult {
    let workspace = Workspace()
    return printed(workspace.parse(Source(path: path, bytes: bytes)), in: workspace, format: format)
  }

  /// Returns the result that prints the canonical form of a document or a schema, or its syntax
  /// errors.
  static func printed(
    _ parsed: Parsed, in workspace: Workspace, format: OutputFormat
  ) -> CommandResult {
    guard parsed.diagnostics.isEmpty else {
      return .diagnostics(parsed.diagnostics, in: workspace, format: format)
    }
    return CommandResult(.success, output: parsed.document.text() + "\n")
  }
}
