import GraphQLLanguage
import RelayCompiler

extension ContextTool {
  /// The tool `explain`.
  static let explain = ContextTool(
    name: "explain", title: "Explain an operation or a fragment",
    description: """
      Shows the compiler's output for an operation or a fragment: the Swift types with their \
      properties and arguments, the plans for writing and reading data, the fragments that it \
      spreads and the definitions that spread it. For an operation, also shows the document sent \
      to the server and an estimate of the response size, where n is the length of a list without \
      a length argument. Call it before writing Swift code that uses a definition. It needs a \
      project without errors.
      """,
    parameters: [
      ToolParameter(
        name: "name", kind: .text, isRequired: true,
        description:
          "The name of an operation or a fragment, or of its Swift type, such as FeedQuery."),
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
          "The project has \(count.counted("error")), so definitions cannot be explained. Call validate."
      )
    }
    if let text = explanation.text(of: name) {
      let page = ResultPage.text(text, from: arguments.integer("offset") ?? 0) {
        "Call explain with offset \($0) for them."
      }
      return ToolResult(text: page)
    }
    throw ToolFailure(message: explanation.correction(of: name))
  }
}
