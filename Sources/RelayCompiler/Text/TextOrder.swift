extension Sequence {
  /// Returns the elements sorted by the UTF-8 bytes of a string for each element. Elements with
  /// equal strings retain their order.
  package func sorted(byText text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return sortedPositions(of: elements.map(text)).map { elements[$0] }
  }
}

/// Returns the indices of the strings, sorted by UTF-8 bytes.
// Not generic, because the optimizer would copy the sort for every element type.
@inline(never)
private func sortedPositions(of texts: [String]) -> [Int] {
  texts.indices.sorted { texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8) }
}
