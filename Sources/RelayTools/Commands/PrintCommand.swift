import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The command `print`, which prints the canonical text of a document, or its syntax errors.
  static let print = Command(
    name: "print", usage: printUsage,
    summary:
      "Prints the canonical text of a GraphQL file, or of the standard input for -, or its syntax errors.",
    run: runPrint)

  private static let printUsage = "relay-compiler print [--format text|json] (FILE | -)"

  private static func runPrint(_ arguments: [String]) -> CommandResult {
    var format = OutputFormat.text
    var paths: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--format":
        guard let value = rest.popFirst().flatMap(OutputFormat.init) else {
          return .usage("\"--format\" takes text or json.", printUsage)
        }
        format = value
      case _ where argument.hasPrefix("--"):
        return .usage("Unknown option \"\(argument)\".", printUsage)
      default: paths.append(argument)
      }
    }
    guard paths.count == 1, let path = paths.first else {
      return .usage("Name one file.", printUsage)
    }
    do throws(FileError) {
      return path == standardInputArgument
        ? printDocument(try readStandardInput(), named: standardInputName, format: format)
        : printDocument(try readFile(path), named: path, format: format)
    } catch {
      return CommandResult(.usage, errors: "error: \(error.message)\n")
    }
  }

  static func printDocument(
    _ bytes: ContiguousArray<UInt8>, named path: String, format: OutputFormat
  ) -> CommandResult {
    let workspace = Workspace()
    let parsed = workspace.parse(Source(path: path, bytes: bytes))
    guard parsed.diagnostics.isEmpty else {
      return .diagnostics(parsed.diagnostics, in: workspace, format: format)
    }
    return CommandResult(.success, output: parsed.document.text() + "\n")
  }
}
