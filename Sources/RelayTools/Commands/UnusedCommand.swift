import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The command `unused`, which finds selections that no Swift code reads.
  static let unused = Command(
    name: "unused", usage: unusedUsage,
    summary: """
      Finds fields that queries and fragments select and no Swift file names, and definitions that nobody uses. \
      A name that is a word of any Swift file counts as read, so what it finds is read nowhere. The Swift files are \
      those of the sources, and those in each --swift, such as the folder of a module that imports this one. Its \
      exit code is 1 if it finds something.
      """,
    run: runUnused)

  private static let unusedUsage =
    "relay-compiler unused [--config FILE] [--format text|json] [--swift DIRECTORY]…"

  private static func runUnused(_ arguments: [String]) -> CommandResult {
    result(usage: unusedUsage) {
      var (readers, rest) = ([String](), [String]())
      var queue = arguments[...]
      while let argument = queue.popFirst() {
        guard argument == "--swift" else {
          rest.append(argument)
          continue
        }
        guard let folder = queue.popFirst() else {
          throw CompileOptions.Mistake(message: "\"--swift\" takes a directory.")
        }
        readers.append(folder)
      }
      let options = try ValidateOptions(rest)
      guard options.schemas.isEmpty, options.documents.isEmpty, !options.isSpecification else {
        throw CompileOptions.Mistake(message: "The configuration names the schema and the sources.")
      }
      return try unused(options, readers: readers)
    }
  }

  private static func unused(_ options: ValidateOptions, readers: [String]) throws -> CommandResult
  {
    let configuration = try Project.configuration(options.compileOptions)
    let project = try Project(
      options.compileOptions, configuration, output: configuration.artifactDirectory)
    let compilation = project.compilation(makesFiles: false)
    var words = SwiftWords()
    for source in project.sources where source.path.hasSuffix(".swift") {
      words.add(source.bytes, skipsTags: true)
    }
    // The documents of other modules use fragments by spreading them.
    for path in try documentFiles(readers, schemas: []).0 {
      words.add(try readFile(path), skipsTags: false)
    }
    let found = UnusedChecks.diagnostics(for: compilation, words: words)
    var result = CommandResult.diagnostics(
      found ?? compilation.diagnostics, in: compilation.workspace, format: options.format)
    if found?.isEmpty == false { result.exitCode = .errors }
    return result
  }
}
