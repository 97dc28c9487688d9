import RelayCompiler

extension Command {
  /// All subcommands, in the order in which help lists them.
  static let all: [Command] = [
    .initialize, .compile, .watch, .validate, .format, .explain, .unused, .operations, .print,
    .schema, .lsp, .mcp, .import,
  ]
}

/// Runs `relay-compiler` with the arguments that follow its own name.
///
/// - Returns: The texts to print and the exit code. The function itself prints nothing, except for
///   `lsp`, which uses standard input and output until the editor ends it.
public func runRelayCompiler(_ arguments: [String]) -> CommandResult {
  Command.run(arguments, of: Command.all)
}
