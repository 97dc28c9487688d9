/// The arguments of `compile`.
package struct CompileOptions {
  /// An error in the arguments.
  package struct Mistake: Error {
    let message: String

    package init(message: String) { self.message = message }
  }

  package var config: String?
  var schema: String?
  package var output: String?
  /// Whether the command only checks that the generated files are up to date, and writes nothing.
  package var isValidating = false
  /// Whether invalid default values and directives in the server's schema are errors.
  package var isSchemaStrict = false
  /// The files to compile, each with the name of its generated file; when empty, every file under
  /// `src` is compiled.
  package var files: [(path: String, name: String)] = []
  /// The module that the generated code belongs to.
  var module: String?
  /// The files of other modules whose fragments and types the documents may use, dependencies
  /// first.
  package var imports: [(module: String, path: String)] = []
  /// The schemas of other modules without a configuration, by module.
  var importedSchemas: [String: String] = [:]

  /// Creates the options of a command without arguments.
  package init() {}

  /// Parses command-line arguments.
  ///
  /// - Throws: ``Mistake`` when an argument is unknown or lacks its value.
  package init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
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
      case "--import-schema": importedSchemas[try value()] = try value()
      case "--file": files.append((try value(), try value()))
      default: throw Mistake(message: "Unknown argument \"\(argument)\".")
      }
    }
  }
}
