import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `format` command: formats GraphQL files and the tags of Swift files in place.
  static let format = Command(
    name: "format", syntax: "[--config FILE] [--check] [FILE… | -]",
    summary: """
      Formats GraphQL files, and the graphql tags in Swift files, in place: the files that \
      relay.config.json names, without the schema and generated files, or exactly the files given \
      as arguments. With -, formats the GraphQL document on standard input to standard output. \
      With --check, writes no files, lists those that would change, and exits with code 1 if there \
      are any.
      """,
    explanations: [
      "--check": "Writes no files, lists those that would change, and fails if there are any.",
      "FILE": "A GraphQL or Swift file. Without one, formats the project's files.",
      "-": "Formats standard input to standard output.",
    ]
  ) { arguments in
    let (paths, isChecking) = (arguments.operands, arguments.has("--check"))
    try checkPaths(paths, hasConfiguration: arguments.has("--config"))
    if paths == [standardInputArgument] {
      return formatText(try readStandardInput(), isChecking: isChecking)
    }
    let (inputs, warnings) = try files(paths, CompileOptions(arguments))
    return try format(inputs, warnings, isChecking: isChecking)
  }

  /// Checks the file paths in the arguments.
  private static func checkPaths(
    _ paths: [String], hasConfiguration: Bool
  ) throws(Arguments.Mistake) {
    let suffixes = [".swift", ".graphql", ".gql", ".graphqls"]
    for path in paths where path != standardInputArgument {
      if suffixes.contains(where: path.hasSuffix) { continue }
      throw .init("\"\(path)\" is neither a GraphQL file nor a Swift file.")
    }
    if paths.contains(standardInputArgument), paths.count > 1 {
      throw .init("Name files or \"-\", not both.")
    }
    if hasConfiguration, !paths.isEmpty {
      throw .init("Name a configuration or files, not both.")
    }
  }

  /// Formats files. All of them are read before the first one is written.
  private static func format(
    _ inputs: [CompilationInput.SourceFile], _ warnings: [Diagnostic], isChecking: Bool
  ) throws -> CommandResult {
    let workspace = Workspace()
    var diagnostics = warnings
    var changed: [String] = []
    for input in inputs {
      let file = FormattedFile(path: input.path, bytes: input.bytes, in: workspace)
      diagnostics += file.diagnostics
      guard file.isChanged else { continue }
      if !isChecking { try replaceFile(file.path, file.original, with: Array(file.bytes)) }
      changed.append(file.path)
    }
    var result = CommandResult.diagnostics(
      diagnostics.sortedByLocation(), in: workspace, format: .text)
    result.output = changed.map { $0 + "\n" }.joined()
    if !isChecking {
      result.output += "\(inputs.count.counted("file")), \(changed.count) changed\n"
    } else if !changed.isEmpty {
      result.exitCode = .errors
      result.errors += "error: Files are not formatted; run relay-compiler format.\n"
    }
    return result
  }

  /// Formats the GraphQL document on standard input. A document with a syntax error has no output.
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
      result.errors += "error: Standard input is not formatted.\n"
    }
    return result
  }

  private static func files(
    _ paths: [String], _ options: CompileOptions
  ) throws -> (files: [CompilationInput.SourceFile], warnings: [Diagnostic]) {
    if !paths.isEmpty {
      return (try paths.map { .init(path: $0, bytes: try readFile($0), output: "") }, [])
    }
    let configuration = try Project.configuration(options, or: "the files to format")
    return try SourceTree(configuration, output: configuration.artifactDirectory).sources()
  }
}
