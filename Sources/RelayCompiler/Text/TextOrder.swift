extension Sequence {
  /// Returns the elements sorted by the UTF-8 bytes of a text of each. Elements with the same text
  /// keep their order.
  package func sorted(byText text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return sortedPositions(of: elements.map(text)).map { elements[$0] }
  }
}

/// Returns the indices of the texts, sorted by the texts' UTF-8 bytes.
// Not generic, because the optimizer would copy the sort for every type of element.
@inline(never)
private func sortedPositions(of texts: [String]) -> [Int] {
  texts.indices.sorted { texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8) }
}
