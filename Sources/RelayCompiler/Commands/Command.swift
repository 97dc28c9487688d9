import GraphQLLanguage

/// A subcommand of `relay-compiler`.
package struct Command: Sendable {
  let name: String
  package let usage: String
  let summary: String
  let run: @Sendable (_ arguments: [String]) -> CommandResult

  /// Creates a command.
  package init(
    name: String, usage: String, summary: String,
    run: @escaping @Sendable (_ arguments: [String]) -> CommandResult
  ) {
    self.name = name
    self.usage = usage
    self.summary = summary
    self.run = run
  }

  /// Runs the command that the first argument names.
  ///
  /// - Parameters:
  ///   - arguments: The arguments that follow the program's own name.
  ///   - commands: The program's commands, in the order in which help lists them.
  package static func run(_ arguments: [String], of commands: [Command]) -> CommandResult {
    let help = helpText(commands)
    guard let name = arguments.first else { return CommandResult(.usage, errors: help) }
    if name == "--help" || name == "-h" || name == "help" {
      return CommandResult(.success, output: help)
    }
    if name == "--version" {
      let (release, format) = (CompilerVersion.release, CompilerVersion.format)
      return CommandResult(
        .success, output: "relay-compiler \(release), generated code \(format)\n")
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      let question = didYouMean(suggestions(for: name, among: commands.map(\.name)))
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

  private static func helpText(_ commands: [Command]) -> String {
    let lines = commands.map { "  \($0.usage)\n      \($0.summary)\n" }
    return "usage: relay-compiler COMMAND …\n       relay-compiler --version\n\n" + lines.joined()
  }
}
