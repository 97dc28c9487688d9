import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `unused` command: finds selections that no Swift code reads.
  static let unused = Command(
    name: "unused", syntax: "[--config FILE] [--format text|json] [--swift DIRECTORY]…",
    hiddenSyntax: "[--strict-schema]",
    summary: """
      Finds fields that queries and fragments select but no Swift file names, and unused \
      definitions. A name that is a word of any Swift file counts as read, so every field found is \
      truly unread. It searches the Swift files of the project and of each --swift folder, such as \
      a module that imports this one. Exits with code 1 if it finds any.
      """,
    explanations: ["--swift": "A folder of other Swift code that uses this module."]
  ) { arguments in
    let project = try Project(CompileOptions(arguments))
    let compilation = project.compilation(makesFiles: false)
    var words = SwiftWords()
    for source in project.sources where source.path.hasSuffix(".swift") {
      words.add(source.bytes, skipsTags: true)
    }
    // Other modules' documents use fragments by spreading them.
    for path in try documentFiles(arguments.all("--swift").flatMap(\.self), schemas: []).files {
      words.add(try readFile(path), skipsTags: false)
    }
    let found = UnusedChecks.diagnostics(for: compilation, words: words)
    var result = CommandResult.diagnostics(
      found ?? compilation.diagnostics, in: compilation.workspace, format: arguments.format)
    if found?.isEmpty == false { result.exitCode = .errors }
    return result
  }
}
