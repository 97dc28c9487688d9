import Foundation

/// The output and the exit code of a command.
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

  /// The code with which the process exits.
  public var exitCode: ExitCode
  /// The text for standard output.
  public var output: String
  /// The text for standard error.
  public var errors: String
  /// A value that lives as long as the result.
  private var kept = Kept()

  /// A value that neither equality nor hashing takes into account.
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

  /// Lets a value live as long as the result, so that it is not deallocated before the process
  /// exits.
  package mutating func keep(_ value: any Sendable) { kept.value = value }

  /// Returns the text of an error that ended a command.
  package static func text(of error: any Error) -> String {
    switch error {
    case let error as FileError: "error: \(error.message)\n"
    case let error as ConfigurationError:
      (error.description.contains("error: ") ? "" : "error: ") + "\(error.description)\n"
    default: "error: \(error.localizedDescription)\n"
    }
  }

  /// Prints the texts and ends the process. The exit code is ``ExitCode/usage`` if the output cannot
  /// be written.
  package func printAndExit() -> Never {
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
    // There is no other place to report that this one failed.
    try? writeAll(Array(errors.utf8), to: STDERR_FILENO, named: "<stderr>")
    exit(exitCode.rawValue)
  }
}
