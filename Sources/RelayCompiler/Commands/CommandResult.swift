/// What a command prints and how it ends.
public struct CommandResult: Hashable, Sendable {
  /// The codes a command ends with.
  public enum ExitCode: Int32, Hashable, Sendable {
    /// Nothing is wrong.
    case success = 0
    /// The documents have errors.
    case errors = 1
    /// The arguments are wrong, or a file cannot be read or written.
    case usage = 2
  }

  /// How the command ended.
  public var exitCode: ExitCode
  /// The text for standard output.
  public var output: String
  /// The text for standard error.
  public var errors: String
  /// What the command made, which lives as long as the result.
  var kept = Kept()

  /// A value that makes no difference to what holds it.
  struct Kept: Hashable, Sendable {
    var value: (any Sendable)?

    static func == (left: Kept, right: Kept) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// A result.
  public init(_ exitCode: ExitCode, output: String = "", errors: String = "") {
    self.exitCode = exitCode
    self.output = output
    self.errors = errors
  }

  /// A mistake in the arguments: a message and the command's usage.
  static func usage(_ message: String, _ usage: String) -> CommandResult {
    CommandResult(.usage, errors: "error: \(message)\nusage: \(usage)\n")
  }
}
