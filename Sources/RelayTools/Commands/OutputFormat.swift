import GraphQLLanguage
import RelayCompiler

/// The format of a command's diagnostics.
enum OutputFormat: String, Sendable {
  /// Human-readable, on standard error.
  case text
  /// JSON for programs, on standard output.
  case json
}

extension Arguments {
  /// The format that `--format` names.
  var format: OutputFormat { self["--format"].flatMap(OutputFormat.init) ?? .text }

  /// Returns the only operand.
  ///
  /// - Throws: `Mistake` unless there is exactly one.
  func file() throws(Mistake) -> String {
    guard operands.count == 1 else { throw Mistake("Name one file.") }
    return operands[0]
  }
}

extension CommandResult {
  /// Returns the result that reports diagnostics. Its code is ``ExitCode/errors`` when one of them
  /// is an error.
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
