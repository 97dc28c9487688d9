import GraphQLLanguage

extension Session {
  /// Returns the classified tokens of the documents in a file, by position. Uses only the source
  /// of the documents.
  ///
  /// - Parameter range: The bytes of the file that are needed; `nil` for all.
  func semanticTokens(in path: String, _ range: Range<Int>? = nil) -> [SemanticToken] {
    documents(in: path).flatMap { document -> [SemanticToken] in
      guard let source = workspace[document.source], !source.isJSONObject else { return [] }
      return TokenClassifier.classify(source.bytes, symbols: workspace.symbols).flatMap { token in
        let span = Span(
          start: token.range.lowerBound, end: token.range.upperBound, source: document.source)
        guard let place = fileRange(of: span) else { return [SemanticToken]() }
        if let range, !range.overlaps(place.bytes) { return [] }
        return Self.lines(of: place.bytes, in: source.fileBytes).map {
          SemanticToken(
            kind: token.kind, isDeclaration: token.isDeclaration,
            range: FileRange(path: path, bytes: $0))
        }
      }
    }.sorted { $0.range.bytes.lowerBound < $1.range.bytes.lowerBound }
  }

  /// Divides a range into one range for each line, without the white space around them.
  private static func lines(
    of range: Range<Int>, in bytes: ContiguousArray<UInt8>
  ) -> [Range<Int>] {
    let text = bytes[range.clamped(to: bytes.startIndex..<bytes.endIndex)]
    if !text.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return [text.indices] }
    return text.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
      guard let start = line.firstIndex(where: { $0 > 0x20 }),
        let last = line.lastIndex(where: { $0 > 0x20 })
      else { return nil }
      return start..<last + 1
    }
  }
}
