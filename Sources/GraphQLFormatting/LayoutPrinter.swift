import GraphQLLanguage

/// A printer of layouts.
///
/// A separator is held back until the next token or comment is known, because a comment can replace
/// it: a comment at the end of a line is followed by a line break, never preceded by one.
struct LayoutPrinter {
  private let tokens: CommentedTokens
  private let layout: Layout
  private let width: Int
  private let lineEnd: [UInt8]
  /// Whether the entire document goes on one line.
  private let isOneLine: Bool

  private var output: ContiguousArray<UInt8> = []
  /// The number of characters on the current line.
  private var column = 0
  private var level = 0
  /// One element per open group: whether the group is broken.
  private var groups: [Bool] = []
  private var pending = Pending()
  /// Whether the last token written is an opening bracket. Blank lines after it are dropped.
  private var isAfterOpening = false
  /// Whether the document has a comment or multi-line block string, so it needs several lines.
  private var needsLines = false

  /// The white space before the next token.
  private struct Pending {
    var separator = Layout.Separator.none
    var isLine = false
    var keepsBlankLine = false
    /// Whether only a comment caused the line break. The next token is indented as a continuation.
    var isForced = false
  }

  /// Returns the bytes of a layout, with a line end after the last line.
  ///
  /// - Parameters:
  ///   - width: The maximum line width in characters; groups that exceed it are broken.
  ///   - lineEnd: The line end to write.
  static func text(
    of layout: Layout, tokens: CommentedTokens, width: Int, lineEnd: [UInt8]
  ) -> ContiguousArray<UInt8> {
    var printer = LayoutPrinter(
      tokens: tokens, layout: layout, width: width, lineEnd: lineEnd, isOneLine: false)
    printer.print()
    if !printer.output.isEmpty { printer.output += lineEnd }
    return printer.output
  }

  /// Returns the bytes of a layout on one line of any length, without a line end; `nil` if it has a
  /// comment or a block string of several lines.
  static func oneLine(of layout: Layout, tokens: CommentedTokens) -> ContiguousArray<UInt8>? {
    var printer = LayoutPrinter(
      tokens: tokens, layout: layout, width: .max, lineEnd: [], isOneLine: true)
    printer.print()
    return printer.needsLines ? nil : printer.output
  }

  private init(
    tokens: CommentedTokens, layout: Layout, width: Int, lineEnd: [UInt8], isOneLine: Bool
  ) {
    self.tokens = tokens
    self.layout = layout
    self.width = width
    self.lineEnd = lineEnd
    self.isOneLine = isOneLine
    output.reserveCapacity(tokens.bytes.count)
  }

  private mutating func print() {
    for index in layout.elements.indices {
      switch layout.elements[index] {
      case .token(let token): write(tokens.elements[token])
      case .comments(let token): writeComments(of: tokens.elements[token])
      case .space: add(.space)
      case .line(let separator, let keepsBlankLine):
        if groups.last ?? !isOneLine { addLine(keepsBlankLine) } else { add(separator) }
      case .hardLine(let keepsBlankLine):
        if isOneLine { add(.space) } else { addLine(keepsBlankLine) }
      case .beginGroup: groups.append(!isOneLine && (groups.last ?? true) && !fits(from: index))
      case .endGroup: _ = groups.popLast()
      case .indent: level += 1
      case .dedent: level -= 1
      }
    }
  }

  // MARK: Separators

  private mutating func add(_ separator: Layout.Separator) {
    if separator.rawValue > pending.separator.rawValue { pending.separator = separator }
  }

  private mutating func addLine(_ keepsBlankLine: Bool) {
    pending.isLine = true
    pending.isForced = false
    if keepsBlankLine { pending.keepsBlankLine = true }
  }

