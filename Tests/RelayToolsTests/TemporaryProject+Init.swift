@testable import RelayCompiler
@testable import RelayTools

extension TemporaryProject {
  /// Creates a folder that contains only the given files.
  convenience init(only files: [String: String]) throws {
    try self.init([:])
    try remove("relay.config.json")
    try remove("schema.graphql")
    try write(files)
  }

  /// Runs `init` in the folder, or in one of its subfolders.
  func initialize(_ arguments: [String] = [], in path: String = "") -> CommandResult {
    do {
      let arguments = try Arguments(arguments, syntax: Command.initialize.syntax)
      let job = try InitJob(
        schema: arguments["--schema"], headers: try arguments.headers(), src: arguments["--src"],
        in: path.isEmpty ? folder : folder.appendingPathComponent(path))
      return try job.run()
    } catch {
      return CommandResult(.usage, errors: CommandResult.text(of: error))
    }
  }
}
