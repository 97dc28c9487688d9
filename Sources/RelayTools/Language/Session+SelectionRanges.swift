import GraphQLLanguage
import RelayCompiler

extension Session {
  /// The largest number of ranges around a position: each is nested in the next one when it is sent.
  private static let rangeLimit = 200

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
    if ranges.count > Self.rangeLimit, let outermost = ranges.last {
      ranges = ranges.prefix(Self.rangeLimit - 1) + [outermost]
    }
    return ranges
  }
}
