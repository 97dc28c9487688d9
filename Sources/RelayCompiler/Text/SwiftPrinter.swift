/// A list item that ``SwiftPrinter`` can print.
protocol PrintedItem {
  func write(to text: inout TextBuffer)
}

extension String: PrintedItem {
  func write(to text: inout TextBuffer) { text += self }
}

/// A printer that collects and indents the lines of a Swift file.
package struct SwiftPrinter: ~Copyable {
  /// The maximum number of columns on a line.
  private static let lineLimit = 100

  /// The lines added until now. Every line ends with a line feed.
  private(set) var buffer = TextBuffer(capacity: 1 << 13)
  private var indentation = 0

  package init() {}

  package var text: String { buffer.text }

  /// Adds a line at the current indentation, concatenated from pieces.
  @inline(never)
  package mutating func line(_ pieces: String...) {
    line { text in
      for piece in pieces { text += piece }
    }
  }

  /// Adds a line at the current indentation, with the content added by `write`.
  package mutating func line(_ write: (inout TextBuffer) -> Void) {
    let start = beginLine()
    write(&buffer)
    endLine(from: start)
  }

  // The helpers of `line` and `block` are not inlined, because the optimizer copies both for each
  // of their many closures.

  /// Adds a line's indentation and returns the offset where the line starts.
  @inline(never)
  private mutating func beginLine() -> Int {
    let start = buffer.count
    indent()
    return start
  }

  /// Ends the line that starts at `start`, breaking it if it is too long.
  @inline(never)
  private mutating func endLine(from start: Int) {
    buffer.breakLine(from: start, indentation: indentation * 2 + 2)
    buffer += "\n"
  }

  /// Adds a line that opens a block.
  @inline(never)
  private mutating func openBlock(_ opening: [String]) {
    line { text in
      for piece in opening { text += piece }
      text += " {"
    }
  }

  private mutating func indent() {
    buffer.append(UInt8(ascii: " "), times: indentation * 2)
  }

  /// Adds an empty line, unless the previous line is empty or opens a block.
  mutating func blankLine() {
    if buffer.allowsBlankLine { buffer += "\n" }
  }

  /// Adds `opening {`, the lines of `body` one level deeper, and `}`.
  ///
  /// - Parameter opening: The pieces of the opening, which are concatenated.
  package mutating func block(_ opening: String..., body: (inout SwiftPrinter) -> Void) {
    openBlock(opening)
    indented(body)
    line("}")
  }

  /// Adds the lines of `body` one level deeper.
  package mutating func indented(_ body: (inout SwiftPrinter) -> Void) {
    indentation += 1
    body(&self)
    indentation -= 1
  }

  /// Adds an initializer whose body is one expression.
  ///
  /// The parameters wrap at 100 columns. The body and a leading attribute do not count, because
  /// they are of no interest to readers.
  mutating func initializer<Item: PrintedItem>(
    _ opening: String, _ parameters: [Item], body: (inout TextBuffer) -> Void
  ) {
    let space = UInt8(ascii: " ")
    let hidden =
      opening.utf8.first == UInt8(ascii: "@") ? opening.utf8.prefix { $0 != space }.count : 0
    list(opening, items: parameters, closing: ") {", hidden: hidden) { text in
      text += " "
      body(&text)
      text += " }"
    }
  }

  /// Adds `opening(item, item) closing` on one line, or with the items on separate lines if that
  /// line would exceed 100 columns.
  mutating func list<Item: PrintedItem>(
    _ opening: String, items: [Item], closing: String
  ) {
    list(opening, items: items, closing: closing, hidden: 0) { _ in }
  }

  /// Adds a list, some of which does not count towards the line limit.
  ///
  /// - Parameters:
  ///   - hidden: The number of columns in the opening that do not count.
  ///   - tail: Adds the code after the closing, which does not count either.
  private mutating func list<Item: PrintedItem>(
    _ opening: String, items: [Item], closing: String, hidden: Int,
    tail: (inout TextBuffer) -> Void
  ) {
    let start = buffer.count
    let end = start + Self.lineLimit + hidden
    indent()
    buffer += opening
    for (index, item) in items.enumerated() where buffer.count <= end {
      if index > 0 { buffer += ", " }
      item.write(to: &buffer)
    }
    buffer += closing
    if items.isEmpty || buffer.count <= end {
      tail(&buffer)
      buffer.breakLine(from: start, indentation: indentation * 2 + 2)
      return buffer += "\n"
    }
    buffer.truncate(to: start)
    line(opening)
    indented { $0.lines(of: items) }
    line { text in
      text += closing
      tail(&text)
    }
  }

  /// Adds the items, fitting as many as possible on each line.
  private mutating func lines<Item: PrintedItem>(of items: [Item]) {
    var lineStart = buffer.count
    indent()
    for (index, item) in items.enumerated() {
      let before = buffer.count
      if index > 0 { buffer += " " }
      item.write(to: &buffer)
      if index < items.count - 1 { buffer += "," }
      if index == 0 || buffer.count - lineStart <= Self.lineLimit { continue }
      buffer.truncate(to: before)
      buffer += "\n"
      lineStart = buffer.count
      indent()
      item.write(to: &buffer)
      if index < items.count - 1 { buffer += "," }
    }
    buffer += "\n"
  }

  /// Adds the attribute for a declaration that is deprecated in the schema; a no-op if `reason` is
  /// `nil`.
  package mutating func deprecation(_ reason: String?) {
    guard let reason else { return }
    line(
      "@available(*, deprecated, message: ",
      SwiftText.literal(SwiftText.shortened(reason), allowsRaw: false), ")")
  }

  /// Adds a documentation comment with the first lines of `text`; a no-op if it is blank.
  @inline(never)
  package mutating func documentation(_ text: String?, lineLimit: Int = 3) {
    guard let text else { return }
    comments(SwiftText.commentLines(text, limit: lineLimit))
  }

  /// Adds the lines of a documentation comment.
  mutating func comments(_ lines: [String]) {
    for comment in lines {
      line { text in
        text += "/// "
        text += comment
      }
    }
  }
}
