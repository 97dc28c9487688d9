import Foundation

/// The output and exit code of a command.
public struct CommandResult: Hashable, Sendable {
  /// The exit codes of `relay-compiler`.
  public enum ExitCode: Int32, Hashable, Sendable {
    /// The command found no errors.
    case success = 0
    /// The documents have errors.
    case errors = 1
    /// The arguments are wrong, or a file cannot be read or written.
    case usage = 2
  }

  /// The process's exit code.
  public var exitCode: ExitCode
  /// The contents of standard output.
  public var output: String
  /// The contents of standard error.
  public var errors: String
  /// A value retained until the result is released.
  private var kept = Kept()

  /// A value that equality and hashing ignore.
  private struct Kept: Hashable, Sendable {
    var value: (any Sendable)?

    static func == (left: Kept, right: Kept) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// Creates a result.
  public init(_ exitCode: ExitCode, output: String = "", errors: String = "") {
    self.exitCode = exitCode
    self.output = output
    self.errors = errors
  }

  /// Retains a value for the lifetime of the result, so that it is not deallocated before the
  /// process exits.
  package mutating func keep(_ value: any Sendable) { kept.value = value }

  /// Returns the message to print for an error that ended a command.
  package static func text(of error: any Error) -> String {
    switch error {
    case let error as FileError: "error: \(error.message.onOneLine)\n"
    case let error as ConfigurationError:
      (error.description.contains("error: ") ? "" : "error: ") + "\(error.description)\n"
    default: "error: \(error.localizedDescription.onOneLine)\n"
    }
  }

  /// Prints both outputs and ends the process. The exit code is ``ExitCode/usage`` if standard
  /// output cannot be written.
  ///
  /// - Parameter highlighted: Returns the contents of standard error for a terminal.
  package func printAndExit(_ highlighted: (String) -> String = { $0 }) -> Never {
    var (errors, exitCode) = (errors, exitCode)
    do throws(FileError) {
      if !output.isEmpty {
        try writeStandardOutput(output)
        try closeStandardOutput()
      }
    } catch {
      errors += "error: \(error.message)\n"
      exitCode = .usage
    }
    // A failure to write standard error has nowhere to be reported.
    try? writeAll(Array(highlighted(errors).utf8), to: STDERR_FILENO, named: "<stderr>")
    exit(exitCode.rawValue)
  }
}
