/// A list item that ``SwiftPrinter`` can print.
protocol PrintedItem {
  func write(to text: inout UTF8Buffer)
}

extension String: PrintedItem {
  func write(to text: inout UTF8Buffer) { text += self }
}

/// A printer that collects and indents the lines of a Swift file.
package struct SwiftPrinter: ~Copyable {
  /// The maximum number of columns on a line.
  static let lineLimit = 120

  /// The lines added until now. Every line ends with a line feed.
  private(set) var buffer = UTF8Buffer(capacity: 1 << 13)
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
  package mutating func line(_ write: (inout UTF8Buffer) -> Void) {
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

  /// Ends the line that starts at `start`, and breaks it if it is too long.
  @inline(never)
  private mutating func endLine(from start: Int) {
    let inner = indentation * 2 + 2
    buffer.indentLines(from: start, by: inner)
    buffer.breakLine(from: start, limit: Self.lineLimit, indentation: inner)
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

  /// Adds a member whose body is one expression: on one line if it fits, otherwise as a block.
  mutating func member(
    _ head: (inout UTF8Buffer) -> Void, body: (inout UTF8Buffer) -> Void
  ) {
    let start = buffer.count
    indent()
    head(&buffer)
    let end = buffer.count
    buffer += " { "
    body(&buffer)
    buffer += " }"
    if buffer.count - start <= Self.lineLimit { return buffer += "\n" }
    buffer.truncate(to: end)
    buffer += " {\n"
    indented { printer in printer.line { body(&$0) } }
    line("}")
  }

  /// Adds a line with a string literal as an argument of a call that ends on a later line, or here.
  mutating func argument(
    _ label: StaticString, _ content: borrowing UTF8Buffer, isLast: Bool = false
  ) {
    let start = beginLine()
    buffer += label
    buffer += ": "
    SwiftEscaping.write(literal: content, to: &buffer, tail: 1)
    buffer += isLast ? ")" : ","
    endLine(from: start)
  }

  /// Adds an initializer or function whose body is one expression: on one line if it fits,
  /// otherwise with its attribute, its parameters and its body on lines of their own.
  ///
  /// - Parameters:
  ///   - opening: The declaration up to the parameters; may start with an attribute.
  ///   - closing: The declaration after the parameters.
  mutating func initializer<Item: PrintedItem>(
    _ opening: String, _ parameters: [Item], closing: String = ") {",
    body: (inout UTF8Buffer) -> Void
  ) {
    let start = buffer.count
    write(opening, parameters, limit: start + Self.lineLimit)
    buffer += closing
    buffer += " "
    if buffer.count - start <= Self.lineLimit {
      body(&buffer)
      buffer += " }"
      if buffer.count - start <= Self.lineLimit { return buffer += "\n" }
    }
    buffer.truncate(to: start)
    var declaration = Substring(opening)
    if opening.utf8.first == UInt8(ascii: "@"), let space = opening.firstIndex(of: " ") {
      line(String(opening[..<space]))
      declaration = opening[opening.index(after: space)...]
    }
    list(String(declaration), items: parameters, closing: closing, isOnePerLine: true)
    indented { printer in printer.line { body(&$0) } }
    line("}")
  }

  /// Adds `opening(item, item) closing` on one line. If that line would be longer than 120 columns,
  /// the items are on lines between the opening and the closing.
  ///
  /// - Parameter isOnePerLine: Whether each of these lines has one item; otherwise as many as fit.
  mutating func list<Item: PrintedItem>(
    _ opening: String, items: [Item], closing: String, isOnePerLine: Bool = false
  ) {
    let start = buffer.count
    write(opening, items, limit: start + Self.lineLimit)
    buffer += closing
    if items.isEmpty || buffer.count - start <= Self.lineLimit { return buffer += "\n" }
    buffer.truncate(to: start)
    line(opening)
    indented { isOnePerLine ? $0.linePerItem(items) : $0.lines(of: items) }
    line(closing)
  }

  /// Adds the opening and the items, until the text is longer than `limit`.
  private mutating func write<Item: PrintedItem>(_ opening: String, _ items: [Item], limit: Int) {
    indent()
    buffer += opening
    for (index, item) in items.enumerated() where buffer.count <= limit {
      if index > 0 { buffer += ", " }
      item.write(to: &buffer)
    }
  }

  /// Adds a line for each item.
  private mutating func linePerItem<Item: PrintedItem>(_ items: [Item]) {
    for (index, item) in items.enumerated() {
      line { text in
        item.write(to: &text)
        if index < items.count - 1 { text += "," }
      }
    }
  }

  /// Adds the items, as many on each line as fit.
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
      SwiftEscaping.literal(SwiftEscaping.shortened(reason), allowsRaw: false), ")")
  }

  /// Adds a documentation comment with the first lines of `text`; a no-op if it is blank.
  @inline(never)
  package mutating func documentation(_ text: String?, lineLimit: Int = 3) {
    guard let text else { return }
    comments(SwiftEscaping.commentLines(text, limit: lineLimit))
  }

  /// Adds the lines of a documentation comment, wrapped at 120 columns.
  mutating func comments(_ lines: [String]) {
    for comment in lines {
      let room = Self.lineLimit - indentation * 2 - 4
      if comment.utf8.count <= room {
        addComment(comment)
      } else {
        for part in SwiftEscaping.wrapped(comment, to: room) { addComment(part) }
      }
    }
  }

  /// Adds the documentation comment of a struct without a description of its own.
  mutating func schemaType(_ name: String) { line("/// Schema type `", name, "`.") }

  private mutating func addComment(_ comment: String) {
    indent()
    buffer += "/// "
    buffer += comment
    buffer += "\n"
  }
}
