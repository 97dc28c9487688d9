import GraphQLLanguage

/// Replacements in a source that preserve everything else, including comments and layout.
///
/// Edits may be nested: an outer edit overrides the inner ones, but `text(of:)` for a range inside
/// the outer edit still applies the inner ones.
struct TextEdits {
  private struct Edit {
    let range: Range<Int>
    let text: String
  }

  private let bytes: ContiguousArray<UInt8>
  private var edits: [Edit] = []

  init(_ source: Source) { bytes = source.bytes }

  /// Replaces a span.
  mutating func replace(_ span: Span, with text: String) {
    edits.append(Edit(range: Int(span.start)..<Int(span.end), text: text))
  }

  /// Removes a span within a line and the spaces before it; removes the line if it is otherwise
  /// empty.
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

  /// Returns the entire source with the edits.
  func text() -> String { text(of: 0..<bytes.count) }

  /// Returns the source of a span with the edits inside it.
  func text(of span: Span) -> String { text(of: Int(span.start)..<Int(span.end)) }

  /// - Complexity: O(*n* log *n*) in the edits, and O(*n*) in the bytes.
  private func text(of range: Range<Int>) -> String {
    let inside = edits.enumerated()
      .filter { range.lowerBound <= $1.range.lowerBound && $1.range.upperBound <= range.upperBound }
      // Outer edits come first; the earlier of two edits with the same range comes first.
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
