/// Collects the lines of a Swift file and indents them.
package struct SwiftPrinter {
  /// The text so far; every line ends with a line feed.
  package private(set) var text = ""
  private var indentation = 0

  package init() {}

  /// Adds a line at the current indentation.
  package mutating func line(_ text: String) {
    if !text.isEmpty {
      for _ in 0..<indentation { self.text += "  " }
      self.text += text
    }
    self.text += "\n"
  }

  /// Adds an empty line, unless the line before is empty or opens a block.
  package mutating func blankLine() {
    let end = text.utf8.suffix(2)
    guard let last = end.first, last != UInt8(ascii: "\n"), last != UInt8(ascii: "{") else {
      return
    }
    text += "\n"
  }

  /// Adds `opening {`, what `body` adds one step deeper, and `}`.
  package mutating func block(_ opening: String, _ body: (inout SwiftPrinter) -> Void) {
    line(opening + " {")
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
  package mutating func initializer(_ opening: String, _ parameters: [String], _ body: String) {
    let attribute =
      opening.hasPrefix("@")
      ? (opening.firstIndex(of: " ") ?? opening.startIndex) : opening.startIndex
    let hidden = opening.distance(from: opening.startIndex, to: attribute)
    list(opening, parameters, ") {", hidden: hidden)
    text.removeLast()
    text += " \(body) }\n"
  }

  /// Adds `opening(item, item) closing` in one line, or with the items on lines of their own where it would be
  /// longer than 100 columns.
  ///
  /// - Parameter hidden: Columns of the opening that do not count.
  package mutating func list(
    _ opening: String, _ items: [String], _ closing: String, hidden: Int = 0
  ) {
    let separators = max(0, items.count - 1) * 2
    let width = items.reduce(opening.utf8.count + closing.utf8.count + separators) {
      $0 + $1.utf8.count
    }
    if indentation * 2 + width - hidden <= 100 || items.isEmpty {
      return line(opening + items.joined(separator: ", ") + closing)
    }
    line(opening)
    indented { printer in
      var current = ""
      for (index, item) in items.enumerated() {
        let piece = index == items.count - 1 ? item : item + ","
        if !current.isEmpty, printer.indentation * 2 + current.utf8.count + piece.utf8.count >= 100
        {
          printer.line(current)
          current = ""
        }
        current += current.isEmpty ? piece : " " + piece
      }
      printer.line(current)
    }
    line(closing)
  }

  /// Adds the attribute of a declaration that the schema calls deprecated.
  package mutating func deprecation(_ reason: String?) {
    guard let reason else { return }
    line("@available(*, deprecated, message: \(SwiftText.literal(reason, allowsRaw: false)))")
  }

  /// Adds a documentation comment of the text's first lines; nothing where it is blank.
  package mutating func documentation(_ text: String?, lineLimit: Int = 3) {
    for comment in SwiftText.commentLines(text ?? "", limit: lineLimit) { line("/// " + comment) }
  }
}
