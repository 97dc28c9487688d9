/// The format of the findings.
enum CheckFormat: String, CaseIterable {
  /// Human-readable, on standard error.
  case text
  /// JSON for programs, on standard output.
  case json
  /// The Static Analysis Results Interchange Format, on standard output.
  case sarif
  /// Workflow commands of GitHub Actions, on standard output.
  case github

  /// The formats in the syntax of a command.
  static let syntax = allCases.map(\.rawValue).joined(separator: "|")
}
