import Foundation
import GraphQLLanguage

extension Command {
  /// The command `compile`, which generates Swift for the documents of a project or of one target.
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

  /// Returns the result of `body`, or a result that reports the error `body` throws.
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
  /// An error in the arguments.
  struct Mistake: Error {
    let message: String
  }

  var config: String?
  var schema: String?
  var output: String?
  /// Whether the command only checks that the generated files are up to date, and writes nothing.
  var isValidating = false
  /// Whether invalid default values and directives in the server's schema are errors.
  var isSchemaStrict = false
  /// The files to compile, each with the name of its generated file; when empty, every file under
  /// `src` is compiled.
  var files: [(path: String, name: String)] = []
  /// The module that the generated code belongs to.
  var module: String?
  /// The files of other modules whose fragments and types the documents may use, dependencies
  /// first.
  var imports: [(module: String, path: String)] = []

  /// Creates the options of a command without arguments.
  init() {}

  /// Parses command-line arguments.
  ///
  /// - Throws: ``Mistake`` when an argument is unknown or lacks its value.
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
