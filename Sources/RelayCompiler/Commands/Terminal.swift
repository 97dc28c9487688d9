import Foundation

/// The terminal, pipe or file that a command prints to.
package struct Terminal: Sendable {
  /// The number of columns.
  package var width: Int
  package var hasColors: Bool
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
  package func bold(_ text: String) -> String { styled(text, "1") }

  package func styled(_ text: String, _ codes: String) -> String {
    hasColors && !text.isEmpty ? "\u{1B}[\(codes)m\(text)\u{1B}[0m" : text
  }

  /// Returns a string in lines that fit into the terminal where its words do.
  ///
  /// - Parameters:
  ///   - words: What is not broken.
  ///   - start: The number of columns that precede the first line.
  ///   - indentation: The number of spaces before the others.
  func wrapped(_ words: some Sequence<String>, start: Int, indentation: Int) -> String {
    var (text, column) = ("", start)
    for word in words {
      if !text.isEmpty {
        let fits = column + 1 + word.count <= width
        text += fits ? " " : "\n" + String(repeating: " ", count: indentation)
        column = fits ? column + 1 : indentation
      }
      text += word
      column += word.count
    }
    return text
  }
}
