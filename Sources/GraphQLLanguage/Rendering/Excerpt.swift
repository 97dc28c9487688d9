/// The source lines of a diagnostic, with its locations and labels underlined.
struct Excerpt {
  /// An underlined part of a line.
  private struct Mark {
    var path: String
    var line: Int
    /// The number of characters before the mark; `width` is the number of characters above it.
    var before: Int
    var width: Int
    var lineText: String
    var text: String
    var isPrimary: Bool
  }

  /// The excerpt, with a line feed at the end; empty if the diagnostic has no location.
  let text: String

  /// The number of characters after which a line is truncated.
  private static let widthLimit = 200

  init(files: FileIndices, diagnostic: Diagnostic) {
    var marks = diagnostic.locations.enumerated().compactMap { index, span in
      Self.mark(span, text: "", isPrimary: index == 0, files)
    }
    marks += diagnostic.labels.compactMap {
      Self.mark($0.span, text: $0.text, isPrimary: false, files)
    }
    let gutter = marks.map { String($0.line).count }.max() ?? 0
    var lines: [String] = []
    var path = marks.first?.path
    for mark in marks {
      if mark.path != path {
        lines.append("\(Self.spaces(gutter))--> \(mark.path):\(mark.line)")
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
    let before = display(line[..<startIndex])
    let marked = display(line[startIndex..<endIndex])
    return Mark(
      path: location.path, line: location.line, before: min(before.count, widthLimit),
      width: max(1, min(marked.count, max(0, widthLimit - before.count))),
      lineText: String(display(line).prefix(widthLimit)), text: text, isPrimary: isPrimary)
  }

  /// Returns bytes as characters that take one column each: a tab as a space, a control character
  /// as `?`.
  private static func display(_ bytes: ContiguousArray<UInt8>.SubSequence) -> String {
    var text = ""
    // A character has at most four bytes, so the rest of a very long line is beyond the limit.
    for scalar in String(decoding: bytes.prefix(widthLimit * 4), as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\t": text += " "
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
        "\u{2066}"..."\u{2069}":
        text += "?"
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
