import Foundation
import RelayCompiler

extension Command {
  /// The command `init`, which sets up a project in the current folder.
  static let initialize = Command(
    name: "init", usage: initUsage,
    summary: """
      Sets up a project in the current folder: finds its schema and its sources, or downloads the schema from the \
      URL of a server, writes relay.config.json, and says what else to do. It changes no other file.
      """,
    run: runInit)

  private static let initUsage = "relay-compiler init [--schema FILE|URL] [--src DIRECTORY]"

  private static func runInit(_ arguments: [String]) -> CommandResult {
    result(usage: initUsage) {
      try InitJob(InitOptions(arguments), in: Project.url(".")).run()
    }
  }
}

/// The arguments of `init`.
struct InitOptions {
  /// A path, or a URL that begins with `http://` or `https://`.
  var schema: String?
  var src: String?

  /// Parses command-line arguments.
  ///
  /// - Throws: ``CompileOptions/Mistake`` when an argument is unknown or lacks its value.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else {
          throw CompileOptions.Mistake(message: "\"\(argument)\" needs a value.")
        }
        return value
      }
      switch argument {
      case "--schema": schema = try value()
      case "--src": src = try value()
      default: throw CompileOptions.Mistake(message: "Unknown argument \"\(argument)\".")
      }
    }
  }
}
