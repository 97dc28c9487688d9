import GraphQLLanguage

/// Replacements in a text, which keep everything else as it is: comments and layout too.
///
/// Edits may be nested: an outer one replaces what inner ones say, and the text of a range inside
/// the outer one still has the inner edits.
struct TextEdits {
  private struct Edit {
    let range: Range<Int>
    let text: String
  }

  private let bytes: ContiguousArray<UInt8>
  private var edits: [Edit] = []

  init(_ source: Source) { bytes = source.bytes }

  /// Replaces a part.
  mutating func replace(_ span: Span, with text: String) {
    edits.append(Edit(range: Int(span.start)..<Int(span.end), text: text))
  }

  /// Removes a part of a line with the spaces before it; with the line, if nothing else is in it.
  mutating func remove(_ span: Span) {
    var (start, end) = (Int(span.start), Int(span.end))
    while start > 0, Self.isSpace(bytes[start - 1]) { start -= 1 }
    let beginsLine = start == 0 || bytes[start - 1] == 0x0A
    var next = end
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
    if beginsLine, next < bytes.count, bytes[next] == 0x0A { end = next + 1 }
    edits.append(Edit(range: start..<end, text: ""))
  }

  /// Removes a definition with the empty lines after it.
  mutating func removeDefinition(_ span: Span) {
    var end = Int(span.end)
    while end < bytes.count, Self.isSpace(bytes[end]) || bytes[end] == 0x0A { end += 1 }
    edits.append(Edit(range: Int(span.start)..<end, text: ""))
  }

  /// Returns the whole text with the edits.
  func text() -> String { text(of: 0..<bytes.count) }

  /// Returns the text of a span with the edits inside it.
  func text(of span: Span) -> String { text(of: Int(span.start)..<Int(span.end)) }

  /// - Complexity: O(*n* log *n*) in the edits, and O(*n*) in the text.
  private func text(of range: Range<Int>) -> String {
    let inside = edits.enumerated()
      .filter { range.lowerBound <= $1.range.lowerBound && $1.range.upperBound <= range.upperBound }
      // Outer edits first; of two for one range the earlier.
      .sorted {
        ($0.element.range.lowerBound, -$0.element.range.upperBound, $0.offset)
          < ($1.element.range.lowerBound, -$1.element.range.upperBound, $1.offset)
      }
    var result: [UInt8] = []
    var position = range.lowerBound
    for (_, edit) in inside where edit.range.lowerBound >= position {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.text.utf8
      position = edit.range.upperBound
    }
    result += bytes[position..<range.upperBound]
    return String(decoding: result, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == UInt8(ascii: ",")
  }
}
