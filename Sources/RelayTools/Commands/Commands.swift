import RelayCompiler

extension Command {
  /// All commands, in the order of the help output.
  static let all: [Command] = [
    .initialize, .compile, .watch, .validate, .check, .format, .explain, .unused, .operations,
    .print, .schemaPrint, .schemaDownload, .lsp, .mcp, .import, .completion,
  ]
}

/// Runs `relay-compiler` with the arguments that follow its own name.
///
/// - Returns: The output to print and the exit code. Commands that run until they are stopped
///   (`lsp`, `mcp` and `watch`) print for themselves; the others leave printing to the caller.
public func runRelayCompiler(_ arguments: [String]) -> CommandResult {
  Command.run(arguments, of: Command.all)
}
