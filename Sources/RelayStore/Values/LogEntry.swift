#if canImport(os)
  import os
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A log entry: one line without values.
package protocol LogEntry: Sendable, CustomStringConvertible {
  /// Whether the entry reports a failure or a probable mistake.
  var isProblem: Bool { get }
}

extension LogEntry {
  /// Writes the entry as one line to standard error, so that it does not mix with the output of a
  /// command-line tool. One system call writes the line, so no other thread's line can split it.
  package func writeToStandardError() {
    let line = Array("RelayStore: \(self)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  #if canImport(os)
    /// Writes the entry to the unified log: a problem as an error, any other entry for debugging.
    ///
    /// The message is public, because entries contain names of operations and types, but no values.
    package func log(to logger: Logger) {
      let text = description
      if isProblem {
        logger.error("\(text, privacy: .public)")
      } else {
        logger.debug("\(text, privacy: .public)")
      }
    }
  #endif
}
