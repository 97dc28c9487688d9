import GraphQLLanguage

extension ContextTool {
  /// The tool `apply_fix`.
  static let applyFix = ContextTool(
    name: "apply_fix", title: "Apply a fix",
    description: """
      Applies a fix that validate has offered, and writes the file. Give the id of the fix; or \
      path, line, column and title of a fix, or of another change offered there: Add "id", a \
      variable instead of a value. It refuses if the file has changed since validate read it. It \
      returns the remaining problems of the file with new ids; earlier ids of fixes in the same \
      file become invalid. A fix of an unsaved document passed to validate writes no \
      file: it returns the entire corrected document as document.
      """,
    parameters: [
      ToolParameter(name: "fix", kind: .text, description: "The id of a fix, such as fix3."),
      ToolParameter(name: "path", kind: .text, description: "A file of the project."),
      ToolParameter(
        name: "line", kind: .integer(1...Int(Int32.max)), description: "The line, from 1."),
      ToolParameter(
        name: "column", kind: .integer(1...Int(Int32.max)),
        description: "The column in UTF-16 units, from 1."),
      ToolParameter(
        name: "title", kind: .text,
        description: "The title of the change, such as Change to \"name\"."),
      .offset("characters of an unsaved document"),
    ],
    isReadOnly: false, run: runApplyFix)

  private static func runApplyFix(
    _ project: inout ContextProject, _ arguments: ToolArguments
  ) throws(ToolFailure) -> ToolResult {
    let session = try project.read()
    let fix = try chosenFix(arguments, in: project, session)
    let (line, text) = changedLine(of: fix)
    let heading = "\(fix.path):\(line): \(fix.title)\n    \(text)\n"
    if fix.isUnsaved, !project.hasSaved(fix) {
      return try correctedText(
        fix, heading: heading, offset: arguments.integer("offset") ?? 0, in: &project)
    }
    try project.apply(fix)
    let now = try project.read()
    let report = DiagnosticReport(
      now.diagnostics(in: fix.path), of: now, limit: 100, used: heading.unicodeScalars.count,
      fixes: &project.fixes)
    return ToolResult(text: heading + report.text)
  }

  /// Returns an unsaved document after a fix. The assistant calls again with another offset to get
  /// the rest.
  private static func correctedText(
    _ fix: OfferedFixes.Fix, heading: String, offset: Int, in project: inout ContextProject
  ) throws(ToolFailure) -> ToolResult {
    let document = String(decoding: fix.result, as: UTF8.self)
    var text = ""
    if offset == 0 {
      let (session, found) = try problems(of: document, at: fix.path, in: &project)
      let report = DiagnosticReport(
        found, of: session, limit: 20, unsaved: fix.path, used: ResultPage.limit / 2,
        fixes: &project.fixes)
      text = "\(heading)\(report.text)\nNo file was written. The corrected document:\n"
    }
    let page = ResultPage.text(document, from: offset, used: text.unicodeScalars.count) {
      "Call apply_fix with the same arguments and offset \($0) for them."
    }
    return ToolResult(text: text + page)
  }

  private static func chosenFix(
    _ arguments: ToolArguments, in project: ContextProject, _ session: Session
  ) throws(ToolFailure) -> OfferedFixes.Fix {
    if let id = arguments.text("fix") {
      if let fix = project.fixes[id] { return fix }
      throw ToolFailure(message: "Unknown fix \"\(id)\". Call validate for the fixes.")
    }
    guard let name = arguments.text("path"), let line = arguments.integer("line"),
      let column = arguments.integer("column"), let title = arguments.text("title")
    else { throw ToolFailure(message: "Give fix, or all of path, line, column and title.") }
    let path = try project.path(of: name)
    guard let bytes = session.bytes(of: path) else {
      throw ToolFailure(message: "\"\(path)\" has no GraphQL documents.")
    }
    let position = LinePosition(line: line - 1, character: column - 1)
    let offset = LineIndex(bytes).offset(of: position, in: .utf16)
    let actions = session.codeActions(in: FileRange(path: path, bytes: offset..<offset))
    if let action = actions.first(where: { $0.title == title }),
      let fix = OfferedFixes.Fix(action, path: path, bytes: bytes)
    {
      return fix
    }
    let titles = actions.isEmpty ? "nothing" : actions.map(\.title).joined(separator: "; ")
    throw ToolFailure(
      message: "\"\(title)\" is not offered at \(path):\(line):\(column). Offered there: \(titles)."
    )
  }

  /// Returns the number and the contents of the first line that a fix changed.
  private static func changedLine(of fix: OfferedFixes.Fix) -> (line: Int, text: String) {
    let source = Source(path: fix.path, bytes: fix.result)
    let workspace = Workspace()
    let id = workspace.add(source)
    let start = UInt32(truncatingIfNeeded: fix.edits.first?.range.bytes.lowerBound ?? 0)
    var places = SourcePlaces(workspace)
    let place = places.place(of: Span(start: start, end: start, source: id))
    return (place?.line ?? 1, place?.text ?? "")
  }
}
