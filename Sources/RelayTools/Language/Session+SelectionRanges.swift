import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the ranges to select around a position, innermost first: names, values, selections and
  /// definitions, then the entire document. Empty outside documents.
  func selectionRanges(at position: FilePosition) -> [FileRange] {
    guard let (document, offset) = document(at: position), let source = workspace[document.source]
    else { return [] }
    var ranges: [FileRange] = []
    func append(_ range: FileRange) {
      guard range.bytes.contains(position.offset) || range.bytes.upperBound == position.offset
      else { return }
      // Of two nodes that touch at the position, only one is in the result.
      if let inner = ranges.last?.bytes {
        guard range.bytes != inner, range.bytes.lowerBound <= inner.lowerBound,
          inner.upperBound <= range.bytes.upperBound
        else { return }
      }
      ranges.append(range)
    }
    for span in EnclosingSpans.spans(at: offset, in: document, source.bytes) {
      if let range = fileRange(of: span) { append(range) }
    }
    if let tag = tag(of: document) {
      append(FileRange(path: position.path, bytes: tag.literal.contentStart..<tag.contentEnd))
    }
    return ranges
  }
}
