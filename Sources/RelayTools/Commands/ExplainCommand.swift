import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `explain` command: shows the compiler's results for one definition.
  static let explain = Command(
    name: "explain", syntax: "[--config FILE] NAME", hiddenSyntax: compile.syntax,
    summary: """
      Shows the compiler's output for an operation or a fragment: the Swift types, the plans, and \
      the definitions that spread it. For an operation, also shows the document sent and an \
      estimate of the response, where n is the length of a list without a length argument.
      """,
    explanations: ["NAME": "The name of an operation or a fragment, or of its Swift type."]
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
      return CommandResult(.errors, errors: "error: \(explanation.correction(of: name))\n")
    }
    return CommandResult(.success, output: text, errors: report)
  }
}
