/// A renderer of diagnostics, as text for people and as JSON for programs.
///
/// Columns count from 1. In text they count UTF-8 bytes, like the Swift compiler's diagnostics,
/// which appear in the same log; in JSON they count UTF-16 units.
///
///     Feed.swift:12:7: error: Cannot query field "nam" on type "User". [fields-on-correct-type]
///        |
///     12 |       nam
///        |       ^^^
public struct DiagnosticRenderer {
  private let files: FileIndices

  /// Creates a renderer of diagnostics with spans in `workspace`.
  public init(_ workspace: Workspace) { files = FileIndices(workspace) }

  /// Returns the location of a span in its file, or `nil` if the span belongs to no source.
  public func location(of span: Span) -> SourceLocation? { files.location(of: span) }

  /// Renders diagnostics as text, each with a source excerpt.
  public func text(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(text(_:)).joined()
  }

  /// Renders a diagnostic as text.
  public func text(_ diagnostic: Diagnostic) -> String {
    let location = location(of: diagnostic.primarySpan)
    var text = location.map { "\($0): ".onOneLine } ?? ""
    let message = diagnostic.message.onOneLine
    text += "\(diagnostic.severity.rawValue): \(message) [\(diagnostic.rule)]\n"
    if diagnostic.isOneLine { return text }
    text += Excerpt(files: files, diagnostic: diagnostic).text
    if let help = diagnostic.help { text += "  help: \(help.onOneLine)\n" }
    return text
  }

  /// Renders diagnostics as one JSON object, `{"diagnostics": […]}`, with a final line feed.
  public func json(_ diagnostics: [Diagnostic]) -> String {
    let items = diagnostics.map { "  " + json($0) }
    return items.isEmpty
      ? "{\"diagnostics\": []}\n" : "{\"diagnostics\": [\n\(items.joined(separator: ",\n"))\n]}\n"
  }

  private func json(_ diagnostic: Diagnostic) -> String {
    let locations = diagnostic.locations.compactMap(location(of:)).map {
      "{\"file\": \(JSONString.quote($0.path)), \"line\": \($0.line), \"column\": \($0.column)}"
    }
    var members = [
      "\"severity\": \(JSONString.quote(diagnostic.severity.rawValue))",
      "\"rule\": \(JSONString.quote(diagnostic.rule))",
      "\"message\": \(JSONString.quote(diagnostic.message))",
      "\"locations\": [\(locations.joined(separator: ", "))]",
    ]
    if let help = diagnostic.help { members.append("\"help\": \(JSONString.quote(help))") }
    return "{\(members.joined(separator: ", "))}"
  }
}

/// JSON for diagnostics.
enum JSONString {
  /// Returns a string as a JSON string literal.
  static func quote(_ value: String) -> String {
    value.quoted(hasShortEscapes: false, escaping: \.isControl)
  }
}
