import Foundation
import RelayCompiler

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Command {
  /// The command `mcp`, which serves an assistant.
  static let mcp = Command(
    name: "mcp", usage: "relay-compiler mcp [--config FILE]",
    summary: """
      Serves an assistant by the Model Context Protocol on standard input and output: tools that search the schema, \
      validate, explain a definition, find usages and apply a fix. Without --config the project is that of \
      relay.config.json in the current directory, or of the only one below it.
      """,
    run: runMCP)

  private static func runMCP(_ arguments: [String]) -> CommandResult {
    var configuration: String?
    switch arguments.count {
    case 0: break
    case 2 where arguments[0] == "--config": configuration = arguments[1]
    default: return .usage("\"mcp\" takes only --config FILE.", mcp.usage)
    }
    let project = ContextProject(
      configuration: configuration, folder: FileManager.default.currentDirectoryPath)
    var loop = ContextServerLoop(
      ContextServer(project), input: STDIN_FILENO, output: STDOUT_FILENO)
    return result(usage: mcp.usage) {
      try loop.run()
      return CommandResult(.success)
    }
  }
}
