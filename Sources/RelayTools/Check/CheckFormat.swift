/// The format of the findings on standard output.
enum CheckFormat: String, CaseIterable {
  /// Human-readable.
  case text
  /// JSON for programs.
  case json
  /// The Static Analysis Results Interchange Format.
  case sarif
  /// Workflow commands of GitHub Actions.
  case github

  /// The formats in the syntax of a command.
  static let syntax = allCases.map(\.rawValue).joined(separator: "|")
}
