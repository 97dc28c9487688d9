import Foundation
import RelayCompiler

extension Command {
  /// The `lsp` command: serves an editor. Clients pass `--stdio` to select standard input and
  /// output.
  static let lsp = Command(
    name: "lsp", syntax: "", hiddenSyntax: "[--stdio]",
    summary: """
      Serves an editor over the Language Server Protocol on standard input and output. It works \
      inside graphql tags and in .graphql files of the projects whose relay.config.json is in the \
      editor's folders.
      """
  ) { _ in
    var loop = ServerLoop(input: STDIN_FILENO, output: STDOUT_FILENO)
    return CommandResult(try loop.run() == 0 ? .success : .errors)
  }
}
