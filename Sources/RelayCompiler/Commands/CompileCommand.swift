import Foundation
import GraphQLLanguage

extension Command {
  /// Generates Swift for the documents of a project or of one target.
  static let compile = Command(
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

  /// What `body` returns, or how its error is shown.
  static func result(usage: String, _ body: () throws -> CommandResult) -> CommandResult {
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

/// The arguments of `compile`.
struct CompileOptions {
  /// What is wrong with the arguments.
  struct Mistake: Error {
    let message: String
  }

  var config: String?
  var schema: String?
  var output: String?
  /// Fails when the generated files are out of date, and writes nothing.
  var isValidating = false
  /// Whether mistakes in the server's schema that documents do not feel are errors.
  var isSchemaStrict = false
  /// The files to compile and what is generated from each; empty for all under `src`.
  var files: [(path: String, name: String)] = []
  /// The module that the code is for.
  var module: String?
  /// Files of other modules whose fragments and types may be used, dependencies first.
  var imports: [(module: String, path: String)] = []

  /// No arguments.
  init() {}

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else {
          throw Mistake(message: "\"\(argument)\" needs a value.")
        }
        return value
      }
      switch argument {
      case "--config": config = try value()
      case "--schema": schema = try value()
      case "--output": output = try value()
      case "--validate": isValidating = true
      case "--strict-schema": isSchemaStrict = true
      case "--module": module = try value()
      case "--import": imports.append((try value(), try value()))
      case "--file": files.append((try value(), try value()))
      default: throw Mistake(message: "Unknown argument \"\(argument)\".")
      }
    }
  }
}
