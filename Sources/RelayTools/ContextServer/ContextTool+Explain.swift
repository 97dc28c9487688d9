import GraphQLLanguage
import RelayCompiler

extension ContextTool {
  /// The tool `explain`.
  static let explain = ContextTool(
    name: "explain", title: "Explain an operation or a fragment",
    description: """
      Shows what the compiler makes of an operation or a fragment: the Swift types with their properties and \
      arguments, the plans by which data is stored and read, and the fragments that it spreads or the definitions \
      that spread it. For an operation also the text that is sent to the server, and an estimate of the size of a \
      response, in which n is the length of a list that no argument gives. Call it before writing Swift code that uses a definition. It needs a project \
      without errors.
      """,
    parameters: [
      ToolParameter(
        name: "name", kind: .text, isRequired: true,
        description:
          "The name of an operation or a fragment, or that of its Swift type, such as FeedQuery."),
      .offset("characters"),
    ],
    run: runExplain)

  private static func runExplain(
    _ project: inout ContextProject, _ arguments: ToolArguments
  ) throws(ToolFailure) -> ToolResult {
    let name = arguments.text("name") ?? ""
    let session = try project.read()
    guard !session.diagnostics.hasErrors, let input = project.input,
      let explanation = Explanation(Compiler.compile(input))
    else {
      let count = session.diagnostics.count { $0.severity == .error }
      throw ToolFailure(
        message:
          "The project has \(count.counted("error")), so nothing can be explained. Call validate.")
    }
    if let text = explanation.text(of: name) {
      let page = ResultPage.text(text, from: arguments.integer("offset") ?? 0) {
        "Call explain with offset \($0) for them."
      }
      return ToolResult(text: page)
    }
    let question = didYouMean(explanation.suggestions(for: name))
    throw ToolFailure(
      message: "There is no operation and no fragment called \"\(name)\"."
        + (question.map { " " + $0 } ?? ""))
  }
}
