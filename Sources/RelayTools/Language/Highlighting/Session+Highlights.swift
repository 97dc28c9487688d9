import GraphQLLanguage

/// An occurrence of the element at a position, in the same file.
struct Highlight: Hashable, Sendable {
  let range: FileRange
  /// Whether the element is defined or named here, not used.
  let isWrite: Bool
}

extension Session {
  /// Returns the occurrences of the element at a position in the file, by offset.
  func highlights(at position: FilePosition) -> [Highlight] {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context) else { return [] }
    let found = occurrences(
      of: occurrence.element, context, in: documents(in: position.path))
    return found.compactMap { occurrence in
      guard let range = fileRange(of: occurrence.span) else { return nil }
      let isAlias = if case .alias = occurrence.element { true } else { false }
      return Highlight(range: range, isWrite: occurrence.isDefinition || isAlias)
    }.sorted { $0.range.bytes.lowerBound < $1.range.bytes.lowerBound }
  }
}
