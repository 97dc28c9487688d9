import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `explain` command: shows the compiler's results for one definition.
  static let explain = Command(
    name: "explain", syntax: "[--config FILE] NAME", hiddenSyntax: compile.syntax,
    summary: """
      Shows what the compiler makes of an operation or a fragment: the Swift types, the plans, and which \
      definitions spread it. For an operation also the text that is sent, and an estimate of the response, in \
      which n is the length of a list that no argument gives.
      """
  ) { arguments in
    guard let name = arguments.operands.first, arguments.operands.count == 1 else {
      throw Arguments.Mistake("Name an operation or a fragment.")
    }
    let compilation = try Project(CompileOptions(arguments)).compilation(makesFiles: false)
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
