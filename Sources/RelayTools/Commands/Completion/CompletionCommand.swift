import RelayCompiler

extension Command {
  /// The `completion` command: prints the script with which a shell completes arguments.
  static let completion = Command(
    name: "completion", syntax: "bash|zsh|fish",
    summary: """
      Prints a script with which a shell completes commands, options and their values. Load it in \
      the shell's start-up file: eval "$(relay-compiler completion bash)" in ~/.bashrc, the same \
      with zsh in ~/.zshrc after compinit, or relay-compiler completion fish | source in \
      ~/.config/fish/config.fish.
      """,
    explanations: ["bash|zsh|fish": "The shell."]
  ) { arguments in
    guard arguments.operands.count == 1,
      let shell = CompletionShell(rawValue: arguments.operands[0])
    else { throw Arguments.Mistake("Name one shell: bash, zsh or fish.") }
    return CommandResult(.success, output: shell.script(for: Command.all))
  }
}

/// A shell with a completion script.
enum CompletionShell: String, CaseIterable {
  case bash, zsh, fish

  /// Returns the script that completes the arguments of `relay-compiler`.
  func script(for commands: [Command]) -> String {
    let topics = CompletionTopic.all(of: commands)
    return switch self {
    case .bash: BashCompletion(topics).script
    case .zsh: ZshCompletion(topics).script
    case .fish: FishCompletion(topics).script
    }
  }
}
