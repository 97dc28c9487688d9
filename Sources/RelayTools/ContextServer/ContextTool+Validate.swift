import GraphQLLanguage
import RelayCompiler

extension ContextTool {
  /// The tool `validate`.
  static let validate = ContextTool(
    name: "validate", title: "Validate GraphQL documents",
    description: """
      Checks the graphql tags in Swift files and the GraphQL files of the project, as the build \
      does, and returns the errors and warnings with the fixes that apply_fix can make. Without \
      arguments it checks everything. With path it returns the problems of one file. With document \
      it checks unsaved contents: of the file at path, or without path of an additional GraphQL \
      file. It returns their problems, and the problems that they would cause in other files. Call \
      it after every change to a document or to the schema.
      """,
    parameters: [
      ToolParameter(
        name: "path", kind: .text,
        description: "A file of the project, relative to the folder of relay.config.json."),
      ToolParameter(
        name: "document", kind: .text,
        description:
          "The entire contents of a file: GraphQL, or Swift with graphql tags if path ends with "
          + ".swift."
      ),
      ToolParameter(
        name: "limit", kind: .integer(1...1_000),
        description: "The largest number of problems to return. The default is 100."),
      .offset("problems"),
    ], run: runValidate)

  private static func runValidate(
    _ project: inout ContextProject, _ arguments: ToolArguments
  ) throws(ToolFailure) -> ToolResult {
    let session: Session
    let diagnostics: [Diagnostic]
    var unsaved: String?
    if let document = arguments.text("document") {
      let path = try Self.path(ofUnsaved: arguments.text("path"), in: &project)
      (session, diagnostics) = try Self.problems(of: document, at: path, in: &project)
      unsaved = path
    } else {
      session = try project.read()
      if let name = arguments.text("path") {
        diagnostics = session.diagnostics(in: try project.path(of: name))
      } else {
        diagnostics = session.diagnostics
      }
    }
    let report = DiagnosticReport(
      diagnostics, of: session, offset: arguments.integer("offset") ?? 0,
      limit: arguments.integer("limit") ?? 100, unsaved: unsaved, fixes: &project.fixes)
    return ToolResult(text: report.text)
  }

  /// The identity of a diagnostic across changes to other files.
  private struct Problem: Hashable {
    let path: String?
    let start: UInt32
    let rule: String
    let message: String

    init(_ diagnostic: Diagnostic, in session: Session) {
      path = session.workspace[diagnostic.primarySpan.source]?.path
      start = diagnostic.primarySpan.start
      rule = diagnostic.rule
      message = diagnostic.message
    }
  }

  /// Returns the session path for an unsaved document.
  ///
  /// - Parameter name: The file that the document belongs to; `nil` for an additional file.
  private static func path(
    ofUnsaved name: String?, in project: inout ContextProject
  ) throws(ToolFailure) -> String {
    _ = try project.read()
    return try name.map { (name) throws(ToolFailure) in try project.path(ofSource: name) }
      ?? unsavedPath(in: project)
  }

  /// Returns the diagnostics of a document, and the diagnostics that it causes in other files.
  static func problems(
    of document: String, at path: String, in project: inout ContextProject
  ) throws(ToolFailure) -> (Session, [Diagnostic]) {
    let old: Set<Problem>
    do {
      let session = try project.read()
      old = Set(session.diagnostics.map { Problem($0, in: session) })
    }
    let session = try project.session(with: document, at: path)
    let found = session.diagnostics.filter { diagnostic in
      let problem = Problem(diagnostic, in: session)
      return problem.path == path || !old.contains(problem)
    }
    return (session, found)
  }

  /// Returns a path that no source has.
  private static func unsavedPath(in project: ContextProject) -> String {
    let taken = Set(project.input?.sources.map(\.path) ?? [])
    let first = "Unsaved.graphql"
    let others = (2...max(2, taken.count + 2)).lazy.map { "Unsaved\($0).graphql" }
    return taken.contains(first) ? others.first { !taken.contains($0) } ?? first : first
  }
}
