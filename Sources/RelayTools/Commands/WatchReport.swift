import GraphQLLanguage

/// The output of `watch` over successive compilations, without repetitions.
struct WatchReport {
  /// The largest number of files listed by name.
  private static let nameLimit = 5

  /// The errors printed last; empty after a compilation without errors.
  private var errors = ""
  /// The warnings of the last compilation.
  private var warnings: Set<String> = []

  /// Returns the errors with their count if they differ from the previous ones, and the new
  /// warnings.
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

  /// Returns an error that ended a compilation, unless it was also printed last.
  mutating func text(ofError text: String) -> String {
    change(of: text, count: 1) == "" ? "" : text
  }

  /// - Returns: The line about the number of errors; empty if the errors have not changed.
  private mutating func change(of errors: String, count: Int) -> String {
    if errors == self.errors { return "" }
    self.errors = errors
    return count == 0 ? "No more errors.\n" : count.counted("error") + "\n"
  }

  /// Returns the lines about files, and how many were left out.
  static func list(_ lines: [String]) -> String {
    let rest = lines.count - nameLimit
    let shown = rest > 1 ? lines.prefix(nameLimit) : lines[...]
    return shown.map { "\($0)\n" }.joined() + (rest > 1 ? "… and \(rest) more\n" : "")
  }
}
