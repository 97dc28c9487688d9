/// The mistakes in a server's schema that do not prevent validating documents. Document authors can
/// seldom fix them.
enum ServerMistakes {
  private static let rules: Set<String> = [
    "default-values", "known-directives", "known-argument-names-on-directives",
    "provided-required-arguments-on-directives",
  ]

  /// Turns such mistakes into one-line warnings, one per cause.
  ///
  /// - Parameter sources: The server's sources. Diagnostics without a location also count as the
  ///   server's.
  /// - Complexity: O(*n*) in the diagnostics.
  static func downgraded(_ diagnostics: [Diagnostic], in sources: Set<SourceID>) -> [Diagnostic] {
    if sources.isEmpty { return diagnostics }
    var result: [Diagnostic] = []
    var causes: [String: (index: Int, count: Int)] = [:]
    for diagnostic in diagnostics {
      let isServers =
        !diagnostic.primarySpan.isKnown || sources.contains(diagnostic.primarySpan.source)
      guard isServers, rules.contains(diagnostic.rule) else {
        result.append(diagnostic)
        continue
      }
      let cause = diagnostic.rule + " " + diagnostic.message
      if let first = causes[cause] {
        causes[cause]?.count = first.count + 1
        continue
      }
      causes[cause] = (result.count, 1)
      var warning = diagnostic
      warning.severity = .warning
      warning.isOneLine = true
      result.append(warning)
    }
    for (index, count) in causes.values where count > 1 {
      result[index].message += " This occurs in \(count) places in the schema."
    }
    return result
  }
}
