import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The command `explain`, which shows what the compiler makes of one definition.
  static let explain = Command(
    name: "explain", usage: explainUsage,
    summary: """
      Shows what the compiler makes of an operation or a fragment: the Swift types, the plans, and which \
      definitions spread it. For an operation also the text that is sent, and an estimate of the response, in \
      which n is the length of a list that no argument gives.
      """,
    run: runExplain)

  private static let explainUsage = "relay-compiler explain [--config FILE] NAME"

  private static func runExplain(_ arguments: [String]) -> CommandResult {
    result(usage: explainUsage) {
      guard let name = arguments.last, !name.hasPrefix("-") else {
        throw CompileOptions.Mistake(message: "Name an operation or a fragment.")
      }
      let options = try CompileOptions(Array(arguments.dropLast()))
      let configuration = try Project.configuration(options)
      let project = try Project(options, configuration, output: configuration.artifactDirectory)
      let compilation = project.compilation(makesFiles: false)
      let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
      guard let explanation = Explanation(compilation) else {
        return CommandResult(.errors, errors: report)
      }
      guard let text = explanation.text(of: name) else {
        let question = didYouMean(explanation.suggestions(for: name)).map { " " + $0 } ?? ""
        return CommandResult(
          .errors,
          errors: "error: There is no operation and no fragment called \"\(name)\".\(question)\n")
      }
      return CommandResult(.success, output: text, errors: report)
    }
  }
}
