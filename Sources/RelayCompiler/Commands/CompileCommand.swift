extension Command {
  /// The `compile` command, which generates Swift for the documents of a project or of one target.
  package static let compile = Command(
    name: "compile",
    syntax: "[--config FILE] [--schema FILE] [--output DIRECTORY] [--validate] "
      + "[--strict-schema] [--module NAME] [--import MODULE PATH]… [--file PATH NAME]…",
    hiddenSyntax: "[--import-schema MODULE PATH]…",
    summary:
      "Generates Swift from the graphql tags and .graphql files that relay.config.json names.",
    explanations: [
      "--validate": "Writes no files, and fails if the generated files are out of date.",
      "--module": "The name of the module that the generated code belongs to.",
      "--import":
        "A source file of another module, or its relay.config.json: its fragments can be used. Repeat it for each file, dependencies first.",
      "--file":
        "A file to compile, and the name of the file generated for it. Without it, everything under \"src\" is compiled.",
    ]
  ) { try CompileJob(CompileOptions($0)).run() }
}

extension CompileOptions {
  /// Reads the options that a command supports.
  package init(_ arguments: Arguments) {
    self.init()
    config = arguments["--config"]
    schema = arguments["--schema"]
    output = arguments["--output"]
    isValidating = arguments.has("--validate")
    isSchemaStrict = arguments.has("--strict-schema")
    module = arguments["--module"]
    files = arguments.all("--file").map { ($0[0], $0[1]) }
    imports = arguments.all("--import").map { ($0[0], $0[1]) }
    for schema in arguments.all("--import-schema") { importedSchemas[schema[0]] = schema[1] }
  }
}

/// Runs `relay-compile`, a `relay-compiler` with only the `compile` command.
///
/// - Returns: The output to print and the exit code.
package func runCompile(_ arguments: [String]) -> CommandResult {
  Command.run(arguments, of: [.compile], as: "relay-compile")
}
