import RelayCompiler

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Command {
  /// The command `lsp`, which serves an editor.
  static let lsp = Command(
    name: "lsp", usage: "relay-compiler lsp",
    summary: """
      Serves an editor by the Language Server Protocol on standard input and output. It answers inside of graphql tags \
      and in .graphql files of the projects whose relay.config.json is in the editor's folders.
      """,
    run: runLSP)

  private static func runLSP(_ arguments: [String]) -> CommandResult {
    // Clients pass this argument to say that they use standard input and output.
    guard arguments.allSatisfy({ $0 == "--stdio" }) else {
      return .usage("\"lsp\" takes no arguments.", lsp.usage)
    }
    var loop = ServerLoop(input: STDIN_FILENO, output: STDOUT_FILENO)
    return result(usage: lsp.usage) {
      CommandResult(try loop.run() == 0 ? .success : .errors)
    }
  }
}
