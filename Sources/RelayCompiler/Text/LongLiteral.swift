/// Splitting of long string literals over several lines, so that editors and code reviews can show
/// every line of the generated code.
enum LongLiteral {
  /// The maximum length, in bytes, of a literal whose column is unknown.
  static let limit = 90
  /// The maximum length, in bytes, of the content on one line of a multi-line literal.
  private static let chunkLimit = 104

  /// Returns a multi-line literal with the same content if `literal` is longer than `limit`;
  /// otherwise `literal`.
  static func split(_ literal: String, over limit: Int = limit) -> String {
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

  /// Returns the end of the first chunk: after a space, comma or bar, otherwise between two
  /// characters, and never inside an escape.
  private static func end(of rest: ArraySlice<UInt8>, hasEscapes: Bool) -> Int {
    let window = rest.prefix(chunkLimit)
    let separator = window.lastIndex { " ,|".utf8.contains($0) }
    if let separator { return separator + 1 }
    var end = window.endIndex
    while end > window.startIndex + 1, rest[end] & 0xC0 == 0x80 { end -= 1 }
    let backslash = UInt8(ascii: "\\")
    // The longest escape is a backslash and ten more bytes, so an escape that starts in the last
    // bytes may extend beyond them.
    guard hasEscapes, var start = window[..<end].suffix(12).firstIndex(of: backslash) else {
      return end
    }
    while start > window.startIndex, window[start - 1] == backslash { start -= 1 }
    if start > window.startIndex { return start }
    // The chunk starts with backslashes. It must end after a complete pair, because an unpaired
    // backslash starts another escape.
    return start + window.prefix { $0 == backslash }.count / 2 * 2
  }
}
