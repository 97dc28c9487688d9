import GraphQLLanguage

/// The diagnostics of a session and the fixes offered for them, formatted for an assistant.
struct DiagnosticReport {
  private let diagnostics: [Diagnostic]
  private var page: ResultPage

  /// Offers fixes for diagnostics.
  ///
  /// - Parameters:
  ///   - offset: The number of diagnostics to skip.
  ///   - limit: The largest number of diagnostics to list.
  ///   - unsaved: The path of the session's unsaved document.
  ///   - used: The number of characters that precede the report in the same result.
  ///   - fixes: The offered fixes; the fixes for these diagnostics are added.
  init(
    _ diagnostics: [Diagnostic], of session: Session, offset: Int = 0, limit: Int,
    unsaved: String? = nil, used: Int = 0, fixes: inout OfferedFixes
  ) {
    self.diagnostics = diagnostics
    page = ResultPage(
      offset: offset, of: diagnostics.count, "problem", limit: limit, used: used)
    var places = SourcePlaces(session.workspace)
    var formatted: [SourceID: Bool] = [:]
    for index in page.indices {
      let diagnostic = diagnostics[index]
      let offered = Self.fixes(of: diagnostic, in: session, &formatted).map { fix in
        var fix = fix
        fix.isUnsaved = fix.path == unsaved
        return (id: fixes.add(fix), title: fix.title)
      }
      let place = places.place(of: diagnostic.primarySpan)
      guard page.add(Self.text(of: diagnostic, at: place, offered)) else { break }
    }
  }

  private static func fixes(
    of diagnostic: Diagnostic, in session: Session, _ formatted: inout [SourceID: Bool]
  ) -> [OfferedFixes.Fix] {
    guard let source = session.workspace[diagnostic.primarySpan.source] else { return [] }
    return session.fixes(of: diagnostic, &formatted).compactMap {
      OfferedFixes.Fix($0, path: source.path, bytes: source.fileBytes)
    }
  }

  private static func text(
    of diagnostic: Diagnostic, at place: SourcePlaces.Place?, _ fixes: [(id: String, title: String)]
  ) -> String {
    let prefix = place.map { "\($0.path):\($0.line):\($0.column): " } ?? ""
    var lines = [
      "\(prefix)\(diagnostic.severity.rawValue): \(diagnostic.message) [\(diagnostic.rule)]"
    ]
    if let place, !place.text.isEmpty { lines.append("    \(place.text)") }
    if let help = diagnostic.help { lines.append("  help: \(help)") }
    lines += fixes.map { "  \($0.id): \($0.title)" }
    return lines.joined(separator: "\n")
  }

  /// The formatted report.
  var text: String {
    if diagnostics.isEmpty { return "No errors or warnings." }
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count - errors
    return "\(errors.counted("error")), \(warnings.counted("warning"))\n"
      + page.text { "Call validate with offset \($0) for them, or with path for a single file." }
  }
}
