import Foundation
import RelayCompiler

extension Command {
  /// The `mcp` command: serves an assistant.
  static let mcp = Command(
    name: "mcp", syntax: "[--config FILE]",
    summary: """
      Serves an assistant over the Model Context Protocol on standard input and output: tools that \
      search the schema, validate, explain a definition, find usages and apply a fix. Without \
      --config, uses the relay.config.json in the current directory, or the only one below it.
      """,
    explanations: [
      "--config":
        "The project's configuration. Without it: relay.config.json in the current directory, or the only one below it."
    ]
  ) { arguments in
    let project = ContextProject(
      configuration: arguments["--config"], folder: FileManager.default.currentDirectoryPath)
    var loop = ContextServerLoop(
      ContextServer(project), input: STDIN_FILENO, output: STDOUT_FILENO)
    try loop.run()
    return CommandResult(.success)
  }
}
