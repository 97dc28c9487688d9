import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The command `format`, which formats GraphQL files and the tags of Swift files in place.
  static let format = Command(
    name: "format", usage: formatUsage,
    summary: """
      Formats GraphQL files, and the graphql tags in Swift files, in place: those that relay.config.json names, \
      without the schema and generated files, or exactly the files of the arguments. For - the GraphQL document in \
      the standard input is written to the standard output. With --check it writes nothing, lists the files that would \
      change, and its exit code is 1 if there is one.
      """,
    run: runFormat)

  private static let formatUsage = "relay-compiler format [--config FILE] [--check] [FILE… | -]"

  private static func runFormat(_ arguments: [String]) -> CommandResult {
    result(usage: formatUsage) { try format(FormatOptions(arguments)) }
  }

  private static func format(_ options: FormatOptions) throws -> CommandResult {
    if options.files == [standardInputArgument] {
      return formatText(try readStandardInput(), isChecking: options.isChecking)
    }
    let workspace = Workspace()
    // All files are read before one is written.
    let (inputs, warnings) = try files(options)
    var diagnostics = warnings
    var changed: [String] = []
    for input in inputs {
      let file = FormattedFile(path: input.path, bytes: input.bytes, in: workspace)
      diagnostics += file.diagnostics
      guard file.isChanged else { continue }
      if !options.isChecking { try replaceFile(file.path, file.original, with: Array(file.bytes)) }
      changed.append(file.path)
    }
    var result = CommandResult.diagnostics(
      diagnostics.sortedByLocation(), in: workspace, format: .text)
    result.output = changed.map { $0 + "\n" }.joined()
    if !options.isChecking {
      result.output += "\(inputs.count.counted("file")), \(changed.count) changed\n"
    } else if !changed.isEmpty {
      result.exitCode = .errors
      result.errors += "error: Files are not formatted; run relay-compiler format.\n"
    }
    return result
  }

  /// Formats the GraphQL document of the standard input. A document with a syntax error has no
  /// output.
  static func formatText(
    _ bytes: ContiguousArray<UInt8>, isChecking: Bool
  ) -> CommandResult {
    let workspace = Workspace()
    let file = FormattedFile(path: standardInputName, bytes: bytes, in: workspace)
    var result = CommandResult.diagnostics(file.diagnostics, in: workspace, format: .text)
    if result.exitCode != .success { return result }
    if !isChecking {
      result.output = String(decoding: file.bytes, as: UTF8.self)
    } else if file.isChanged {
      result.exitCode = .errors
      result.errors += "error: The standard input is not formatted.\n"
    }
    return result
  }

  private static func files(
    _ options: FormatOptions
  ) throws -> (files: [(path: String, bytes: ContiguousArray<UInt8>)], warnings: [Diagnostic]) {
    if !options.files.isEmpty {
      return (try options.files.map { ($0, try readFile($0)) }, [])
    }
    var compileOptions = CompileOptions()
    compileOptions.config = options.config
    let configuration = try Project.configuration(compileOptions, or: "the files to format")
    let tree = SourceTree(configuration, output: configuration.artifactDirectory)
    let (sources, warnings) = try tree.sources()
    return (sources.map { ($0.path, $0.bytes) }, warnings)
  }
}

/// The arguments of `format`.
private struct FormatOptions {
  var config: String?
  var isChecking = false
  var files: [String] = []

  private static let suffixes = [".swift", ".graphql", ".gql", ".graphqls"]

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--config":
        guard let value = rest.popFirst() else {
          throw CompileOptions.Mistake(message: "\"--config\" takes a file.")
        }
        config = value
      case standardInputArgument: files.append(argument)
      case _ where argument.hasPrefix("--"):
        throw CompileOptions.Mistake(message: "Unknown option \"\(argument)\".")
      default:
        guard Self.suffixes.contains(where: argument.hasSuffix) else {
          throw CompileOptions.Mistake(
            message: "\"\(argument)\" is neither a GraphQL file nor a Swift file.")
        }
        files.append(argument)
      }
    }
    if files.contains(standardInputArgument), files.count > 1 {
      throw CompileOptions.Mistake(message: "Name files or \"-\", not both.")
    }
    if config != nil, !files.isEmpty {
      throw CompileOptions.Mistake(message: "Name a configuration or files, not both.")
    }
  }
}
