import RelayCompiler
import RelayTools

extension TemporaryProject {
  /// Runs a command with the project's configuration.
  func run(_ command: String, _ arguments: [String] = []) -> CommandResult {
    runRelayCompiler([command, "--config", configuration] + arguments)
  }
}
