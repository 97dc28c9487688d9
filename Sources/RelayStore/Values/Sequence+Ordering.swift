/// Sorting for code that is not hot. The standard library's algorithm takes 2 KB of machine code
/// for each element type, so it is compiled only once for numbers and once for strings.
extension Sequence {
  /// Returns the elements in ascending order of a number. The sort is stable.
  package func sorted(byNumber number: (Element) -> UInt64) -> [Element] {
    let elements = Array(self)
    return positions(sorting: elements.map(number)).map { elements[$0] }
  }

  /// Returns the elements in the order of a string's UTF-8 bytes. The sort is stable.
  package func sorted(byBytes string: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return positions(sorting: elements.map(string)).map { elements[$0] }
  }
}

/// Returns the positions of numbers in ascending order.
private func positions(sorting numbers: [UInt64]) -> [Int] {
  numbers.indices.sorted { numbers[$0] < numbers[$1] }
}

/// Returns the positions of strings in the order of their bytes.
private func positions(sorting strings: [String]) -> [Int] {
  strings.indices.sorted { strings[$0].precedesByBytes(strings[$1]) }
}
