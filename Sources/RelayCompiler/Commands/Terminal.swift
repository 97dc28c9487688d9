import Foundation

/// The terminal, pipe or file that a command prints to.
package struct Terminal: Sendable {
  /// The number of columns.
  package var width: Int
  var hasColors: Bool
  /// Whether lines can be replaced after they were printed.
  var canReplaceLines: Bool

  package init(width: Int = 80, hasColors: Bool = false, canReplaceLines: Bool = false) {
    self.width = width
    self.hasColors = hasColors
    self.canReplaceLines = canReplaceLines
  }

  /// Describes a descriptor. The environment may set the width (`COLUMNS`), and turn colors off
  /// (`NO_COLOR`, `CLICOLOR=0`, `TERM=dumb`) or on (`CLICOLOR_FORCE`).
  package init(
    _ descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    func isSet(_ name: String) -> Bool { !["", "0"].contains(environment[name] ?? "") }
    let isTerminal = isatty(descriptor) == 1
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = max(20, columns ?? (isTerminal ? Self.width(of: descriptor) : nil) ?? 80)
    canReplaceLines = isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
    hasColors = isSet("CLICOLOR_FORCE") || canReplaceLines && environment["CLICOLOR"] != "0"
    // The convention at no-color.org: any value that is not empty.
    if environment["NO_COLOR"] ?? "" != "" { hasColors = false }
  }

  private static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  // MARK: Text

  /// Returns a string in bold type, if the terminal has colors.
  func bold(_ text: String) -> String { styled(text, "1") }

  private func styled(_ text: String, _ codes: String) -> String {
    hasColors && !text.isEmpty ? "\u{1B}[\(codes)m\(text)\u{1B}[0m" : text
  }

  /// Returns diagnostics and messages with their severities in color, if the terminal has colors.
  package func highlighted(_ text: String) -> String {
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

  /// Returns a string in lines that fit into the terminal where its words do.
  ///
  /// - Parameters:
  ///   - words: What is not broken.
  ///   - start: The number of columns that precede the first line.
  ///   - indentation: The number of spaces before the others.
  func wrapped(_ words: some Sequence<String>, start: Int, indentation: Int) -> String {
    var (text, column) = ("", start)
    var isFirst = true
    for word in words {
      let length = word.count
      if isFirst {
        text += word
      } else if column + 1 + length <= width {
        text += " " + word
        column += 1
      } else {
        text += "\n" + String(repeating: " ", count: indentation) + word
        column = indentation
      }
      column += length
      isFirst = false
    }
    return text
  }
}
