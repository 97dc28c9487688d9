@testable import RelayCompiler
@testable import RelayTools

extension TemporaryProject {
  /// Creates a folder that has only the given files.
  convenience init(only files: [String: String]) throws {
    try self.init([:])
    try remove("relay.config.json")
    try remove("schema.graphql")
    try write(files)
  }

  /// Runs `init` in the folder.
  func initialize(_ arguments: [String] = []) -> CommandResult {
    Command.result(usage: "") { try InitJob(InitOptions(arguments), in: folder).run() }
  }
}
