/// What a list of the printer is made of.
protocol PrintedItem {
  /// Its bytes.
  var width: Int { get }
  func write(to text: inout TextBuffer)
}

extension String: PrintedItem {
  var width: Int { utf8.count }
  func write(to text: inout TextBuffer) { text += self }
}

/// Collects the lines of a Swift file and indents them.
package struct SwiftPrinter {
  /// The text so far; every line ends with a line feed.
  package private(set) var buffer = TextBuffer()
  private var indentation = 0

  package init() {}

  package var text: String { buffer.text }

  /// Adds a line at the current indentation.
  package mutating func line(_ text: String) {
    if text.isEmpty { buffer += "\n" } else { line { $0 += text } }
  }

  /// Adds what `write` adds as a line at the current indentation.
  package mutating func line(_ write: (inout TextBuffer) -> Void) {
    indent()
    write(&buffer)
    buffer += "\n"
  }

  private mutating func indent() {
    for _ in 0..<indentation { buffer += "  " }
  }

  /// Adds an empty line, unless the line before is empty or opens a block.
  package mutating func blankLine() {
    let end = buffer.bytes.suffix(2)
    guard let last = end.first, last != UInt8(ascii: "\n"), last != UInt8(ascii: "{") else {
      return
    }
    buffer += "\n"
  }

  /// Adds `opening {`, what `body` adds one step deeper, and `}`.
  package mutating func block(_ opening: String, _ body: (inout SwiftPrinter) -> Void) {
    line { text in
      text += opening
      text += " {"
    }
    indented(body)
    line("}")
  }

  /// Adds what `body` adds one step deeper.
  package mutating func indented(_ body: (inout SwiftPrinter) -> Void) {
    indentation += 1
    body(&self)
    indentation -= 1
  }

  /// Adds an initializer whose body, which is for no reader, is one expression: the parameters in
  /// lines of at most 100 columns, the body and an attribute that is for no reader either not counted.
  mutating func initializer<Item: PrintedItem>(
    _ opening: String, _ parameters: [Item], body: (inout TextBuffer) -> Void
  ) {
    let space = UInt8(ascii: " ")
    let hidden =
      opening.utf8.first == UInt8(ascii: "@") ? opening.utf8.prefix { $0 != space }.count : 0
    list(opening, parameters, ") {", hidden: hidden) { text in
      text += " "
      body(&text)
      text += " }"
    }
  }

  /// Adds `opening(item, item) closing` in one line, or with the items on lines of their own where it would be
  /// longer than 100 columns.
  package mutating func list(_ opening: String, _ items: [String], _ closing: String) {
    list(opening, items, closing, hidden: 0) { _ in }
  }

  /// - Parameters:
  ///   - hidden: Columns of the opening that do not count.
  ///   - tail: Adds what stands behind the closing and does not count either.
  private mutating func list<Item: PrintedItem>(
    _ opening: String, _ items: [Item], _ closing: String, hidden: Int,
    tail: (inout TextBuffer) -> Void
  ) {
    let separators = max(0, items.count - 1) * 2
    let width = items.reduce(opening.utf8.count + closing.utf8.count + separators) { $0 + $1.width }
    if indentation * 2 + width - hidden <= 100 || items.isEmpty {
      return line { text in
        text += opening
        text.list(items) { $0.write(to: &$1) }
        text += closing
        tail(&text)
      }
    }
    line(opening)
    indented { $0.lines(of: items) }
    line { text in
      text += closing
      tail(&text)
    }
  }

  /// The items, as many in each line as fit.
  private mutating func lines<Item: PrintedItem>(of items: [Item]) {
    var column = 0
    for (index, item) in items.enumerated() {
      let isLast = index == items.count - 1
      let width = item.width + (isLast ? 0 : 1)
      if column > 0, indentation * 2 + column + width >= 100 {
        buffer += "\n"
        column = 0
      }
      if column == 0 { indent() } else { buffer += " " }
      item.write(to: &buffer)
      if !isLast { buffer += "," }
      column += column == 0 ? width : width + 1
    }
    buffer += "\n"
  }

  /// Adds the attribute of a declaration that the schema calls deprecated.
  package mutating func deprecation(_ reason: String?) {
    guard let reason else { return }
    line("@available(*, deprecated, message: \(SwiftText.literal(reason, allowsRaw: false)))")
  }

  /// Adds a documentation comment of the text's first lines; nothing where it is blank.
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
