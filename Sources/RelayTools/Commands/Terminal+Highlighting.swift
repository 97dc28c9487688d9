import Foundation
import RelayCompiler

/// Returns messages for standard error, with their severities in color on a terminal.
package func highlightedErrors(_ text: String) -> String {
  Terminal(STDERR_FILENO).highlighted(text)
}

extension Terminal {
  /// Returns diagnostics and messages with their severities in color, if the terminal has colors.
  func highlighted(_ text: String) -> String {
    guard hasColors else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(highlightedLine)
      .joined(separator: "\n")
  }

  private static let codes = [
    ("error: ", "1;31"), ("usage: ", "1"), ("warning: ", "1;33"), ("help: ", "1;36"),
  ]

  private func highlightedLine(_ line: Substring) -> String {
    let gutter = line.drop { $0 == " " || $0.isNumber }
    if gutter.hasPrefix("|") {
      // The marks below an excerpt of a source; the excerpt itself stays as it is.
      let marks = gutter.dropFirst().drop { $0 == " " }
      guard !marks.isEmpty, marks.allSatisfy({ $0 == "^" }) else { return String(line) }
      return line.dropLast(marks.count) + styled(String(marks), "1;31")
    }
    for (word, code) in Self.codes {
      guard let range = line.firstRange(of: word) else { continue }
      let start = line[..<range.lowerBound]
      guard start.allSatisfy({ $0 == " " }) || start.hasSuffix(": ") else { continue }
      return bold(String(start)) + styled(String(line[range].dropLast()), code) + " "
        + line[range.upperBound...]
    }
    return String(line)
  }
}
