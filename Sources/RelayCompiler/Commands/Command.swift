import GraphQLLanguage

/// A subcommand of `relay-compiler`.
struct Command: Sendable {
  let name: String
  let usage: String
  let summary: String
  let run: @Sendable (_ arguments: [String]) -> CommandResult

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
  guard let name = arguments.first else { return CommandResult(.usage, errors: helpText) }
  if name == "--help" || name == "-h" || name == "help" {
    return CommandResult(.success, output: helpText)
  }
  if name == "--version" {
    let (release, format) = (CompilerVersion.release, CompilerVersion.format)
    return CommandResult(
      .success, output: "relay-compiler \(release), generated code \(format)\n")
  }
  guard let command = Command.all.first(where: { $0.name == name }) else {
    let question = didYouMean(suggestions(for: name, among: Command.all.map(\.name)))
    return CommandResult(
      .usage,
      errors: "error: Unknown command \"\(name)\".\(question.map { " " + $0 } ?? "") "
        + "\"relay-compiler help\" lists the commands.\n")
  }
  if arguments.dropFirst().contains("--help") {
    return CommandResult(.success, output: "usage: \(command.usage)\n\n\(command.summary)\n")
  }
  return command.run(Array(arguments.dropFirst()))
}

private var helpText: String {
  let commands = Command.all.map { "  \($0.usage)\n      \($0.summary)\n" }
  return "usage: relay-compiler COMMAND …\n       relay-compiler --version\n\n" + commands.joined()
}
