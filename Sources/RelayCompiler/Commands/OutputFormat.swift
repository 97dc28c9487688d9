import GraphQLLanguage

/// How a command reports what it found.
enum OutputFormat: String, Sendable {
  /// For people, on standard error.
  case text
  /// For programs, on standard output.
  case json
}

extension CommandResult {
  /// Reports diagnostics and ends with ``ExitCode/errors`` when one is an error.
  static func diagnostics(
    _ diagnostics: [Diagnostic], in workspace: Workspace, format: OutputFormat
  ) -> CommandResult {
    let exitCode = diagnostics.hasErrors ? ExitCode.errors : .success
    let renderer = DiagnosticRenderer(workspace)
    switch format {
    case .text: return CommandResult(exitCode, errors: renderer.text(diagnostics))
    case .json: return CommandResult(exitCode, output: renderer.json(diagnostics))
    }
  }
}
