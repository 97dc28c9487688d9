import Foundation
import GraphQLLanguage

extension Command {
  /// The command `compile`, which generates Swift for the documents of a project or of one target.
  package static let compile = Command(
    name: "compile", usage: compileUsage,
    summary:
      "Generates Swift from the graphql tags and .graphql files that relay.config.json names.",
    run: runCompile)

  fileprivate static let compileUsage =
    "relay-compiler compile [--config FILE] [--schema FILE] [--output DIRECTORY] [--validate] "
    + "[--strict-schema] [--module NAME] [--import MODULE PATH]… [--file PATH NAME]…"

  private static func runCompile(_ arguments: [String]) -> CommandResult {
    result(usage: compileUsage) { try CompileJob(CompileOptions(arguments)).run() }
  }

  /// Returns the result of `body`, or a result that reports the error `body` throws.
  package static func result(usage: String, _ body: () throws -> CommandResult) -> CommandResult {
    do {
      return try body()
    } catch let error as CompileOptions.Mistake {
      return .usage(error.message, usage)
    } catch let error as FileError {
      return CommandResult(.usage, errors: "error: \(error.message)\n")
    } catch let error as ConfigurationError {
      let isPlaced = error.description.contains("error: ")
      return CommandResult(.usage, errors: (isPlaced ? "" : "error: ") + "\(error.description)\n")
    } catch {
      return CommandResult(.usage, errors: "error: \(error.localizedDescription)\n")
    }
  }
}

/// Runs `relay-compile`, which is `relay-compiler` with the command `compile` alone.
///
/// - Returns: The output to print and the exit code.
package func runCompile(_ arguments: [String]) -> CommandResult {
  Command.run(arguments, of: [.compile], as: "relay-compile")
}
