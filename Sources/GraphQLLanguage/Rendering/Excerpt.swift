/// A diagnostic's source lines, with its locations and labels underlined.
struct Excerpt {
  /// An underlined range of a line.
  private struct Mark {
    var path: String
    var line: Int
    /// The number of columns before the mark; `width` counts the columns it spans.
    var before: Int
    var width: Int
    var lineText: String
    var text: String
    var isPrimary: Bool
  }

  /// The excerpt, with a final line feed; empty if the diagnostic has no location.
  let text: String

  /// The maximum number of columns shown of a line; `…` marks where a longer line is cut.
  private static let widthLimit = 200
  /// The number of columns shown before a mark when the start of its line is cut.
  private static let contextWidth = 80

  init(files: FileIndices, diagnostic: Diagnostic) {
    var marks = diagnostic.locations.enumerated().compactMap { index, span in
      Self.mark(span, text: "", isPrimary: index == 0, files)
    }
    marks += diagnostic.labels.compactMap {
      Self.mark($0.span, text: $0.text.onOneLine, isPrimary: false, files)
    }
    let gutter = marks.map { String($0.line).count }.max() ?? 0
    var lines: [String] = []
    var path = marks.first?.path
    for mark in marks {
      if mark.path != path {
        lines.append("\(Self.spaces(gutter))--> \(mark.path.onOneLine):\(mark.line)")
        path = mark.path
      }
      let number = Self.spaces(gutter - String(mark.line).count) + String(mark.line)
      let sign = String(repeating: mark.isPrimary ? "^" : "-", count: mark.width)
      let underline = "\(Self.spaces(mark.before))\(sign) \(mark.text)"
      lines.append("\(number) | \(mark.lineText)")
      lines.append("\(Self.spaces(gutter)) | \(underline.trimmingTrailingSpaces())")
    }
    text = lines.map { $0 + "\n" }.joined()
  }

  private static func mark(
    _ span: Span, text: String, isPrimary: Bool, _ files: FileIndices
  ) -> Mark? {
    guard let file = files.file(of: span.source) else { return nil }
    let start = file.source.fileOffset(of: span.start)
    let end = max(start, file.source.fileOffset(of: max(span.start, span.end)))
    let location = file.index.location(path: file.source.path, offset: start)
    let line = file.index.bytes(ofLine: location.line)
    let startIndex = min(line.startIndex + file.index.offsetInLine(start), line.endIndex)
    let endIndex = min(startIndex + Int(end - start), line.endIndex)
    let window = window(of: line, around: startIndex..<endIndex)
    return Mark(
      path: location.path, line: location.line, before: columns(of: window.before),
      width: max(1, columns(of: window.marked)),
      lineText: window.before + window.marked + window.after, text: text, isPrimary: isPrimary)
  }

  /// Splits a line into the strings before, in and after a range. Cuts a long line to the columns
  /// near the start of the range.
  private static func window(
    of line: ContiguousArray<UInt8>.SubSequence, around range: Range<Int>
  ) -> (before: String, marked: String, after: String) {
    // A character has at most four bytes, so the rest of a very long line is outside the window.
    var start = max(line.startIndex, range.lowerBound - 4 * widthLimit)
    while start < range.lowerBound, line[start] & 0xC0 == 0x80 { start += 1 }
    var before = display(line[start..<range.lowerBound])
    if start > line.startIndex || columns(of: before) + contextWidth > widthLimit,
      start > line.startIndex || columns(of: display(line[start...])) > widthLimit
    {
      before = "…" + suffix(of: before, columns: contextWidth)
    }
    let room = widthLimit - columns(of: before)
    let all = display(line[range])
    let marked = prefix(of: all, columns: room)
    if marked.count < all.count { return (before, marked, "…") }
    let rest = display(line[range.upperBound...])
    let after = prefix(of: rest, columns: room - columns(of: marked))
    return (before, marked, after.count < rest.count ? after + "…" : after)
  }

  // MARK: Columns

  /// Returns the number of terminal columns that a string takes.
  private static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// Returns the number of terminal columns that a character takes: two for emoji and East Asian
  /// scripts, otherwise one.
  private static func columns(of character: Character) -> Int {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      2
    default: 1
    }
  }

  private static func prefix(of text: String, columns limit: Int) -> String {
    var width = 0
    return String(
      text.prefix {
        width += columns(of: $0)
        return width <= limit
      })
  }

  private static func suffix(of text: String, columns limit: Int) -> String {
    String(prefix(of: String(text.reversed()), columns: limit).reversed())
  }

  /// Decodes the first bytes for display, with tabs as spaces and control characters as `?`.
  private static func display(_ bytes: ContiguousArray<UInt8>.SubSequence) -> String {
    var text = ""
    for scalar in String(decoding: bytes.prefix(widthLimit * 4), as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\t": text += " "
      case _ where scalar.isControl: text += "?"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }
}

extension String {
  fileprivate func trimmingTrailingSpaces() -> String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
