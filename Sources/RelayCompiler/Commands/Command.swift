import GraphQLLanguage

/// A command of `relay-compiler`.
package struct Command: Sendable {
  let name: String
  /// The second word of a command whose name is shared with others; otherwise empty.
  let action: String
  /// The options and operands, in the syntax of ``Arguments``.
  package let syntax: String
  /// Options that are accepted but not listed in help.
  let hiddenSyntax: String
  let summary: String
  let run: @Sendable (_ arguments: Arguments) throws -> CommandResult

  /// Creates a command.
  package init(
    name: String, action: String = "", syntax: String, hiddenSyntax: String = "", summary: String,
    run: @escaping @Sendable (_ arguments: Arguments) throws -> CommandResult
  ) {
    self.name = name
    self.action = action
    self.syntax = syntax
    self.hiddenSyntax = hiddenSyntax
    self.summary = summary
    self.run = run
  }

  /// Runs the command named by the first argument.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's own name.
  ///   - commands: The program's commands, in the order help lists them.
  ///   - program: The program's name.
  package static func run(
    _ arguments: [String], of commands: [Command], as program: String = "relay-compiler"
  ) -> CommandResult {
    let help =
      "usage: \(program) COMMAND …\n       \(program) --version\n\n"
      + commands.map { "  \($0.usage(program))\n      \($0.summary)\n" }.joined()
    guard let name = arguments.first else { return CommandResult(.usage, errors: help) }
    if name == "--help" || name == "-h" || name == "help" {
      return CommandResult(.success, output: help)
    }
    if name == "--version" {
      let (release, format) = (CompilerVersion.release, CompilerVersion.format)
      return CommandResult(
        .success, output: "\(program) \(release), generated code \(format)\n")
    }
    let named = commands.filter { $0.name == name }
    if named.isEmpty {
      let question = didYouMean(suggestions(for: name, among: commands.map(\.name)))
      return CommandResult(
        .usage,
        errors: "error: Unknown command \"\(name)\".\(question.map { " " + $0 } ?? "") "
          + "\"\(program) help\" lists the commands.\n")
    }
    if arguments.dropFirst().contains("--help") {
      let texts = named.map { "usage: \($0.usage(program))\n\n\($0.summary)\n" }
      return CommandResult(.success, output: texts.joined(separator: "\n"))
    }
    let rest = Array(arguments.dropFirst())
    if let command = named.first(where: \.action.isEmpty) { return command.run(rest, as: program) }
    guard let command = named.first(where: { $0.action == rest.first }) else {
      let actions = named.map(\.action).joined(separator: " or ")
      let usages = named.map { $0.usage(program) }.joined(separator: "\n       ")
      return CommandResult(
        .usage, errors: "error: \"\(name)\" takes \(actions).\nusage: \(usages)\n")
    }
    return command.run(Array(rest.dropFirst()), as: program)
  }

  private func run(_ arguments: [String], as program: String) -> CommandResult {
    do {
      return try run(Arguments(arguments, syntax: hiddenSyntax + " " + syntax))
    } catch let mistake as Arguments.Mistake {
      return CommandResult(
        .usage, errors: "error: \(mistake.message)\nusage: \(usage(program))\n")
    } catch {
      return CommandResult(.usage, errors: CommandResult.text(of: error))
    }
  }

  private func usage(_ program: String) -> String {
    [program, name, action, syntax].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
