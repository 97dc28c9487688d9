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

/// An entry of a log: one line, which contains no values.
package protocol LogEntry: Sendable, CustomStringConvertible {
  /// Whether the entry reports a failure or a probable mistake.
  var isProblem: Bool { get }
}

extension LogEntry {
  /// Writes the entry on one line of standard error, so that it is not mixed with the output of a
  /// command-line tool. The line is one call of the system, which no other thread's line divides.
  package func writeToStandardError() {
    let line = Array("RelayStore: \(self)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  #if canImport(os)
    /// Writes the entry to the unified log: a problem as an error, any other entry for debugging.
    ///
    /// The text is public, because entries contain names of operations and types, and no values.
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
