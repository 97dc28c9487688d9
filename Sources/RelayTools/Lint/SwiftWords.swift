import GraphQLLanguage
import RelayCompiler

/// The words of Swift files outside their tags: identifiers, and the words in comments and strings,
/// because interpolations in strings are code.
struct SwiftWords {
  private var words: Set<String> = []

  /// Adds the words of a file.
  ///
  /// - Parameter skipsTags: Whether to skip the documents in its tags.
  mutating func add(_ bytes: ContiguousArray<UInt8>, skipsTags: Bool) {
    Self.forEach(in: bytes, skipsTags: skipsTags) { word, _ in words.insert(word) }
  }

  /// Calls `body` with each word of a file and its byte range.
  ///
  /// - Parameter skipsTags: Whether to skip the documents in its tags.
  static func forEach(
    in bytes: ContiguousArray<UInt8>, skipsTags: Bool, _ body: (String, Range<Int>) -> Void
  ) {
    let tags =
      !skipsTags
      ? []
      : TagScanner.scan(bytes).tags.map { tag in
        tag.offsets.fileOffset(
          of: 0)..<tag.offsets.fileOffset(
            of: UInt32(truncatingIfNeeded: tag.document.count))
      }
    var (start, tag) = (0, 0)
    while start < bytes.count {
      while tag < tags.count, Int(tags[tag].upperBound) <= start { tag += 1 }
      if tag < tags.count, Int(tags[tag].lowerBound) <= start {
        start = max(start + 1, Int(tags[tag].upperBound))
        continue
      }
      guard SwiftCursor.isIdentifier(bytes[start]) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < bytes.count, SwiftCursor.isIdentifier(bytes[end]) { end += 1 }
      body(String(decoding: bytes[start..<end], as: UTF8.self), start..<end)
      start = end
    }
  }

  func contains(_ word: String) -> Bool { words.contains(word) }
}
