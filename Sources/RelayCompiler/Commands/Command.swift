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
  ///   - program: The program's name.
  package static func run(
    _ arguments: [String], of commands: [Command], as program: String = "relay-compiler"
  ) -> CommandResult {
    let help = helpText(commands, program)
    guard let name = arguments.first else { return CommandResult(.usage, errors: help) }
    if name == "--help" || name == "-h" || name == "help" {
      return CommandResult(.success, output: help)
    }
    if name == "--version" {
      let (release, format) = (CompilerVersion.release, CompilerVersion.format)
      return CommandResult(
        .success, output: "\(program) \(release), generated code \(format)\n")
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      let question = didYouMean(suggestions(for: name, among: commands.map(\.name)))
      return CommandResult(
        .usage,
        errors: "error: Unknown command \"\(name)\".\(question.map { " " + $0 } ?? "") "
          + "\"\(program) help\" lists the commands.\n")
    }
    if arguments.dropFirst().contains("--help") {
      return CommandResult(
        .success, output: "usage: \(command.usage(program))\n\n\(command.summary)\n")
    }
    return command.run(Array(arguments.dropFirst()))
  }

  /// The usage, which begins with `relay-compiler`, with another program's name.
  private func usage(_ program: String) -> String {
    program + usage.dropFirst("relay-compiler".count)
  }

  private static func helpText(_ commands: [Command], _ program: String) -> String {
    let lines = commands.map { "  \($0.usage(program))\n      \($0.summary)\n" }
    return "usage: \(program) COMMAND …\n       \(program) --version\n\n" + lines.joined()
  }
}
