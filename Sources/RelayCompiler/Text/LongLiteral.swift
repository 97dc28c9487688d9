/// String literals over several lines, so that no line of generated code is longer than editors and reviews can show.
enum LongLiteral {
  /// The most bytes that a literal in one line has between its quotes; a line may have four.
  static let limit = 450
  /// The most bytes of a literal's content in one of several lines.
  private static let chunkLimit = 1_000

  /// A literal with the same content as one in one line, over several lines where that is long.
  static func broken(_ literal: String) -> String {
    let bytes = Array(literal.utf8)
    guard bytes.count > limit, let quote = bytes.firstIndex(of: UInt8(ascii: "\"")) else {
      return literal
    }
    let hashes = String(repeating: "#", count: quote)
    let content = bytes[(quote + 1)..<(bytes.count - quote - 1)]
    let lines = chunks(of: content, hasEscapes: quote == 0)
      .map { String(decoding: $0, as: UTF8.self) }
    return hashes + "\"\"\"\n" + lines.joined(separator: "\\" + hashes + "\n") + "\n\"\"\"" + hashes
  }

  private static func chunks(
    of content: ArraySlice<UInt8>, hasEscapes: Bool
  ) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var rest = content
    while rest.count > chunkLimit {
      let end = end(of: rest, hasEscapes: hasEscapes)
      result.append(rest[..<end])
      rest = rest[end...]
    }
    return result + [rest]
  }

  /// Where the first chunk ends: behind a space or comma, else between two characters, no escape being broken.
  private static func end(of rest: ArraySlice<UInt8>, hasEscapes: Bool) -> Int {
    let window = rest.prefix(chunkLimit)
    let separator = window.lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
    if let separator { return separator + 1 }
    var end = window.endIndex
    while end > window.startIndex + 1, rest[end] & 0xC0 == 0x80 { end -= 1 }
    let backslash = UInt8(ascii: "\\")
    // The longest escape is a backslash and ten more: one that begins in the last of them may go on.
    guard hasEscapes, var start = window[..<end].suffix(12).firstIndex(of: backslash) else {
      return end
    }
    while start > window.startIndex, window[start - 1] == backslash { start -= 1 }
    if start > window.startIndex { return start }
    // Backslashes from the beginning: pairs, and perhaps one that begins another escape.
    return start + window.prefix { $0 == backslash }.count / 2 * 2
  }
}
