import GraphQLLanguage

/// The diagnostics of a session with the fixes that are offered for them, as an assistant reads them.
struct DiagnosticReport {
  static let results: [JSON.Member] = [
    .init("errors", ["type": "integer", "description": "The number of errors."]),
    .init("warnings", ["type": "integer", "description": "The number of warnings."]),
    .init(
      "diagnostics",
      [
        "type": "array", "description": "The first of them, by file and position.",
        "items": [
          "type": "object", "required": ["severity", "rule", "message", "fixes"],
          "properties": [
            "severity": ["enum": ["error", "warning"]], "rule": ["type": "string"],
            "message": ["type": "string"], "help": ["type": "string"],
            "path": ["type": "string"], "line": ["type": "integer"],
            "column": ["type": "integer"],
            "fixes": [
              "type": "array",
              "items": [
                "type": "object", "required": ["id", "title"],
                "properties": ["id": ["type": "string"], "title": ["type": "string"]],
              ],
            ],
          ],
        ],
      ]),
  ]

  private let diagnostics: [Diagnostic]
  private var items: [JSON] = []
  private var lines: [String] = []

  /// Offers fixes for diagnostics.
  ///
  /// - Parameters:
  ///   - limit: The largest number of diagnostics that are listed.
  ///   - unsaved: The path at which the session has a text that is not saved.
  ///   - fixes: The fixes that were offered; those of the diagnostics are added.
  init(
    _ diagnostics: [Diagnostic], of session: Session, limit: Int, unsaved: String? = nil,
    fixes: inout OfferedFixes
  ) {
    self.diagnostics = diagnostics
    var places = SourcePlaces(session.workspace)
    for diagnostic in diagnostics.prefix(limit) {
      let offered = Self.fixes(of: diagnostic, in: session).map { fix in
        var fix = fix
        fix.isUnsaved = fix.path == unsaved
        return (id: fixes.add(fix), title: fix.title)
      }
      add(diagnostic, at: places.place(of: diagnostic.primarySpan), offered)
    }
  }

  private static func fixes(
    of diagnostic: Diagnostic, in session: Session
  ) -> [OfferedFixes.Fix] {
    guard let range = session.fileRange(of: diagnostic.primarySpan),
      let bytes = session.workspace[diagnostic.primarySpan.source]?.fileBytes
    else { return [] }
    return session.codeActions(in: range).compactMap { action in
      guard action.kind == .quickFix, action.diagnostic == diagnostic else { return nil }
      return OfferedFixes.Fix(action, path: range.path, bytes: bytes)
    }
  }

  private mutating func add(
    _ diagnostic: Diagnostic, at place: SourcePlaces.Place?, _ fixes: [(id: String, title: String)]
  ) {
    let severity = diagnostic.severity.rawValue
    var members: [JSON.Member] = [
      .init("severity", .string(severity)), .init("rule", .string(diagnostic.rule)),
      .init("message", .string(diagnostic.message)),
    ]
    if let help = diagnostic.help { members.append(.init("help", .string(help))) }
    members += place?.members ?? []
    let items: [JSON] = fixes.map { ["id": .string($0.id), "title": .string($0.title)] }
    self.items.append(.object(members + [.init("fixes", .list(items))]))
    let prefix = place.map { "\($0.path):\($0.line):\($0.column): " } ?? ""
    lines.append("\(prefix)\(severity): \(diagnostic.message) [\(diagnostic.rule)]")
    if let place, !place.text.isEmpty { lines.append("    \(place.text)") }
    if let help = diagnostic.help { lines.append("  help: \(help)") }
    lines += fixes.map { "  \($0.id): \($0.title)" }
  }

  private var errorCount: Int { diagnostics.count { $0.severity == .error } }

  /// The report as text.
  var text: String {
    if diagnostics.isEmpty { return "There are no errors and no warnings." }
    let warnings = diagnostics.count - errorCount
    var text = "\(errorCount.counted("error")), \(warnings.counted("warning"))\n"
    text += lines.joined(separator: "\n")
    let rest = diagnostics.count - items.count
    return rest == 0 ? text : text + "\n… and \(rest) more"
  }

  /// The report as the members of a result.
  var members: [JSON.Member] {
    [
      .init("errors", .int(errorCount)), .init("warnings", .int(diagnostics.count - errorCount)),
      .init("diagnostics", .list(items)),
    ]
  }
}