  /// Writes the pending separator.
  ///
  /// - Parameters:
  ///   - isAfterBlankLine: Whether the source has a blank line before the next token or comment.
  ///   - continues: Whether the next token or comment is indented after a line break that only a
  ///     comment forced.
  private mutating func writePending(isAfterBlankLine: Bool, continues: Bool) {
    defer {
      pending = Pending()
      isAfterOpening = false
    }
    if output.isEmpty { return }
    guard pending.isLine else {
      let text: StaticString =
        switch pending.separator {
        case .none: ""
        case .space: " "
        case .comma: ", "
        }
      output += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      column += pending.separator.width
      return
    }
    output += lineEnd
    if isAfterBlankLine, pending.keepsBlankLine, !isAfterOpening { output += lineEnd }
    column = 0
    indent(by: continues ? pendingLevel : level)
  }

  /// The indentation level after the pending line break.
  private var pendingLevel: Int { pending.isForced ? level + 1 : level }

  private mutating func indent(by level: Int) {
    output.append(contentsOf: repeatElement(0x20, count: level * 2))
    column += level * 2
  }

  // MARK: Tokens

  private mutating func write(_ element: CommentedTokens.Element) {
    let kind = element.kind
    let isClosing = kind == .braceRight || kind == .parenRight || kind == .bracketRight
    let isOpening = kind == .braceLeft || kind == .parenLeft || kind == .bracketLeft
    writePending(
      isAfterBlankLine: element.isAfterBlankLine && !isClosing,
      continues: !isClosing && !isOpening)
    if tokens.hasLineEnd(element) {
      needsLines = true
      writeBlockString(element)
    } else {
      output += tokens.bytes[element.range]
      column += length(element.range)
    }
    isAfterOpening = isOpening
  }

  private mutating func writeBlockString(_ element: CommentedTokens.Element) {
    let lines = BlockString.lines(of: tokens.blockStringValue(of: element))
    for (index, line) in lines.enumerated() {
      if index > 0 {
        output += lineEnd
        column = 0
        if !line.isEmpty { indent(by: level) }
      }
      output += line
      column += line.count
    }
  }

  private mutating func writeComments(of element: CommentedTokens.Element) {
    needsLines = true
    for comment in tokens.comments[element.comments] {
      if comment.isFirstOnLine {
        if !pending.isLine {
          pending.isLine = true
          pending.isForced = true
        }
        pending.keepsBlankLine = true
        let isForced = pending.isForced
        writePending(isAfterBlankLine: comment.isAfterBlankLine, continues: true)
        pending.isForced = isForced
      } else {
        output.append(0x20)
        pending.isForced = pending.isForced || !pending.isLine
        isAfterOpening = false
      }
      output += tokens.bytes[comment.range]
      pending.isLine = true
      pending.keepsBlankLine = true
    }
  }

  // MARK: Width

  /// Returns whether a group fits on the current line, including everything after it up to the next
  /// possible line break.
  private func fits(from start: Int) -> Bool {
    var rest = width - (pending.isLine ? pendingLevel * 2 : column)
    var separator = pending.isLine ? Layout.Separator.none : pending.separator
    var depth = 0
    var isAfterGroup = false
    for element in layout.elements[start...] {
      switch element {
      case .beginGroup: depth += 1
      case .endGroup:
        depth -= 1
        if depth == 0 { isAfterGroup = true }
      case .indent, .dedent: continue
      case .comments, .hardLine: return isAfterGroup
      case .space: if separator == .none { separator = .space }
      case .line(let next, _):
        if isAfterGroup { return true }
        if next.rawValue > separator.rawValue { separator = next }
      case .token(let index):
        let token = tokens.elements[index]
        if tokens.hasLineEnd(token) { return isAfterGroup }
        rest -= separator.width + length(token.range)
        separator = .none
        if rest < 0 { return false }
      }
    }
    return true
  }

  /// Returns the length of a source range in Unicode scalars.
  private func length(_ range: Range<Int>) -> Int {
    tokens.bytes[range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }
}
