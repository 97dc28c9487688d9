import GraphQLLanguage

/// The text that `watch` prints about one compilation after another, in which nothing is repeated.
struct WatchReport {
  /// The number of files that are listed by name.
  private static let nameLimit = 5

  /// The text of the errors that were printed last; empty after a compilation without errors.
  private var errors = ""
  /// The texts of the warnings of the last compilation.
  private var warnings: Set<String> = []

  /// Returns the errors if they differ from those before, with their number, and the new warnings.
  mutating func text(of diagnostics: [Diagnostic], _ renderer: DiagnosticRenderer) -> String {
    let texts = diagnostics.map { (diagnostic: $0, text: renderer.text($0)) }
    let isError = { (diagnostic: Diagnostic) in diagnostic.severity == .error }
    let errors = texts.filter { isError($0.diagnostic) }
    let ending = change(of: errors.map(\.text).joined(), count: errors.count)
    let shown = texts.filter {
      isError($0.diagnostic) ? ending != "" : !warnings.contains($0.text)
    }
    warnings = Set(texts.lazy.filter { !isError($0.diagnostic) }.map(\.text))
    return shown.map(\.text).joined() + ending
  }

  /// Returns an error that ended a compilation, unless it was printed last.
  mutating func text(ofError text: String) -> String {
    change(of: text, count: 1) == "" ? "" : text
  }

  /// - Returns: The line about the number of errors; empty if the errors are the same as before.
  private mutating func change(of errors: String, count: Int) -> String {
    if errors == self.errors { return "" }
    self.errors = errors
    return count == 0 ? "There are no errors any more.\n" : count.counted("error") + "\n"
  }

  /// Returns the lines about files, and the number of those left out.
  static func list(_ lines: [String]) -> String {
    let rest = lines.count - nameLimit
    let shown = rest > 1 ? lines.prefix(nameLimit) : lines[...]
    return shown.map { "\($0)\n" }.joined() + (rest > 1 ? "… and \(rest) more\n" : "")
  }
}
