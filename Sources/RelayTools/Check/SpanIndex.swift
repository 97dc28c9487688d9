import GraphQLLanguage

/// Spans, with searches in logarithmic time.
struct SpanIndex {
  /// The spans in ascending order.
  private let spans: [Span]
  /// The largest end of each span and those before it in the same source.
  private let ends: [UInt32]

  init(_ unsorted: [Span]) {
    let spans = unsorted.sorted()
    var ends: [UInt32] = []
    for (index, span) in spans.enumerated() {
      let isFirst = index == 0 || spans[index - 1].source != span.source
      ends.append(isFirst ? span.searchedEnd : max(ends[index - 1], span.searchedEnd))
    }
    (self.spans, self.ends) = (spans, ends)
  }

  /// Returns whether one of the spans starts in `span`.
  func hasStart(in span: Span) -> Bool {
    let index = spans.prefixCount { ($0.source, $0.start) < (span.source, span.start) }
    guard index < spans.count, spans[index].source == span.source else { return false }
    return spans[index].start < span.searchedEnd
  }

  /// Returns whether `span` starts in one of the spans.
  func contains(startOf span: Span) -> Bool {
    let count = spans.prefixCount { ($0.source, $0.start) <= (span.source, span.start) }
    guard count > 0, spans[count - 1].source == span.source else { return false }
    return ends[count - 1] > span.start
  }
}

extension Span {
  /// The end, at least one byte past the start: an error may have an empty span.
  fileprivate var searchedEnd: UInt32 { max(end, start + 1) }
}
